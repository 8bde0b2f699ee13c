//! Waking everybody who waits, in a runtime: how long the announcer takes, and when the first, the middle and the last
//! task has the value. Every task has been polled and was pending before, which is counted, and the workers sleep.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use super::{digest, each, first};
use crate::clock::{Clock, Spent};
use crate::engine::oneshot::Await;
use crate::engine::runtime::Runtime;
use crate::round::{Round, verify};
use crate::scenario::Plan;
use crate::sys::{ticks, ticks_per_ns};
use crate::value::Value;

/// Time stamps of one announcement, as distances from its begin.
#[derive(Clone, Copy, Default)]
struct Times {
    announcer: u64,
    first: u64,
    middle: u64,
    last: u64,
}

/// Announced by the thread in `block_on`.
pub fn from_outside<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (operations, count, number) = (plan.operations, plan.receivers, first(plan));
    let clock = Clock::start();
    let result = R::block_on(turn::<R, E, T>(operations, count, number));
    round::<T>(plan, result, clock)
}

/// Announced by a task.
pub fn from_inside<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (operations, count, number) = (plan.operations, plan.receivers, first(plan));
    let clock = Clock::start();
    let result =
        R::block_on(async move { R::spawn(turn::<R, E, T>(operations, count, number)).await });
    round::<T>(plan, result, clock)
}

fn round<T: Value>(plan: &Plan, result: (Times, u64), clock: Clock) -> Result<Round, String> {
    let (times, sum) = result;
    let right = T::expected(first(plan)).wrapping_mul(plan.receivers as u64 * plan.operations);
    verify("checksum of what was heard", sum, right)?;
    let time = |ticks: u64| Duration::from_nanos((ticks as f64 / ticks_per_ns()) as u64);
    let spent = Spent {
        wall: time(times.last),
        usage: clock.stop().usage,
    };
    let mut round = Round::new(spent, plan.operations);
    // That of the whole turn, most of which is not in the wall time.
    (round.cores, round.cpu_ns) = (0.0, 0.0);
    Ok(round
        .with("announcer ns", each(time(times.announcer), plan.operations))
        .with("first ns", each(time(times.first), plan.operations))
        .with("middle ns", each(time(times.middle), plan.operations)))
}

/// So many announcements; the times of all are summed.
async fn turn<R: Runtime, E: Await<T>, T: Value>(
    operations: u64,
    count: usize,
    number: u64,
) -> (Times, u64) {
    let (mut all, mut sum) = (Times::default(), 0u64);
    // The first one warms up.
    for operation in 0..=operations {
        let (times, heard) = once::<R, E, T>(count, number).await;
        if operation > 0 {
            all.announcer += times.announcer;
            all.first += times.first;
            all.middle += times.middle;
            all.last += times.last;
            sum = sum.wrapping_add(heard);
        }
    }
    (all, sum)
}

async fn once<R: Runtime, E: Await<T>, T: Value>(count: usize, number: u64) -> (Times, u64) {
    let (mut announcer, source) = E::open();
    let registered = Arc::new(AtomicU64::new(0));
    let mut tasks = Vec::with_capacity(count);
    for _ in 0..count {
        let listener = E::listener(&mut announcer, &source);
        tasks.push(R::spawn(noting::<E, T>(listener, Arc::clone(&registered))));
    }
    // The pause also lets the workers come to rest, as they are when an announcement is rare.
    R::pause().await;
    while registered.load(Ordering::Acquire) < count as u64 {
        R::pause().await;
    }
    let begin = ticks();
    let rest = E::announce(announcer, T::make(number));
    let announced = ticks();
    let (mut stamps, mut sum) = (Vec::with_capacity(count), 0u64);
    for task in tasks {
        let (stamp, heard) = task.await;
        stamps.push(stamp.saturating_sub(begin));
        sum = sum.wrapping_add(heard);
    }
    stamps.sort_unstable();
    drop((rest, source));
    let times = Times {
        announcer: announced - begin,
        first: stamps[0],
        middle: stamps[count / 2],
        last: stamps[count - 1],
    };
    (times, sum)
}

/// Hears, and notes when; counts itself when its first poll was pending.
async fn noting<E: Await<T>, T: Value>(
    mut listener: E::Listener,
    registered: Arc<AtomicU64>,
) -> (u64, u64) {
    let mut wait = pin!(E::wait(&mut listener));
    let mut counted = false;
    std::future::poll_fn(|context| match wait.as_mut().poll(context) {
        Poll::Ready(heard) => Poll::Ready((ticks(), digest::<T>(&heard))),
        Poll::Pending => {
            if !counted {
                counted = true;
                registered.fetch_add(1, Ordering::AcqRel);
            }
            Poll::Pending
        }
    })
    .await
}
