//! What is announced, as it is and in an `Arc`. Who can borrow needs no `Arc`: the row that borrows stands beside.

use std::sync::Arc;

use super::rows::{operations, scenario};
use crate::engine::oneshot::Named;
use crate::engines::oneshot::{
    Announcement, AsyncBroadcast, Broadcast, SetOnce, Tidings, TidingsBorrow, Watch,
};
use crate::scenario::Scenario;
use crate::value::{Array, Bytes, Config, Value};
use crate::work::oneshot::crowd;

const OPERATION: &str = "open, make all listeners, announce, each reads and goes, drop all";
const MEBIBYTE: usize = 1 << 20;

pub fn scenarios() -> Vec<Scenario> {
    let counts = [1, 10, 100, 500];
    let mut all: Vec<_> = counts.map(|count| small("types-i32", "i32", count)).into();
    all.extend(
        counts.map(|count| large::<Array<1024>>("types-array-1k", "[u8; 1024]", count, 10_000)),
    );
    all.extend(counts.map(|count| {
        large::<Bytes<MEBIBYTE>>("types-vec-1m", "Vec of 1 MiB", count, 10).rounds(10)
    }));
    all.extend(
        counts
            .map(|count| large::<Config>("types-config", "struct of 9 allocations", count, 5_000)),
    );
    all.extend([
        crossover::<4>(),
        crossover::<8>(),
        crossover::<16>(),
        crossover::<32>(),
        crossover::<64>(),
        crossover::<128>(),
        crossover::<256>(),
        crossover::<512>(),
    ]);
    all
}

/// Rows of every engine: the value itself, cloned or borrowed, and the value in an `Arc`.
fn rows<T: Value>(it: Scenario) -> Scenario {
    rows!(it, crowd::consume, T, Tidings TidingsBorrow)
        .row(
            "tidings-arc",
            Tidings::MODE,
            crowd::consume::<Tidings, Arc<T>>,
        )
        .row(
            "announcement",
            Announcement::MODE,
            crowd::consume::<Announcement, T>,
        )
        .row(
            "announcement-arc",
            Announcement::MODE,
            crowd::consume::<Announcement, Arc<T>>,
        )
}

fn small(name: &str, payload: &str, receivers: usize) -> Scenario {
    let it = scenario(
        format!("{name}-{receivers}"),
        OPERATION,
        receivers,
        operations(receivers, 20_000),
    )
    .sends(payload);
    let it = rows::<i32>(it);
    rows!(it, crowd::consume, i32, Broadcast Watch SetOnce AsyncBroadcast)
        .beats("announcement", 0.75)
        .ratio("tidings-arc", "announcement-arc", 0.8)
}

/// Cloning costs what it costs; the targets are on borrowing.
fn large<T: Value>(name: &str, payload: &str, receivers: usize, most: u64) -> Scenario {
    let count = operations(receivers, most);
    let it = scenario(format!("{name}-{receivers}"), OPERATION, receivers, count).sends(payload);
    let it = rows::<T>(it);
    let it = rows!(it, crowd::consume, T, Watch SetOnce);
    if receivers == 500 {
        it.ratio("tidings-borrow", "tidings-arc", 1.0).ratio(
            "tidings-borrow",
            "announcement-arc",
            1.0,
        )
    } else {
        it
    }
}

/// A vector of that many bytes, so the value itself pays an allocation a listener.
fn crossover<const N: usize>() -> Scenario {
    let it = scenario(
        format!("crossover-{N}"),
        OPERATION,
        10,
        operations(10, 20_000),
    )
    .sends(format!("Vec of {N} B"));
    rows::<Bytes<N>>(it)
}
