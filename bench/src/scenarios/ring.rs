//! The broadcast ring with one publisher.

mod exact;
mod one_thread;
mod payloads;
mod threads;

use crate::scenario::{Plan, Scenario};

/// All of them, in the order in which they run.
pub fn scenarios() -> Vec<Scenario> {
    let mut all = one_thread::scenarios();
    all.extend(payloads::scenarios());
    all.extend(threads::scenarios());
    all.extend(exact::scenarios());
    all
}

/// The usual plan: a ring of that capacity, so many subscribers, so many operations a turn.
const fn plan(capacity: usize, subscribers: usize, operations: u64) -> Plan {
    Plan {
        capacity,
        subscribers,
        operations,
        seed: 0,
        seconds: 20,
    }
}
