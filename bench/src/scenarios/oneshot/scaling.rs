//! The same with 0 to 100 000 listeners, of which nobody waits: `Arc<i32>`, everything made and dropped in the time.

use std::sync::Arc;

use super::rows::{operations, scenario};
use crate::engines::oneshot::{
    Announcement, AsyncBroadcast, Broadcast, SetOnce, Tidings, TidingsBorrow, TidingsBulk, Watch,
};
use crate::scenario::Scenario;
use crate::work::oneshot::{alone, crowd, single};

type Value = Arc<i32>;

pub fn scenarios() -> Vec<Scenario> {
    let mut all: Vec<_> = [0, 1, 1000, 100_000].map(announce).into();
    all.extend([1, 1000, 100_000].map(retrieve));
    all.extend([1, 1000, 100_000].map(create));
    all.extend([0, 1, 1000, 100_000].map(announce_alone));
    all.extend(breakdown());
    all
}

/// 100 000 listeners make a long turn.
fn sized(name: String, operation: &'static str, receivers: usize) -> Scenario {
    let it = scenario(name, operation, receivers, operations(receivers, 20_000)).sends("Arc<i32>");
    if receivers > 10_000 {
        it.rounds(20)
    } else {
        it
    }
}

/// The rows named in the targets; the others are printed.
fn judged(it: Scenario, receivers: usize) -> Scenario {
    if receivers == 0 {
        it
    } else {
        it.beats("announcement", 0.65)
    }
}

fn announce(receivers: usize) -> Scenario {
    let operation = "open, make all listeners, announce, drop all";
    let it = sized(
        format!("announce-linearity-{receivers}"),
        operation,
        receivers,
    );
    let it = rows!(it, crowd::announce, Value, Tidings TidingsBulk Announcement Broadcast Watch SetOnce AsyncBroadcast);
    judged(it, receivers)
}

fn retrieve(receivers: usize) -> Scenario {
    let operation = "open, make all listeners, announce, each reads, drop all";
    let it = sized(
        format!("retrieval-linearity-{receivers}"),
        operation,
        receivers,
    );
    let it = rows!(it, crowd::read, Value, Tidings TidingsBorrow TidingsBulk Announcement Broadcast Watch SetOnce AsyncBroadcast);
    judged(it, receivers)
}

fn create(receivers: usize) -> Scenario {
    let operation = "open, make all listeners, drop all";
    let it = sized(
        format!("creation-linearity-{receivers}"),
        operation,
        receivers,
    );
    let it = rows!(it, crowd::create, Value, Tidings TidingsBulk Announcement Broadcast Watch SetOnce AsyncBroadcast);
    judged(it, receivers)
}

/// The announcement costs the same however many do not wait.
fn announce_alone(receivers: usize) -> Scenario {
    let operation = "announce; listeners are there, nobody waits, nothing else in the time";
    let count = if receivers > 10_000 {
        2
    } else {
        4000 / (receivers as u64 + 1).min(1000)
    };
    let it = scenario(
        format!("announce-alone-{receivers}"),
        operation,
        receivers,
        count,
    )
    .sends("i32");
    let it = if receivers > 10_000 {
        it.rounds(20)
    } else {
        it
    };
    rows!(it, alone::announce, i32, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast)
}

fn breakdown() -> [Scenario; 4] {
    let step = |name, operation| scenario(name, operation, 1, 10_000).sends("Arc<i32>");
    let create = step("breakdown-create", "open, drop all");
    let announce = step("breakdown-announce", "open, announce, drop all");
    let listener = step(
        "breakdown-listener",
        "open, one listener, announce, drop all",
    );
    let read = step(
        "breakdown-read",
        "open, one listener, announce, read, drop all",
    );
    [
        rows!(create, single::create, Value, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast),
        rows!(announce, single::announce, Value, Tidings Announcement Watch SetOnce),
        rows!(listener, single::announce_to_one, Value, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast),
        rows!(read, single::read_by_one, Value, Tidings TidingsBorrow Announcement Broadcast Watch SetOnce AsyncBroadcast),
    ]
}
