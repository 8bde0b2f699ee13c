//! What each call costs: one channel, at most one listener, an `i32`.

use super::rows::scenario;
use crate::engines::oneshot::{
    Announcement, AsyncBroadcast, Broadcast, Cancellation, SetOnce, SharedFuture, Tidings,
    TidingsBorrow, Triggered, Watch,
};
use crate::scenario::Scenario;
use crate::work::oneshot::{churn, single};

pub fn scenarios() -> Vec<Scenario> {
    let mut all = vec![channel(), listener(), unheard(), hit(), miss()];
    all.extend(asked());
    all.extend([churned(), churned_signal()]);
    all
}

fn channel() -> Scenario {
    let it = scenario("channel-creation", "open, drop both ends", 0, 10_000).sends("i32");
    rows!(it, single::create, i32, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .beats("announcement", 0.5)
        .counts("tidings", "allocations", 1.0)
}

fn listener() -> Scenario {
    let it = scenario(
        "listener-creation",
        "one listener made and dropped",
        1,
        50_000,
    )
    .sends("i32");
    rows!(it, single::listener, i32, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .beats("announcement", 0.65)
        .counts("tidings", "allocations", 0.0)
        .counts("tidings", "bytes per handle", 8.0)
}

fn unheard() -> Scenario {
    let operation = "open, drop what hands out listeners, announce, drop";
    let it = scenario("announce-no-listeners", operation, 0, 10_000).sends("i32");
    rows!(it, single::unheard, i32, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .beats("announcement", 0.5)
        .counts("tidings", "allocations", 1.0)
}

fn hit() -> Scenario {
    let it = scenario(
        "try-listen-hit",
        "look at the value, which is there",
        1,
        300_000,
    )
    .sends("i32");
    rows!(it, single::hit, i32, Tidings TidingsBorrow Announcement Watch SetOnce)
        .beats("announcement", 1.05)
}

fn miss() -> Scenario {
    let it = scenario(
        "try-listen-miss",
        "look for the value, which is not there",
        1,
        300_000,
    )
    .sends("i32");
    rows!(it, single::miss, i32, Tidings TidingsBorrow Announcement Broadcast Watch SetOnce AsyncBroadcast)
        .beats("announcement", 1.05)
}

fn asked() -> Vec<Scenario> {
    let ask = |name, operation| scenario(name, operation, 1, 300_000).sends("i32");
    let before = ask("is-announced-before", "is_announced, and it is not");
    let after = ask("is-announced-after", "is_announced, and it is");
    let alive = ask("is-closed-alive", "is_closed, and it is not");
    let dropped = ask("is-closed-dropped", "is_closed, and it is");
    let all = [
        rows!(before, single::before, i32, Tidings Announcement SetOnce),
        rows!(after, single::after, i32, Tidings Announcement SetOnce),
        rows!(alive, single::alive, i32, Tidings Announcement Broadcast Watch AsyncBroadcast),
        rows!(dropped, single::dropped, i32, Tidings Announcement Broadcast Watch AsyncBroadcast),
    ];
    let mut all: Vec<_> = all.map(|it| it.beats("announcement", 1.05)).into();
    let signal = ask("is-announced-signal", "has the signal come, and it has not").sends("()");
    let signal =
        rows!(signal, single::before, (), Tidings Announcement SetOnce Cancellation Triggered);
    all.push(signal);
    all
}

fn churned() -> Scenario {
    let operation = "clone a listener, poll a wait of it once, drop both";
    let it = scenario("listener-churn", operation, 1, 20_000).sends("i32");
    rows!(it, churn::churn, i32, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast SharedFuture)
        .beats("announcement", 0.65)
        .counts("tidings", "allocations", 0.0)
}

fn churned_signal() -> Scenario {
    let operation = "clone a listener, poll a wait of it once, drop both";
    let it = scenario("listener-churn-signal", operation, 1, 20_000).sends("()");
    rows!(it, churn::churn, (), Tidings Announcement SetOnce Cancellation Triggered).counts(
        "tidings",
        "allocations",
        0.0,
    )
}
