//! tidings itself.
//!
//! `Lossy` and `Lossless` are the plain calls, one message at a time, with the default way of waiting. `Batched` reads
//! what is there in place and gives the slots back together, which is how the disruptor hands out events. The number
//! behind the last two is the waiting strategy, so that spinning is compared with spinning.

use std::mem::MaybeUninit;

use tidings::ring::{
    Builder, EventPublisher, EventSubscriber, Gating, Lossy as Taps, Publisher, Subscriber,
    TryRecvError, WaitStrategy, channel, channel_bounded, event_channel,
};

use crate::engine::ring::{
    AwaitEach, Batch, Edit, Engine, InPlace, Latest, Look, Publish, Sink, Subscribe, Unheard,
};
use crate::message::Message;

/// The number of spin tokens is asked of the system once, by the first who waits. That must not be a thread which the
/// harness has pinned to one core, so it is asked before.
pub fn prepare() {
    let _ = tidings::wait::SpinToken::limit();
}

macro_rules! ends {
    ($contract:ty) => {
        impl<T: Message> Publish<T> for Publisher<T, $contract> {
            #[inline(always)]
            fn publish(&mut self, message: &T) {
                Publisher::publish(self, *message);
            }
        }

        impl<T: Message> Subscribe<T> for Subscriber<T, $contract> {
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
                let message = self
                    .recv()
                    .expect("the publisher went before the last message");
                let skipped = self.total_lagged() - before;
                if skipped > 0 {
                    sink.skipped(skipped);
                }
                sink.message(&message);
            }
        }

        impl<T: Message> AwaitEach<T> for Subscriber<T, $contract> {
            async fn next(&mut self) -> T {
                self.recv_async()
                    .await
                    .expect("the publisher went before the last message")
            }
        }
    };
}

ends!(Taps);
ends!(Gating);

/// `channel`: a slow subscriber is overtaken.
pub struct Lossy;

impl<T: Message> Engine<T> for Lossy {
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
    fn publish_batch(publisher: &mut Publisher<u64, Taps>, messages: &[u64]) {
        publisher.publish_batch(messages);
    }

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

impl<T: Message> Engine<T> for Lossless {
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

/// `Lossy` for large messages: published from where they lie, received to where they are wanted.
pub struct ByReference;

/// Publishes from where the message lies.
pub struct FromReference<T: Message>(Publisher<T, Taps>);

/// Receives into a place of its own.
pub struct IntoPlace<T: Message> {
    subscriber: Subscriber<T, Taps>,
    place: MaybeUninit<T>,
}

impl<T: Message> Publish<T> for FromReference<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        self.0.publish_from(message);
    }
}

impl<T: Message> Subscribe<T> for IntoPlace<T> {
    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        self.subscriber.wait();
        self.sweep(sink);
    }

    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        match self.subscriber.try_recv_into(&mut self.place) {
            Ok(message) => sink.message(message),
            Err(TryRecvError::Lagged { skipped }) => sink.skipped(skipped),
            Err(TryRecvError::Empty | TryRecvError::Closed) => {}
        }
    }
}

impl<T: Message> Engine<T> for ByReference {
    type Publisher = FromReference<T>;
    type Subscriber = IntoPlace<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = <Lossy as Engine<T>>::open(capacity, subscribers);
        let with_place = |subscriber| IntoPlace {
            subscriber,
            place: MaybeUninit::uninit(),
        };
        (
            FromReference(publisher),
            subscribers.into_iter().map(with_place).collect(),
        )
    }
}

/// The strategies by number, so that a type can name one.
const STRATEGIES: [WaitStrategy; 2] = [WaitStrategy::ADAPTIVE, WaitStrategy::BusySpin];
/// The default strategy: spin, yield, sleep.
pub const DEFAULT: usize = 0;
/// Spins and never gives the core away.
pub const SPIN: usize = 1;

fn lossless<T: Message>(
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
pub struct InBatches<T: Message>(Subscriber<T, Gating>);

impl<T: Message> Subscribe<T> for InBatches<T> {
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

impl<T: Message, const S: usize> Engine<T> for Batched<S> {
    type Publisher = Publisher<T, Gating>;
    type Subscriber = InBatches<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = lossless(capacity, subscribers, S);
        (publisher, subscribers.into_iter().map(InBatches).collect())
    }
}

impl<T: Message> Edit<T> for EventPublisher<T> {
    #[inline(always)]
    fn publish(&mut self, edit: impl FnOnce(&mut T)) {
        EventPublisher::publish(self, edit);
    }
}

impl<T: Message> Look<T> for EventSubscriber<T> {
    #[inline(always)]
    fn look<R>(&mut self, f: impl FnOnce(&T) -> R) -> Option<R> {
        self.process(f)
    }
}

/// `event_channel`.
pub struct Event;

impl<T: Message> InPlace<T> for Event {
    type Publisher = EventPublisher<T>;
    type Subscriber = EventSubscriber<T>;

    fn open(capacity: usize) -> (Self::Publisher, Self::Subscriber) {
        let (publisher, subscribable) = event_channel(capacity, T::blank);
        let subscriber = subscribable.subscribe();
        (publisher, subscriber)
    }
}
