//! What the scenarios of the ring have in common.

use crate::scenario::Plan;

/// The usual plan: a ring of that capacity, so many subscribers, so many operations a turn.
pub(super) const fn plan(capacity: usize, subscribers: usize, operations: u64) -> Plan {
    Plan {
        capacity,
        publishers: 1,
        receivers: subscribers,
        operations,
        seed: 0,
        seconds: 20,
    }
}
