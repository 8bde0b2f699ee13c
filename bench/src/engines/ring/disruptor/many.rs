//! Many producers: `build_multi_producer`, lossless.
//!
//! `SpinningMany` is its headline form, `PolledMany` the one that shares cores: producers and pollers of the harness's
//! threads, which yield to the scheduler while there is nothing to do.

use std::thread;

use disruptor::{
    BusySpin, EventPoller, MultiConsumerBarrier, MultiProducer, MultiProducerBarrier, Producer,
    build_multi_producer,
};

use super::polled::hand_over;
use crate::engine::ring::{Engine, Managed, Publish, PublishBatch, Sink, Subscribe};
use crate::message::Plain;

/// A producer of many.
pub struct ManySender<T>(MultiProducer<T, MultiConsumerBarrier>);

impl<T> Clone for ManySender<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Plain> Publish<T> for ManySender<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        self.0.publish(|slot| *slot = *message);
    }
}

impl<T: Plain> PublishBatch<T> for ManySender<T> {
    #[inline(always)]
    fn publish_batch(&mut self, messages: &[T]) {
        if messages.is_empty() {
            return;
        }
        self.0.batch_publish(messages.len(), |slots| {
            for (slot, message) in slots.zip(messages) {
                *slot = *message;
            }
        });
    }
}

/// Threads of the engine, `BusySpin`.
pub struct SpinningMany;

impl<T: Plain> Managed<T> for SpinningMany {
    type Publisher = ManySender<T>;

    fn start<H: FnMut(&T) + Send + 'static>(capacity: usize, handlers: Vec<H>) -> Self::Publisher {
        let mut builder = build_multi_producer(capacity, T::blank, BusySpin).with_multi_consumer();
        for mut handler in handlers {
            builder = builder.handle_events_with(move |message: &T, _, _| handler(message));
        }
        ManySender(builder.build())
    }
}

/// The event poller, on threads of the harness.
pub struct PolledMany;

/// Publishes with `try_publish` and yields while the ring is full.
pub struct YieldingManySender<T>(MultiProducer<T, MultiConsumerBarrier>);

impl<T> Clone for YieldingManySender<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Plain> Publish<T> for YieldingManySender<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        while self.0.try_publish(|slot| *slot = *message).is_err() {
            thread::yield_now();
        }
    }
}

/// Polls a batch and yields while there is none.
pub struct YieldingManyPoller<T>(EventPoller<T, MultiProducerBarrier>);

impl<T: Plain> Subscribe<T> for YieldingManyPoller<T> {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        hand_over(self.0.poll(), sink, || {});
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        hand_over(self.0.poll(), sink, thread::yield_now);
    }
}

impl<T: Plain> Engine<T> for PolledMany {
    type Publisher = YieldingManySender<T>;
    type Subscriber = YieldingManyPoller<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let mut builder = build_multi_producer(capacity, T::blank, BusySpin).with_multi_consumer();
        let mut pollers = Vec::with_capacity(subscribers);
        for _ in 0..subscribers {
            let (poller, next) = builder.new_event_poller();
            pollers.push(YieldingManyPoller(poller));
            builder = next;
        }
        (YieldingManySender(builder.build()), pollers)
    }
}
