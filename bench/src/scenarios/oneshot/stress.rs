//! Many channels, many listeners, `Arc<i32>`, one thread. Nothing triggers anything: the names are those of the
//! benchmarks that these re-create.

use std::sync::Arc;

use super::rows::{operations, scenario};
use crate::engines::oneshot::{Announcement, AsyncBroadcast, Broadcast, SetOnce, Tidings, Watch};
use crate::scenario::Scenario;
use crate::work::oneshot::crowd;

type Value = Arc<i32>;

pub fn scenarios() -> Vec<Scenario> {
    let mut all = vec![million(), ten_thousand()];
    all.extend([10, 100, 500].map(connected));
    all.extend([10, 100, 500].map(chain));
    all.extend([2, 5, 10, 50].map(tree));
    all
}

fn million() -> Scenario {
    let operation =
        "10 000 channels, 10 listeners each: open, announce all, 1 in 1000 reads, drop all";
    let it = scenario("million-scale", operation, 10_000, 1)
        .sends("Arc<i32>")
        .among("channels")
        .rounds(20);
    rows!(it, crowd::tens, Value, Tidings Announcement Watch SetOnce).beats("announcement", 0.75)
}

fn ten_thousand() -> Scenario {
    let operation = "one channel: open, make all listeners, announce, 1 in 1000 reads, drop all";
    let it = scenario("one-to-ten-thousand", operation, 10_000, 10).sends("Arc<i32>");
    rows!(it, crowd::glance, Value, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast)
        .beats("announcement", 0.75)
}

fn connected(receivers: usize) -> Scenario {
    let operation = "N channels, N listeners each: open, announce all, all read, drop all";
    let count = operations(receivers * receivers, 50_000);
    let it = scenario(
        format!("fully-connected-{receivers}"),
        operation,
        receivers,
        count,
    )
    .sends("Arc<i32>");
    let it = if receivers > 100 { it.rounds(20) } else { it };
    rows!(it, crowd::square, Value, Tidings Announcement SetOnce).beats("announcement", 0.75)
}

fn chain(receivers: usize) -> Scenario {
    let operation = "N channels, a listener on all but one: open, announce all, all read, drop all";
    let it = scenario(
        format!("cascade-chain-{receivers}"),
        operation,
        receivers,
        operations(receivers, 10_000),
    )
    .sends("Arc<i32>")
    .among("channels");
    rows!(it, crowd::chain, Value, Tidings Announcement Watch SetOnce).beats("announcement", 0.75)
}

fn tree(receivers: usize) -> Scenario {
    let operation =
        "a root and N channels with a listener each: open, announce all, all read, drop all";
    let it = scenario(
        format!("cascade-tree-{receivers}"),
        operation,
        receivers,
        operations(receivers, 10_000),
    )
    .sends("Arc<i32>")
    .among("leaves");
    rows!(it, crowd::tree, Value, Tidings Announcement Watch SetOnce).beats("announcement", 0.75)
}
