//! tidings itself.
//!
//! `Lossy` and `Lossless` are the plain calls, one message at a time, with the default way of waiting; the files beside
//! this one hold the other forms.

mod event;
mod graph;
mod managed;
mod many;
mod reference;
mod strategy;
mod tasks;
mod values;

use tidings::ring::{
    Contract, Gating, Lossy as Taps, Publisher, RecvError, Subscriber, TryRecvError, channel,
    channel_bounded,
};

use crate::engine::ring::{
    AwaitEach, AwaitRoom, Batch, Engine, Latest, Publish, PublishBatch, Sink, Subscribe, Unheard,
};
use crate::message::Plain;

pub use event::Event;
pub use graph::{Lined, OneRing};
pub use managed::{Consumers, ConsumersOfMany};
pub use many::{LossyMany, ManyBatched, ManyBy};
pub use reference::ByReference;
pub use strategy::{Batched, DEFAULT, LosslessBy, SPIN};
pub use tasks::TaskBatches;
pub use values::{Values, ValuesLent};

/// The number of spin tokens is asked of the system once, by the first who waits. That must not be a thread which the
/// harness has pinned to one core, so it is asked before.
pub fn prepare() {
    let _ = tidings::wait::SpinToken::limit();
}

impl<T: Plain, C: Contract> Publish<T> for Publisher<T, C> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        Publisher::publish(self, *message);
    }
}

impl<T: Plain, C: Contract> PublishBatch<T> for Publisher<T, C> {
    #[inline(always)]
    fn publish_batch(&mut self, messages: &[T]) {
        Publisher::publish_batch(self, messages);
    }
}

impl<T: Plain, C: Contract> AwaitRoom<T> for Publisher<T, C> {
    async fn publish_async(&mut self, message: &T) {
        Publisher::publish_async(self, *message).await;
    }
}

impl<T: Plain, C: Contract> Subscribe<T> for Subscriber<T, C> {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        match &self.try_recv() {
            Ok(message) => sink.message(message),
            Err(TryRecvError::Lagged { skipped }) => sink.skipped(*skipped),
            Err(TryRecvError::Empty | TryRecvError::Closed) => {}
        }
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        let before = self.total_lagged();
        let received = self.recv();
        hand_over(self, before, received, sink);
    }
}

impl<T: Plain, C: Contract> AwaitEach<T> for Subscriber<T, C> {
    async fn next(&mut self, sink: &mut (impl Sink<T> + Send)) {
        let before = self.total_lagged();
        let received = self.recv_async().await;
        hand_over(self, before, received, sink);
    }
}

/// Hands over what a waiting call gave; what it passed over is read from the counter.
#[inline(always)]
fn hand_over<T: Plain, C: Contract>(
    subscriber: &Subscriber<T, C>,
    lagged_before: u64,
    received: Result<T, RecvError>,
    sink: &mut impl Sink<T>,
) {
    let message = received.expect("the publisher went before the last message");
    let skipped = subscriber.total_lagged() - lagged_before;
    if skipped > 0 {
        sink.skipped(skipped);
    }
    sink.message(&message);
}

/// `channel`: a slow subscriber is overtaken.
pub struct Lossy;

impl<T: Plain> Engine<T> for Lossy {
    type Publisher = Publisher<T, Taps>;
    type Subscriber = Subscriber<T, Taps>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribable) = channel(capacity);
        (
            publisher,
            (0..subscribers).map(|_| subscribable.subscribe()).collect(),
        )
    }
}

impl Unheard<u64> for Lossy {
    type Publisher = Publisher<u64, Taps>;
    type Subscriber = Subscriber<u64, Taps>;

    fn open(capacity: usize) -> (Self::Publisher, impl FnOnce() -> Self::Subscriber) {
        let (publisher, subscribable) = channel(capacity);
        (publisher, move || subscribable.subscribe_from_oldest())
    }
}

impl Latest<u64> for Lossy {
    #[inline(always)]
    fn latest(subscriber: &mut Subscriber<u64, Taps>) -> Option<u64> {
        subscriber.latest()
    }
}

impl Batch<u64> for Lossy {
    #[inline(always)]
    fn drain(subscriber: &mut Subscriber<u64, Taps>, each: impl FnMut(u64)) {
        subscriber.drain().for_each(each);
    }

    #[inline(always)]
    fn recv_batch(subscriber: &mut Subscriber<u64, Taps>, into: &mut [u64]) -> usize {
        subscriber.recv_batch(into)
    }
}

/// `channel_bounded` with watermark 0: a slow subscriber holds the publisher back.
pub struct Lossless;

impl<T: Plain> Engine<T> for Lossless {
    type Publisher = Publisher<T, Gating>;
    type Subscriber = Subscriber<T, Gating>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribable) = channel_bounded(capacity, 0);
        (
            publisher,
            (0..subscribers).map(|_| subscribable.subscribe()).collect(),
        )
    }
}
