//! disruptor 4.4.0 (disruptor-rs), lossless.
//!
//! `Spinning` is its headline form: threads of its own, `BusySpin`, batches. `Polled` uses its event poller on threads
//! of the harness, which yields to the scheduler while there is nothing to do: the form that shares cores. `SpinningMany`
//! and `PolledMany` are the same with many producers.

mod graph;
mod many;
mod polled;

use disruptor::{
    BusySpin, MultiConsumerBarrier, ProcessorSettings, Producer, SingleConsumerBarrier,
    SingleProducer, build_single_producer,
};
pub use graph::{SpinningGraph, YieldingGraph};
pub use many::{PolledMany, SpinningMany};
pub use polled::{InPlacePoller, Polled};

use crate::engine::ring::{Managed, Publish};
use crate::message::Plain;

/// A producer with one consumer, or with several: the crate has a faster barrier for one.
pub enum Sender<T> {
    /// One consumer.
    One(SingleProducer<T, SingleConsumerBarrier>),
    /// Several.
    Many(SingleProducer<T, MultiConsumerBarrier>),
}

impl<T: Plain> Publish<T> for Sender<T> {
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

impl<T: Plain> Managed<T> for Spinning {
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

impl<T: Plain> Publish<T> for SenderOne<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        self.0.publish(|slot| *slot = *message);
    }
}

impl<T: Plain> Managed<T> for SpinningOne {
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
