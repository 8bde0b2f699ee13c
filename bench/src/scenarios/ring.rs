//! The broadcast ring with one publisher and with many.

mod exact;
mod graphs;
mod many;
mod one_thread;
mod payloads;
mod plan;
mod tasks;
mod threads;
mod values;

use crate::scenario::Scenario;

/// All of them, in the order in which they run.
pub fn scenarios() -> Vec<Scenario> {
    let mut all = one_thread::scenarios();
    all.extend(payloads::scenarios());
    all.extend(threads::scenarios());
    all.extend(many::scenarios());
    all.extend(values::scenarios());
    all.extend(graphs::scenarios());
    all.extend(tasks::scenarios());
    all.extend(exact::scenarios());
    all
}
