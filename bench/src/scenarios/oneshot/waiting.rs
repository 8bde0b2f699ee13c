//! Everybody waits: waking all of them, loops that wait for something else too, blocked threads.

use super::rows::scenario;
use crate::engines::oneshot::{
    Announcement, AsyncBroadcast, Broadcast, Cancellation, Monitor, Oneshots, SetOnce,
    SharedFuture, Tidings, TidingsBorrow, TidingsKept, Triggered, Watch,
};
use crate::engines::runtimes::Tokio;
use crate::scenario::{Contract, Scenario, Waiting};
use crate::work::oneshot::{select, threads, wake, wake_tasks};

pub fn scenarios() -> Vec<Scenario> {
    let mut all: Vec<_> = [1, 2, 10, 100, 1000, 10_000, 100_000].map(wake_all).into();
    all.extend([1, 100, 10_000].map(wake_all_signal));
    all.extend([1, 10, 100, 1000, 10_000, 100_000].map(wake_tasks_outside));
    all.extend([1, 10, 100, 1000, 10_000].map(wake_tasks_inside));
    all.extend([1, 2, 4, 8, 16].map(select_loop));
    all.extend([1, 2, 4, 8, 16].map(select_loop_tasks));
    all.extend([1, 8].map(select_loop_signal));
    all.extend([1, 8, 32].map(blocked));
    all
}

fn waiting(name: String, operation: &'static str, receivers: usize, count: u64) -> Scenario {
    scenario(name, operation, receivers, count).under(Contract::Once, Waiting::Own)
}

fn wake_all(receivers: usize) -> Scenario {
    let operation =
        "announce, the woken poll of every waiter, the drop of its wait; all were pending";
    let it = waiting(
        format!("wake-all-{receivers}"),
        operation,
        receivers,
        (3000 / receivers as u64).max(1),
    )
    .sends("i32")
    .among("waiter(s)");
    let it = if receivers > 10_000 {
        it.rounds(20)
    } else {
        it
    };
    let it = rows!(it, wake::everybody, i32, Tidings TidingsBorrow Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .beats("announcement", 0.6);
    if receivers <= 2 {
        it.counts("tidings", "allocations per wait", 0.0)
    } else {
        it
    }
}

fn wake_all_signal(receivers: usize) -> Scenario {
    let operation =
        "announce, the woken poll of every waiter, the drop of its wait; all were pending";
    let it = waiting(
        format!("wake-all-signal-{receivers}"),
        operation,
        receivers,
        (3000 / receivers as u64).max(1),
    )
    .sends("()")
    .among("waiter(s)");
    rows!(it, wake::everybody, (), Tidings Announcement SetOnce Cancellation Triggered)
        .beats("announcement", 0.6)
}

const UNTIL_LAST: &str =
    "announce until the last task has the value; all were pending, workers asleep";

fn wake_tasks_count(receivers: usize) -> (u64, u32) {
    match receivers {
        0..=100 => (5, 40),
        101..=1000 => (3, 30),
        1001..=10_000 => (1, 20),
        _ => (1, 5),
    }
}

fn wake_tasks_outside(receivers: usize) -> Scenario {
    let (count, rounds) = wake_tasks_count(receivers);
    let it = waiting(
        format!("wake-tasks-{receivers}"),
        UNTIL_LAST,
        receivers,
        count,
    )
    .sends("i32")
    .among("task(s)")
    .rounds(rounds);
    rows!(it, wake_tasks::from_outside in Tokio, i32, Tidings TidingsBorrow Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .beats("announcement", 1.0)
}

/// No target: what decides here is when the other worker wakes, see BIAS.md.
fn wake_tasks_inside(receivers: usize) -> Scenario {
    let (count, rounds) = wake_tasks_count(receivers);
    let it = waiting(
        format!("wake-tasks-inside-{receivers}"),
        UNTIL_LAST,
        receivers,
        count,
    )
    .sends("i32")
    .among("task(s)")
    .rounds(rounds);
    rows!(it, wake_tasks::from_inside in Tokio, i32, Tidings TidingsBorrow Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
}

const SELECT: &str = "a worker makes a wait, polls it once, drops it; nothing is announced";

/// Turns of the loop, of all workers together: long enough that they overlap.
fn select_turns(receivers: usize) -> u64 {
    if receivers > 2 { 800_000 } else { 400_000 }
}

fn select_loop(receivers: usize) -> Scenario {
    let it = waiting(
        format!("select-loop-{receivers}"),
        SELECT,
        receivers,
        select_turns(receivers),
    )
    .rounds(20)
    .sends("i32")
    .among("worker thread(s)");
    rows!(it, select::threads, i32, Tidings TidingsKept Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .beats("announcement", 0.25)
}

fn select_loop_tasks(receivers: usize) -> Scenario {
    let it = waiting(
        format!("select-loop-tasks-{receivers}"),
        SELECT,
        receivers,
        select_turns(receivers),
    )
    .rounds(20)
    .sends("i32")
    .among("worker task(s)");
    rows!(it, select::tasks in Tokio, i32, Tidings TidingsKept Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .beats("announcement", 0.25)
}

fn select_loop_signal(receivers: usize) -> Scenario {
    let it = waiting(
        format!("select-loop-signal-{receivers}"),
        SELECT,
        receivers,
        select_turns(receivers),
    )
    .rounds(20)
    .sends("()")
    .among("worker thread(s)");
    rows!(it, select::threads, (), Tidings TidingsKept Announcement SetOnce Cancellation Triggered)
        .beats("announcement", 0.25)
}

fn blocked(receivers: usize) -> Scenario {
    let operation = "announce until the last thread has the value; all were asleep";
    let it = waiting(
        format!("threads-{receivers}"),
        operation,
        receivers,
        (24 / receivers as u64).max(1),
    )
    .sends("i32")
    .among("blocked thread(s)");
    let it = rows!(it, threads::wake, i32, Tidings TidingsBorrow Announcement Broadcast AsyncBroadcast Oneshots Monitor);
    rows!(it, threads::wake, (), Triggered).beats("announcement", 1.0)
}
