//! What is done with a ring.

pub mod event;
pub mod fan_out;
pub mod graph;
pub mod idle;
pub mod live;
pub mod many;
pub mod market;
pub mod one_way;
pub mod same_thread;
pub mod steady;
pub mod tasks;

use std::time::{Duration, Instant};

use crate::engine::ring::{AwaitRoom, Publish, Sink, Subscribe};
use crate::message::{Message, Source, expected};
use crate::round::verify;
use crate::scenario::Plan;

/// Messages that pass before the clock starts: they touch every slot and bring every thread to life.
fn warm_up(capacity: usize) -> u64 {
    (capacity as u64 + capacity as u64 / 2).min(20_000)
}

/// The clock is read after so many messages, where it is read in between.
const CHUNK: u64 = 256;

/// One publisher's stream, and what has gone out so far.
struct Stream<T: Message> {
    /// Always there but while it is being poured from.
    source: Option<T::Source>,
    seed: u64,
    sent: u64,
    summed: u64,
}

impl<T: Message> Stream<T> {
    fn new(seed: u64) -> Self {
        Self {
            source: Some(T::Source::new(seed)),
            seed,
            sent: 0,
            summed: 0,
        }
    }

    /// Publishes `count` messages.
    #[inline(always)]
    fn pour(&mut self, publisher: &mut impl Publish<T>, count: u64) {
        // A local, so that it lives in registers.
        if let Some(mut source) = self.source.take() {
            for _ in 0..count {
                publisher.publish(source.next());
            }
            self.source = Some(source);
        }
        self.sent += count;
    }

    /// Publishes `count` messages from a task.
    async fn pour_async(&mut self, publisher: &mut impl AwaitRoom<T>, count: u64) {
        if let Some(mut source) = self.source.take() {
            for _ in 0..count {
                let message = source.next().clone();
                publisher.publish_async(&message).await;
            }
            self.source = Some(source);
        }
        self.sent += count;
    }

    /// Publishes up to the plan's operations, but stops after its seconds; returns how many went out.
    /// The clock is read once in `CHUNK` messages.
    fn pour_plan(&mut self, publisher: &mut impl Publish<T>, plan: &Plan) -> u64 {
        let (begin, limit) = (Instant::now(), Duration::from_secs(plan.seconds));
        let mut left = plan.operations;
        while left > 0 && begin.elapsed() < limit {
            let now = left.min(CHUNK);
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
    /// Both together.
    fn and(self, other: Self) -> Self {
        Self {
            received: self.received + other.received,
            sum: self.sum.wrapping_add(other.sum),
        }
    }

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

/// Publishes so many messages; after each the subscriber takes what is there.
///
/// Source and tally are values of this function, so they live in registers: a count kept in memory would itself cost
/// more per message than a ring does.
#[inline(always)]
fn one_each<T: Message>(
    publisher: &mut impl Publish<T>,
    subscriber: &mut impl Subscribe<T>,
    mut source: T::Source,
    count: u64,
) -> (T::Source, Tally) {
    let mut tally = Tally::default();
    for _ in 0..count {
        publisher.publish(source.next());
        subscriber.sweep(&mut tally);
    }
    (source, tally)
}

/// The same with several subscribers.
#[inline(always)]
fn each_of_many<T: Message>(
    publisher: &mut impl Publish<T>,
    subscribers: &mut [impl Subscribe<T>],
    mut source: T::Source,
    count: u64,
) -> (T::Source, Tally) {
    let mut tally = Tally::default();
    for _ in 0..count {
        publisher.publish(source.next());
        for subscriber in &mut *subscribers {
            subscriber.sweep(&mut tally);
        }
    }
    (source, tally)
}
