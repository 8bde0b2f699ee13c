//! What the scenarios of the one-shot broadcast have in common.

use crate::scenario::{Contract, Plan, Scenario, Waiting};

/// So many listeners (or waiters, workers, threads), so many operations a turn; on one thread, nobody waits.
pub(super) fn scenario(
    name: impl Into<String>,
    operation: &'static str,
    receivers: usize,
    operations: u64,
) -> Scenario {
    let plan = Plan {
        capacity: 0,
        publishers: 1,
        receivers,
        operations,
        seed: 0,
        seconds: 20,
    };
    Scenario::new(name, operation, plan)
        .under(Contract::Once, Waiting::Nobody)
        .among("listener(s)")
}

/// Operations of a turn that should take as long with many listeners as with few.
pub(super) fn operations(receivers: usize, most: u64) -> u64 {
    (most / (receivers as u64 + 1)).max(1)
}

/// Adds a row for each engine, under the engine's own name: the workload, with the engine and then the value.
macro_rules! rows {
    ($scenario:expr, $work:ident::$what:ident, $value:ty, $($engine:ident)+) => {
        $scenario$(.row(
            <$engine as $crate::engine::oneshot::Named>::NAME,
            <$engine as $crate::engine::oneshot::Named>::MODE,
            $work::$what::<$engine, $value>,
        ))+
    };
    ($scenario:expr, $work:ident::$what:ident in $runtime:ident, $value:ty, $($engine:ident)+) => {
        $scenario$(.row(
            <$engine as $crate::engine::oneshot::Named>::NAME,
            <$engine as $crate::engine::oneshot::Named>::MODE,
            $work::$what::<$runtime, $engine, $value>,
        ))+
    };
}
