//! photon-ring 3.0.0, default features (word-wise atomic slots).
//!
//! Its blocking calls spin and never give the core away; `Yielding` therefore also runs it through its `try_` calls
//! with the harness yielding to the scheduler, which is more than its own strategies can do.

mod many;

use std::thread;

pub use many::LossyMany;
use photon_ring::{
    EventPublisher, EventSubscriber, PublishError, Publisher, Subscriber, TryRecvError,
    WaitStrategy,
};
use photon_ring_async::AsyncSubscriber;

use crate::engine::ring::{
    AwaitEach, Batch, Edit, Engine, InPlace, Latest, Look, Publish, PublishBatch, Sink, Subscribe,
    Unheard,
};
use crate::message::Plain;

impl<T: Plain> Publish<T> for Publisher<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        Publisher::publish(self, *message);
    }
}

/// One `try_recv`.
#[inline(always)]
fn sweep<T: Plain>(subscriber: &mut Subscriber<T>, sink: &mut impl Sink<T>) {
    match &subscriber.try_recv() {
        Ok(message) => sink.message(message),
        Err(TryRecvError::Empty) => {}
        Err(TryRecvError::Lagged { skipped }) => sink.skipped(*skipped),
    }
}

impl<T: Plain> Subscribe<T> for Subscriber<T> {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        sweep(self, sink);
    }

    /// `recv` spins first bare, then with pauses; the losses that it swallows are read from its counter.
    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        let before = self.total_lagged();
        let message = self.recv();
        let skipped = self.total_lagged() - before;
        if skipped > 0 {
            sink.skipped(skipped);
        }
        sink.message(&message);
    }
}

/// `channel`: a slow subscriber is overtaken.
pub struct Lossy;

impl<T: Plain> Engine<T> for Lossy {
    type Publisher = Publisher<T>;
    type Subscriber = Subscriber<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribable) = photon_ring::channel(capacity);
        (
            publisher,
            (0..subscribers).map(|_| subscribable.subscribe()).collect(),
        )
    }
}

/// `channel_bounded` with watermark 0: a slow subscriber holds the publisher back.
pub struct Lossless;

impl<T: Plain> Engine<T> for Lossless {
    type Publisher = Publisher<T>;
    type Subscriber = Subscriber<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribable) = photon_ring::channel_bounded(capacity, 0);
        (
            publisher,
            (0..subscribers).map(|_| subscribable.subscribe()).collect(),
        )
    }
}

impl Unheard<u64> for Lossy {
    type Publisher = Publisher<u64>;
    type Subscriber = Subscriber<u64>;

    fn open(capacity: usize) -> (Self::Publisher, impl FnOnce() -> Self::Subscriber) {
        let (publisher, subscribable) = photon_ring::channel(capacity);
        (publisher, move || subscribable.subscribe_from_oldest())
    }
}

impl Latest<u64> for Lossy {
    #[inline(always)]
    fn latest(subscriber: &mut Subscriber<u64>) -> Option<u64> {
        subscriber.latest()
    }
}

impl PublishBatch<u64> for Publisher<u64> {
    #[inline(always)]
    fn publish_batch(&mut self, messages: &[u64]) {
        Publisher::publish_batch(self, messages);
    }
}

impl Batch<u64> for Lossy {
    #[inline(always)]
    fn drain(subscriber: &mut Subscriber<u64>, each: impl FnMut(u64)) {
        subscriber.drain().for_each(each);
    }

    #[inline(always)]
    fn recv_batch(subscriber: &mut Subscriber<u64>, into: &mut [u64]) -> usize {
        subscriber.recv_batch(into)
    }
}

/// Messages that `Batched` copies out at a time.
const BATCH: usize = 64;

/// `Lossless` through `recv_batch`, spinning while there is nothing.
pub struct Batched;

/// A subscriber with a buffer.
pub struct BatchedSubscriber {
    subscriber: Subscriber<u64>,
    buffer: [u64; BATCH],
}

impl Subscribe<u64> for BatchedSubscriber {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<u64>) {
        let count = self.subscriber.recv_batch(&mut self.buffer);
        self.buffer[..count]
            .iter()
            .for_each(|message| sink.message(message));
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<u64>) {
        self.sweep(sink);
        std::hint::spin_loop();
    }
}

impl Engine<u64> for Batched {
    type Publisher = Publisher<u64>;
    type Subscriber = BatchedSubscriber;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = <Lossless as Engine<u64>>::open(capacity, subscribers);
        let with_buffer = |subscriber| BatchedSubscriber {
            subscriber,
            buffer: [0; BATCH],
        };
        (
            publisher,
            subscribers.into_iter().map(with_buffer).collect(),
        )
    }
}

/// `Lossy` through batches of one: by reference in, into a buffer out.
pub struct BatchesOfOne;

/// Publishes slices of one.
pub struct SlicePublisher<T: Plain>(Publisher<T>);

/// Receives into a buffer for one.
pub struct Buffered<T: Plain> {
    subscriber: Subscriber<T>,
    buffer: [T; 1],
}

impl<T: Plain> Publish<T> for SlicePublisher<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        self.0.publish_batch(std::slice::from_ref(message));
    }
}

impl<T: Plain> Subscribe<T> for Buffered<T> {
    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        self.sweep(sink);
        std::hint::spin_loop();
    }

    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        if self.subscriber.recv_batch(&mut self.buffer) == 1 {
            sink.message(&self.buffer[0]);
        }
    }
}

impl<T: Plain> Engine<T> for BatchesOfOne {
    type Publisher = SlicePublisher<T>;
    type Subscriber = Buffered<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = <Lossy as Engine<T>>::open(capacity, subscribers);
        let with_buffer = |subscriber| Buffered {
            subscriber,
            buffer: [T::blank()],
        };
        (
            SlicePublisher(publisher),
            subscribers.into_iter().map(with_buffer).collect(),
        )
    }
}

/// The strategies that `recv_with` accepts, by number, so that a type can name one.
const STRATEGIES: [WaitStrategy; 5] = [
    WaitStrategy::BusySpin,
    WaitStrategy::YieldSpin,
    WaitStrategy::BackoffSpin,
    WaitStrategy::Adaptive {
        spin_iters: 64,
        yield_iters: 64,
    },
    WaitStrategy::MonitorWaitFallback,
];

/// A lossless subscriber that waits by a strategy of the crate, on a thread or through its async wrapper.
pub struct By<const STRATEGY: usize>(Subscriber<u64>, Option<AsyncSubscriber<u64>>);

impl<const S: usize> Subscribe<u64> for By<S> {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<u64>) {
        sweep(&mut self.0, sink);
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<u64>) {
        sink.message(&self.0.recv_with(STRATEGIES[S]));
    }
}

impl<const S: usize> AwaitEach<u64> for By<S> {
    async fn next(&mut self, sink: &mut (impl Sink<u64> + Send)) {
        let message = match &mut self.1 {
            Some(subscriber) => subscriber.recv().await,
            None => {
                // The wrapper wants the subscriber itself; a throw-away ring gives something to leave in its place.
                let (_, other) = photon_ring::channel(2);
                let subscriber = std::mem::replace(&mut self.0, other.subscribe());
                self.1.insert(AsyncSubscriber::new(subscriber)).recv().await
            }
        };
        sink.message(&message);
    }
}

/// `Lossless` with one of the crate's wait strategies.
pub struct LosslessBy<const STRATEGY: usize>;

impl<const S: usize> Engine<u64> for LosslessBy<S> {
    type Publisher = Publisher<u64>;
    type Subscriber = By<S>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = <Lossless as Engine<u64>>::open(capacity, subscribers);
        (
            publisher,
            subscribers
                .into_iter()
                .map(|subscriber| By(subscriber, None))
                .collect(),
        )
    }
}

/// `Lossless` through `try_publish` and `try_recv`, the harness giving the core away in between.
pub struct Yielding;

/// A publisher that yields while the ring is full.
pub struct YieldingPublisher(Publisher<u64>);

impl Publish<u64> for YieldingPublisher {
    #[inline(always)]
    fn publish(&mut self, message: &u64) {
        let mut message = *message;
        while let Err(PublishError::Full(back)) = self.0.try_publish(message) {
            message = back;
            thread::yield_now();
        }
    }
}

/// A subscriber that yields while there is nothing.
pub struct YieldingSubscriber(Subscriber<u64>);

impl Subscribe<u64> for YieldingSubscriber {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<u64>) {
        sweep(&mut self.0, sink);
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<u64>) {
        match self.0.try_recv() {
            Ok(message) => sink.message(&message),
            Err(_) => thread::yield_now(),
        }
    }
}

impl AwaitEach<u64> for YieldingSubscriber {
    async fn next(&mut self, sink: &mut (impl Sink<u64> + Send)) {
        loop {
            match self.0.try_recv() {
                Ok(message) => return sink.message(&message),
                Err(_) => thread::yield_now(),
            }
        }
    }
}

impl Engine<u64> for Yielding {
    type Publisher = YieldingPublisher;
    type Subscriber = YieldingSubscriber;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = <Lossless as Engine<u64>>::open(capacity, subscribers);
        (
            YieldingPublisher(publisher),
            subscribers.into_iter().map(YieldingSubscriber).collect(),
        )
    }
}

impl<T: Plain> Edit<T> for EventPublisher<T> {
    #[inline(always)]
    fn publish(&mut self, edit: impl FnOnce(&mut T)) {
        EventPublisher::publish(self, edit);
    }
}

impl<T: Plain> Look<T> for EventSubscriber<T> {
    #[inline(always)]
    fn look<R>(&mut self, f: impl FnOnce(&T) -> R) -> Option<R> {
        self.process(f)
    }
}

/// `event_channel`.
pub struct Event;

impl<T: Plain> InPlace<T> for Event {
    type Publisher = EventPublisher<T>;
    type Subscriber = EventSubscriber<T>;

    fn open(capacity: usize) -> (Self::Publisher, Self::Subscriber) {
        let (publisher, subscribable) = photon_ring::event_channel(capacity, T::blank);
        let subscriber = subscribable.subscribe();
        (publisher, subscriber)
    }
}
