//! The event poller, on threads of the harness.

use std::thread;

use disruptor::{
    BusySpin, EventGuard, EventPoller, MultiConsumerBarrier, Polling, Producer,
    SingleConsumerBarrier, SingleProducer, SingleProducerBarrier, build_single_producer,
};

use crate::engine::ring::{Edit, Engine, InPlace, Look, Publish, Sink, Subscribe};
use crate::message::Plain;

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
        hand_over(self.0.poll(), sink, || {});
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<u64>) {
        hand_over(self.0.poll(), sink, thread::yield_now);
    }
}

/// Hands over what was polled; does `otherwise` when there was nothing.
#[inline(always)]
pub(super) fn hand_over<T, B>(
    polled: Result<EventGuard<'_, T, B>, Polling>,
    sink: &mut impl Sink<T>,
    otherwise: impl FnOnce(),
) {
    match polled {
        Ok(mut events) => {
            for message in &mut events {
                sink.message(message);
            }
        }
        Err(Polling::NoEvents) => otherwise(),
        Err(Polling::Shutdown) => panic!("the disruptor was shut down before the last message"),
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

impl<T: Plain> Edit<T> for Editor<T> {
    #[inline(always)]
    fn publish(&mut self, edit: impl FnOnce(&mut T)) {
        self.0.publish(edit);
    }
}

/// The poller of `InPlacePoller`.
pub struct Viewer<T>(Poller<T>);

impl<T: Plain> Look<T> for Viewer<T> {
    #[inline(always)]
    fn look<R>(&mut self, f: impl FnOnce(&T) -> R) -> Option<R> {
        let mut events = self.0.take(1).ok()?;
        (&mut events).next().map(f)
    }
}

impl<T: Plain> InPlace<T> for InPlacePoller {
    type Publisher = Editor<T>;
    type Subscriber = Viewer<T>;

    fn open(capacity: usize) -> (Self::Publisher, Self::Subscriber) {
        let (poller, builder) =
            build_single_producer(capacity, T::blank, BusySpin).new_event_poller();
        (Editor(builder.build()), Viewer(poller))
    }
}
