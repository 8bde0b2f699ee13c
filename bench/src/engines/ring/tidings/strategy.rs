//! Lossless with a waiting strategy, so that spinning is compared with spinning; the number behind a type is the strategy.
//!
//! `Batched` reads what is there in place and gives the slots back together, which is how the disruptor hands out events.

use tidings::ring::{Builder, Gating, Publisher, Subscriber, WaitStrategy};

use crate::engine::ring::{Engine, Sink, Subscribe};
use crate::message::Plain;

/// The strategies by number, so that a type can name one.
pub(super) const STRATEGIES: [WaitStrategy; 2] = [WaitStrategy::ADAPTIVE, WaitStrategy::BusySpin];
/// The default strategy: spin, yield, sleep.
pub const DEFAULT: usize = 0;
/// Spins and never gives the core away.
pub const SPIN: usize = 1;

fn lossless<T: Plain>(
    capacity: usize,
    subscribers: usize,
    strategy: usize,
) -> (Publisher<T, Gating>, Vec<Subscriber<T, Gating>>) {
    let builder = Builder::new(capacity).wait(STRATEGIES[strategy]);
    let (publisher, subscribable) = builder.gating::<T>().expect("a capacity that exists");
    (
        publisher,
        (0..subscribers).map(|_| subscribable.subscribe()).collect(),
    )
}

/// `Lossless` with a strategy.
pub struct LosslessBy<const STRATEGY: usize>;

impl<const S: usize> Engine<u64> for LosslessBy<S> {
    type Publisher = Publisher<u64, Gating>;
    type Subscriber = Subscriber<u64, Gating>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        lossless(capacity, subscribers, S)
    }
}

/// At most so many messages are read before their slots are given back.
const BATCH: usize = 1024;

/// A gating subscriber that reads in place, in batches.
pub struct InBatches<T: Plain>(pub(super) Subscriber<T, Gating>);

impl<T: Plain> Subscribe<T> for InBatches<T> {
    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        if self.0.read_batch(BATCH, |message, _| sink.message(message)) == 0 {
            self.0.wait();
        }
    }

    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        self.0.read_batch(BATCH, |message, _| sink.message(message));
    }
}

/// `Lossless`, read in batches, with a strategy.
pub struct Batched<const STRATEGY: usize>;

impl<T: Plain, const S: usize> Engine<T> for Batched<S> {
    type Publisher = Publisher<T, Gating>;
    type Subscriber = InBatches<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = lossless(capacity, subscribers, S);
        (publisher, subscribers.into_iter().map(InBatches).collect())
    }
}
