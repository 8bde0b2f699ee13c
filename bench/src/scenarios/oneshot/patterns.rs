//! Uses: a shutdown, settings, an event, an answer that several wait for, something made late. One thread; the same
//! with tasks is in `async_tasks`.

use std::sync::Arc;

use super::rows::{operations, scenario};
use crate::engines::oneshot::{
    Announcement, AsyncBroadcast, Broadcast, SetOnce, Tidings, TidingsBorrow, Watch,
};
use crate::scenario::Scenario;
use crate::value::{Event, Pool, Response, Settings};
use crate::work::oneshot::crowd;

const OPERATION: &str = "open, make all listeners, announce, each reads, drop all";

pub fn scenarios() -> Vec<Scenario> {
    let mut all: Vec<_> = [10, 100, 1000, 10_000].map(shutdown).into();
    all.extend([10, 100].map(settings));
    all.extend([10, 100, 1000].map(event));
    all.extend([2, 5, 10, 50, 100].map(response));
    all.extend([10, 100].map(pool));
    all.extend([5, 10, 25].map(barrier));
    all
}

macro_rules! pattern {
    ($name:ident, $title:literal, $value:ty) => {
        fn $name(receivers: usize) -> Scenario {
            let it = scenario(format!("{}-{receivers}", $title), OPERATION, receivers, operations(receivers, 20_000))
                .sends(stringify!($value));
            rows!(it, crowd::read, $value, Tidings TidingsBorrow Announcement Broadcast Watch SetOnce AsyncBroadcast)
                .beats("announcement", 0.75)
        }
    };
}

pattern!(shutdown, "shutdown-signal", Arc<()>);
pattern!(settings, "config-broadcast", Arc<Settings>);
pattern!(event, "event-fanout", Arc<Event>);
pattern!(response, "request-response", Arc<Response>);
pattern!(pool, "lazy-initialization", Arc<Pool>);

fn barrier(receivers: usize) -> Scenario {
    let operation = "N channels, N listeners each: open, announce all, all read, drop all";
    let count = operations(receivers * receivers, 20_000);
    let it =
        scenario(format!("barrier-{receivers}"), operation, receivers, count).sends("Arc<i32>");
    rows!(it, crowd::square, Arc<i32>, Tidings Announcement Broadcast Watch SetOnce AsyncBroadcast)
        .beats("announcement", 0.75)
}
