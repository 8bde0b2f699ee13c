//! Tasks. What is timed is mostly spawning and joining, so each table has its floor.

use std::sync::Arc;

use super::rows::scenario;
use crate::engines::oneshot::{
    Announcement, AsyncBroadcast, Broadcast, Cancellation, Oneshots, SetOnce, SharedFuture,
    Tidings, TidingsBorrow, Triggered, Watch,
};
use crate::engines::runtimes::{Smol, Tokio};
use crate::scenario::{Contract, Scenario, Waiting};
use crate::value::{Event, Pool, Response, Settings};
use crate::work::oneshot::tasks;

type Value = Arc<i32>;

const FLOOR: &str = "the same tasks, no channel";

pub fn scenarios() -> Vec<Scenario> {
    let mut all = vec![basic()];
    all.extend([10, 100, 500].map(fan_out));
    all.push(smol_basic());
    all.extend([10, 100, 500].map(smol_fan_out));
    all.extend([concurrent(), smol_concurrent()]);
    all.extend([5, 10, 50, 100].map(beside_oneshot));
    all.extend([1, 10, 100, 500].map(beside_broadcast));
    all.extend([1, 10, 100, 500].map(from_a_task));
    all.push(multishot());
    all.extend([10, 100].map(shutdown));
    all.extend([10, 100].map(settings));
    all.extend([10, 100].map(event));
    all.extend([2, 5, 10, 50, 100].map(response));
    all.extend([10, 100].map(pool));
    all
}

fn waiting(
    name: impl Into<String>,
    operation: &'static str,
    receivers: usize,
    count: u64,
) -> Scenario {
    scenario(name, operation, receivers, count)
        .under(Contract::Once, Waiting::Own)
        .among("task(s)")
}

/// Operations of a turn of so many tasks.
fn operations(receivers: usize) -> u64 {
    (600 / (receivers as u64 + 10)).max(2)
}

fn fan(name: String, receivers: usize) -> Scenario {
    let operation = "open, spawn a task a listener, announce, join all";
    waiting(name, operation, receivers, operations(receivers))
        .times(4)
        .sends("Arc<i32>")
}

fn basic() -> Scenario {
    tokio_fan(fan("runtime-tokio-basic".into(), 1))
}

fn fan_out(receivers: usize) -> Scenario {
    tokio_fan(fan(format!("runtime-tokio-fanout-{receivers}"), receivers))
}

fn tokio_fan(it: Scenario) -> Scenario {
    rows!(it, tasks::fan_out in Tokio, Value, Tidings TidingsBorrow Announcement)
        .row("floor", FLOOR, tasks::fan_out_floor::<Tokio>)
        .beats("announcement", 1.0)
}

fn smol_basic() -> Scenario {
    smol_fan(fan("runtime-smol-basic".into(), 1))
}

fn smol_fan_out(receivers: usize) -> Scenario {
    smol_fan(fan(format!("runtime-smol-fanout-{receivers}"), receivers))
}

fn smol_fan(it: Scenario) -> Scenario {
    rows!(it, tasks::fan_out in Smol, Value, Tidings TidingsBorrow Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .row("floor", FLOOR, tasks::fan_out_floor::<Smol>)
        .beats("announcement", 1.0)
}

fn concurrent() -> Scenario {
    let operation = "100 tasks at once, each: open, spawn a listener, announce, join";
    let it = waiting("runtime-tokio-concurrent", operation, 100, 10).sends("Arc<i32>");
    rows!(it, tasks::concurrent in Tokio, Value, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .row("floor", FLOOR, tasks::concurrent_floor::<Tokio>)
        .beats("announcement", 1.0)
}

fn smol_concurrent() -> Scenario {
    let operation = "100 tasks at once, each: open, spawn a listener, announce, join";
    let it = waiting("runtime-smol-concurrent", operation, 100, 10).sends("Arc<i32>");
    rows!(it, tasks::concurrent in Smol, Value, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .row("floor", FLOOR, tasks::concurrent_floor::<Smol>)
        .beats("announcement", 1.0)
}

fn beside_oneshot(receivers: usize) -> Scenario {
    let it = fan(format!("vs-tokio-oneshot-{receivers}"), receivers);
    rows!(it, tasks::fan_out in Tokio, Value, Tidings Announcement Oneshots)
        .row("floor", FLOOR, tasks::fan_out_floor::<Tokio>)
        .beats("announcement", 1.0)
}

fn beside_broadcast(receivers: usize) -> Scenario {
    let it = fan(format!("vs-broadcast-{receivers}"), receivers);
    let it = rows!(it, tasks::fan_out in Tokio, Value, Tidings TidingsBorrow Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture);
    let it = rows!(it, tasks::fan_out in Tokio, (), Cancellation Triggered);
    it.row("floor", FLOOR, tasks::fan_out_floor::<Tokio>)
        .beats("announcement", 1.0)
        .beats("tokio-broadcast", 1.0)
}

fn from_a_task(receivers: usize) -> Scenario {
    let it = fan(format!("inside-fanout-{receivers}"), receivers);
    let it = rows!(it, tasks::fan_out_inside in Tokio, Value, Tidings TidingsBorrow Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture);
    it.row("floor", FLOOR, tasks::fan_out_inside_floor::<Tokio>)
        .beats("announcement", 1.0)
        .beats("tokio-broadcast", 1.0)
}

fn multishot() -> Scenario {
    let operation = "ten values one after the other, a channel each: open, spawn, announce, join";
    let it = waiting("vs-multishot", operation, 1, 10)
        .times(2)
        .sends("Arc<i32>");
    rows!(it, tasks::multishot in Tokio, Value, Tidings Announcement)
        .row(
            "tokio-broadcast",
            "one channel(10), one task",
            tasks::multishot_ring::<Tokio, Value>,
        )
        .row(
            "floor",
            "ten tasks one after the other, no channel",
            tasks::multishot_floor::<Tokio>,
        )
        .beats("announcement", 1.0)
}

macro_rules! after_a_pause {
    ($name:ident, $title:literal, $value:ty) => {
        fn $name(receivers: usize) -> Scenario {
            let operation = "open, spawn a task a listener, 1 ms that is not in the time, announce, join all";
            let it = waiting(format!("{}-{receivers}", $title), operation, receivers, 4)
                .sends(stringify!($value))
                .rounds(40);
            rows!(it, tasks::after_a_pause in Tokio, $value, Tidings TidingsBorrow Announcement Broadcast SetOnce)
                .row("floor", FLOOR, tasks::after_a_pause_floor::<Tokio>)
                .beats("announcement", 1.0)
        }
    };
}

after_a_pause!(shutdown, "shutdown-async", Arc<()>);
after_a_pause!(settings, "config-async", Arc<Settings>);
after_a_pause!(event, "event-async", Arc<Event>);

macro_rules! at_once {
    ($name:ident, $title:literal, $value:ty) => {
        fn $name(receivers: usize) -> Scenario {
            let it = fan(format!("{}-{receivers}", $title), receivers).sends(stringify!($value));
            rows!(it, tasks::fan_out in Tokio, $value, Tidings TidingsBorrow Announcement Broadcast SetOnce)
                .row("floor", FLOOR, tasks::fan_out_floor::<Tokio>)
                .beats("announcement", 1.0)
        }
    };
}

at_once!(response, "request-response-async", Arc<Response>);
at_once!(pool, "lazy-initialization-async", Arc<Pool>);
