//! Workloads: loops that are generic over the engine, so that every engine runs the same one.

pub mod event;
pub mod fan_out;
pub mod idle;
pub mod live;
pub mod market;
pub mod one_way;
pub mod same_thread;
pub mod steady;

use std::time::{Duration, Instant};

use crate::engine::{Publish, Sink};
use crate::message::{Message, Source, expected};
use crate::round::verify;
use crate::scenario::Plan;

/// Messages that pass before the clock starts: they touch every slot and bring every thread to life.
fn warm_up(capacity: usize) -> u64 {
    (capacity as u64 + capacity as u64 / 2).min(20_000)
}

/// One publisher's stream, and what has gone out so far.
struct Stream<T: Message> {
    source: T::Source,
    seed: u64,
    sent: u64,
    summed: u64,
}

impl<T: Message> Stream<T> {
    fn new(seed: u64) -> Self {
        Self {
            source: T::Source::new(seed),
            seed,
            sent: 0,
            summed: 0,
        }
    }

    /// Publishes `count` messages.
    fn pour(&mut self, publisher: &mut impl Publish<T>, count: u64) {
        for _ in 0..count {
            self.source.next(|message| publisher.publish(message));
        }
        self.sent += count;
    }

    /// Publishes up to the plan's operations, but stops after its seconds; returns how many went out.
    /// The clock is read once in 256 messages.
    fn pour_plan(&mut self, publisher: &mut impl Publish<T>, plan: &Plan) -> u64 {
        let (begin, limit) = (Instant::now(), Duration::from_secs(plan.seconds));
        let mut left = plan.operations;
        while left > 0 && begin.elapsed() < limit {
            let now = left.min(256);
            self.pour(publisher, now);
            left -= now;
        }
        plan.operations - left
    }

    /// The checksum of what has gone out since the last call.
    fn sum(&mut self) -> u64 {
        let all = expected::<T>(self.seed, self.sent);
        let new = all.wrapping_sub(self.summed);
        self.summed = all;
        new
    }
}

/// Counts and sums.
#[derive(Default)]
struct Tally {
    received: u64,
    sum: u64,
}

impl<T: Message> Sink<T> for Tally {
    #[inline(always)]
    fn message(&mut self, message: &T) {
        self.received += 1;
        self.sum = self.sum.wrapping_add(message.digest());
    }

    fn skipped(&mut self, _skipped: u64) {}
}

impl Tally {
    /// Fails unless it is `times` × the first `count` messages of the round.
    fn check<T: Message>(&self, plan: &Plan, count: u64, times: u64) -> Result<(), String> {
        verify("received", self.received, count * times)?;
        verify(
            "checksum",
            self.sum,
            expected::<T>(plan.seed, count).wrapping_mul(times),
        )
    }
}
