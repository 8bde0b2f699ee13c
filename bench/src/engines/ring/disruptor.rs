//! disruptor 4.4.0 (disruptor-rs), single producer, lossless.
//!
//! `Spinning` is its headline form: threads of its own, `BusySpin`, batches. `Polled` uses its event poller on threads
//! of the harness, which yields to the scheduler while there is nothing to do: the form that shares cores.

use std::thread;

use disruptor::{
    BusySpin, EventPoller, MultiConsumerBarrier, Polling, ProcessorSettings, Producer,
    SingleConsumerBarrier, SingleProducer, SingleProducerBarrier, build_single_producer,
};

use crate::engine::ring::{Edit, Engine, InPlace, Look, Managed, Publish, Sink, Subscribe};
use crate::message::Message;

/// A producer with one consumer, or with several: the crate has a faster barrier for one.
pub enum Sender<T> {
    /// One consumer.
    One(SingleProducer<T, SingleConsumerBarrier>),
    /// Several.
    Many(SingleProducer<T, MultiConsumerBarrier>),
}

impl<T: Message> Publish<T> for Sender<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        match self {
            Self::One(producer) => producer.publish(|slot| *slot = *message),
            Self::Many(producer) => producer.publish(|slot| *slot = *message),
        }
    }
}

/// Threads of the engine, `BusySpin`.
pub struct Spinning;

impl<T: Message> Managed<T> for Spinning {
    type Publisher = Sender<T>;

    fn start<H: FnMut(&T) + Send + 'static>(
        capacity: usize,
        mut handlers: Vec<H>,
    ) -> Self::Publisher {
        let builder = build_single_producer(capacity, T::blank, BusySpin);
        if handlers.len() == 1 {
            let mut handler = handlers.remove(0);
            return Sender::One(
                builder
                    .handle_events_with(move |message: &T, _, _| handler(message))
                    .build(),
            );
        }
        let mut builder = builder.with_multi_consumer();
        for mut handler in handlers {
            builder = builder.handle_events_with(move |message: &T, _, _| handler(message));
        }
        Sender::Many(builder.build())
    }
}

/// One consumer on a core of its own, typed so that the publisher needs no branch: for the rows where a nanosecond counts.
pub struct SpinningOne;

/// The producer of `SpinningOne`.
pub struct SenderOne<T>(SingleProducer<T, SingleConsumerBarrier>);

impl<T: Message> Publish<T> for SenderOne<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        self.0.publish(|slot| *slot = *message);
    }
}

impl<T: Message> Managed<T> for SpinningOne {
    type Publisher = SenderOne<T>;

    /// # Panics
    /// With any other number of handlers than one.
    fn start<H: FnMut(&T) + Send + 'static>(capacity: usize, handlers: Vec<H>) -> Self::Publisher {
        let [mut handler] = <[H; 1]>::try_from(handlers).unwrap_or_else(|_| panic!("one handler"));
        let mut builder = build_single_producer(capacity, T::blank, BusySpin);
        if crate::sys::cores() > 1 {
            builder = builder.pin_at_core(1);
        }
        SenderOne(
            builder
                .handle_events_with(move |message: &T, _, _| handler(message))
                .build(),
        )
    }
}

type Poller<T> = EventPoller<T, SingleProducerBarrier>;

/// The event poller, on threads of the harness.
pub struct Polled;

/// Publishes with `try_publish` and yields while the ring is full.
pub struct YieldingSender(SingleProducer<u64, MultiConsumerBarrier>);

impl Publish<u64> for YieldingSender {
    #[inline(always)]
    fn publish(&mut self, message: &u64) {
        while self.0.try_publish(|slot| *slot = *message).is_err() {
            thread::yield_now();
        }
    }
}

/// Polls a batch and yields while there is none.
pub struct YieldingPoller(Poller<u64>);

impl Subscribe<u64> for YieldingPoller {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<u64>) {
        if let Ok(mut events) = self.0.poll() {
            for message in &mut events {
                sink.message(message);
            }
        }
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<u64>) {
        match self.0.poll() {
            Ok(mut events) => {
                for message in &mut events {
                    sink.message(message);
                }
            }
            Err(Polling::NoEvents) => thread::yield_now(),
            Err(Polling::Shutdown) => panic!("the disruptor was shut down before the last message"),
        }
    }
}

impl Engine<u64> for Polled {
    type Publisher = YieldingSender;
    type Subscriber = YieldingPoller;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let mut builder = build_single_producer(capacity, || 0u64, BusySpin).with_multi_consumer();
        let mut pollers = Vec::with_capacity(subscribers);
        for _ in 0..subscribers {
            let (poller, next) = builder.new_event_poller();
            pollers.push(YieldingPoller(poller));
            builder = next;
        }
        (YieldingSender(builder.build()), pollers)
    }
}

/// In place on one thread, through the event poller.
pub struct InPlacePoller;

/// The producer of `InPlacePoller`.
pub struct Editor<T>(SingleProducer<T, SingleConsumerBarrier>);

impl<T: Message> Edit<T> for Editor<T> {
    #[inline(always)]
    fn publish(&mut self, edit: impl FnOnce(&mut T)) {
        self.0.publish(edit);
    }
}

/// The poller of `InPlacePoller`.
pub struct Viewer<T>(Poller<T>);

impl<T: Message> Look<T> for Viewer<T> {
    #[inline(always)]
    fn look<R>(&mut self, f: impl FnOnce(&T) -> R) -> Option<R> {
        let mut events = self.0.take(1).ok()?;
        (&mut events).next().map(f)
    }
}

impl<T: Message> InPlace<T> for InPlacePoller {
    type Publisher = Editor<T>;
    type Subscriber = Viewer<T>;

    fn open(capacity: usize) -> (Self::Publisher, Self::Subscriber) {
        let (poller, builder) =
            build_single_producer(capacity, T::blank, BusySpin).new_event_poller();
        (Editor(builder.build()), Viewer(poller))
    }
}
