//! Costs that no machine hides: counted, not timed. More of them stand beside times: allocations a channel, a listener
//! and a churned listener in `core`, allocations of one and of two waits in `wake-all-1` and `-2`.

use super::rows::scenario;
use crate::engines::oneshot::{
    Announcement, AsyncBroadcast, Broadcast, Cancellation, Monitor, Oneshots, SetOnce,
    SharedFuture, Tidings, Triggered, Watch,
};
use crate::scenario::{Contract, Scenario, Waiting};
use crate::work::oneshot::{threads, wake};

pub fn scenarios() -> Vec<Scenario> {
    let mut all: Vec<_> = [3, 100, 1000].map(second_crowd).into();
    all.extend([1, 8, 32].map(calls));
    all
}

fn second_crowd(receivers: usize) -> Scenario {
    let operation =
        "the first poll of a wait, when as many waiters have come and gone; allocations counted";
    let it = scenario(format!("second-crowd-{receivers}"), operation, receivers, 1)
        .under(Contract::Once, Waiting::Own)
        .sends("(), i32")
        .among("waiters")
        .rounds(3);
    let it = rows!(it, wake::second_crowd, i32, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture);
    rows!(it, wake::second_crowd, (), Cancellation Triggered).counts(
        "tidings",
        "allocations, second crowd",
        0.0,
    )
}

fn calls(receivers: usize) -> Scenario {
    let operation = "announce to threads that sleep; the announcer's system calls counted";
    let it = scenario(
        format!("threads-calls-{receivers}"),
        operation,
        receivers,
        1,
    )
    .under(Contract::Once, Waiting::Own)
    .sends("(), i32")
    .among("blocked thread(s)")
    .rounds(3);
    let it = rows!(it, threads::calls, i32, Tidings Announcement Broadcast AsyncBroadcast Oneshots Monitor);
    rows!(it, threads::calls, (), Triggered).counts("tidings", "system calls per announce", 1.0)
}
