//! Many publishers. `LossyMany` is the plain call of a lossy ring, `ManyBy` of a lossless one with a strategy by number,
//! `ManyBatched` the same read in batches, as `Batched` is beside `LosslessBy`.

use tidings::ring::{
    Builder, Contract, Gating, Lossy as Taps, MpPublisher, Subscriber, channel_mpmc,
};

use super::strategy::{InBatches, STRATEGIES};
use crate::engine::ring::{Engine, Publish, PublishBatch};
use crate::message::Plain;

impl<T: Plain, C: Contract> Publish<T> for MpPublisher<T, C> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        MpPublisher::publish(self, *message);
    }
}

impl<T: Plain, C: Contract> PublishBatch<T> for MpPublisher<T, C> {
    #[inline(always)]
    fn publish_batch(&mut self, messages: &[T]) {
        MpPublisher::publish_batch(self, messages);
    }
}

/// `channel_mpmc`: a slow subscriber is overtaken.
pub struct LossyMany;

impl<T: Plain> Engine<T> for LossyMany {
    type Publisher = MpPublisher<T, Taps>;
    type Subscriber = Subscriber<T, Taps>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribable) = channel_mpmc(capacity);
        (
            publisher,
            (0..subscribers).map(|_| subscribable.subscribe()).collect(),
        )
    }
}

/// `channel_mpmc_bounded` with watermark 0 and a strategy: a slow subscriber holds the publishers back.
pub struct ManyBy<const STRATEGY: usize>;

impl<T: Plain, const S: usize> Engine<T> for ManyBy<S> {
    type Publisher = MpPublisher<T, Gating>;
    type Subscriber = Subscriber<T, Gating>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let builder = Builder::new(capacity).wait(STRATEGIES[S]);
        let (publisher, subscribable) = builder.gating_mpmc().expect("a capacity that exists");
        (
            publisher,
            (0..subscribers).map(|_| subscribable.subscribe()).collect(),
        )
    }
}

/// `ManyBy`, read in batches.
pub struct ManyBatched<const STRATEGY: usize>;

impl<T: Plain, const S: usize> Engine<T> for ManyBatched<S> {
    type Publisher = MpPublisher<T, Gating>;
    type Subscriber = InBatches<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = <ManyBy<S> as Engine<T>>::open(capacity, subscribers);
        (publisher, subscribers.into_iter().map(InBatches).collect())
    }
}
