//! What is done with a channel that says one value once.
//!
//! Every workload proves itself: each listener notes a number of the value it got (`Value::digest`), values differ from
//! one announcement to the next, and the sum must be what was announced.

pub mod alone;
pub mod churn;
pub mod crowd;
pub mod select;
pub mod single;
pub mod tasks;
pub mod threads;
pub mod wake;
pub mod wake_tasks;

use std::hint::black_box;
use std::time::Duration;

use crate::clock::{Clock, Spent};
use crate::engine::oneshot::{Await, Heard, Once};
use crate::round::{Round, verify};
use crate::scenario::Plan;
use crate::sys::alloc;
use crate::value::Value;

/// The number of the round's first value.
fn first(plan: &Plan) -> u64 {
    black_box(plan.seed << 16)
}

/// Announcers and sources of so many channels, and all their listeners, `count` a channel.
#[expect(clippy::type_complexity, reason = "three lists, taken apart at once")]
fn open_many<E: Once<T>, T>(
    channels: usize,
    count: usize,
) -> (Vec<E::Announcer>, Vec<E::Source>, Vec<E::Listener>) {
    let mut listeners = Vec::with_capacity(channels * count);
    let mut announcers = Vec::with_capacity(channels);
    let mut sources = Vec::with_capacity(channels);
    for _ in 0..channels {
        let (mut announcer, source) = E::open();
        E::listeners(&mut announcer, &source, count, &mut listeners);
        announcers.push(announcer);
        sources.push(source);
    }
    (announcers, sources, listeners)
}

/// Operations before the clock starts: they touch the memory that the allocator will hand out again.
fn warm_up(plan: &Plan) -> u64 {
    (plan.operations / 8).clamp(1, 100)
}

/// Takes the time of the plan's operations on this thread, and counts what they allocate.
///
/// `operation` gets the number of a value and returns the sum of what was heard, which must be `expected`.
#[inline(always)]
fn measure(
    plan: &Plan,
    expected: impl Fn(u64) -> u64,
    mut operation: impl FnMut(u64) -> u64,
) -> Result<Round, String> {
    let from = first(plan);
    for number in from..from + warm_up(plan) {
        black_box(operation(number));
    }
    let before = alloc::tally();
    let clock = Clock::start();
    let mut sum = 0u64;
    for number in from..from + plan.operations {
        sum = sum.wrapping_add(operation(number));
    }
    let spent = clock.stop();
    let after = alloc::tally();
    check_sum(plan, sum, expected)?;
    let per = |count: u64| count as f64 / plan.operations as f64;
    Ok(Round::new(spent, plan.operations)
        .with("allocations", per(after.calls - before.calls))
        .with("bytes", per(after.bytes - before.bytes)))
}

/// Fails unless the sum over all operations is what was announced.
fn check_sum(plan: &Plan, sum: u64, expected: impl Fn(u64) -> u64) -> Result<(), String> {
    let from = first(plan);
    let right = (from..from + plan.operations)
        .map(expected)
        .fold(0, u64::wrapping_add);
    verify("checksum of what was heard", sum, right)
}

/// One listener, awaited to the end.
pub async fn hear<E: Await<T>, T: Value>(mut listener: E::Listener) -> u64 {
    digest(&E::wait(&mut listener).await)
}

/// What a listener notes of what it heard.
#[inline(always)]
fn digest<T: Value>(heard: &impl Heard<T>) -> u64 {
    heard.heard().map_or(u64::MAX, Value::digest)
}

/// Turns of which only parts count. Their processor time is left out: asking for it takes longer than most of them.
#[derive(Default)]
struct Parts {
    spent: Spent,
}

impl Parts {
    /// One more part.
    fn add(&mut self, part: Spent) {
        self.spent.wall += part.wall;
        self.spent.usage.voluntary += part.usage.voluntary;
        self.spent.usage.involuntary += part.usage.involuntary;
    }
}

/// Nanoseconds for each of so many.
fn each(total: Duration, count: u64) -> f64 {
    total.as_nanos() as f64 / count.max(1) as f64
}
