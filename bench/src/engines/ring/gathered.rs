//! What a user does who publishes in batches: gathers messages in a buffer of his own and publishes it when it is full.
//! The same buffer for every engine, so that the row shows what the engine makes of a batch.

use std::marker::PhantomData;

use crate::engine::ring::{Engine, Managed, Publish, PublishBatch};
use crate::message::Plain;

/// Messages in a batch.
const BATCH: usize = 64;

/// An engine, published to in batches.
pub struct Gathered<E>(PhantomData<E>);

/// Its publishing end.
#[derive(Clone)]
pub struct Gathering<P, T> {
    publisher: P,
    held: Vec<T>,
}

impl<P, T> Gathering<P, T> {
    fn new(publisher: P) -> Self {
        Self {
            publisher,
            held: Vec::with_capacity(BATCH),
        }
    }
}

impl<P: PublishBatch<T>, T: Plain> Publish<T> for Gathering<P, T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        self.held.push(*message);
        if self.held.len() >= BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.publisher.publish_batch(&self.held);
        self.held.clear();
    }
}

impl<T: Plain, E: Engine<T, Publisher: PublishBatch<T>>> Engine<T> for Gathered<E> {
    type Publisher = Gathering<E::Publisher, T>;
    type Subscriber = E::Subscriber;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = E::open(capacity, subscribers);
        (Gathering::new(publisher), subscribers)
    }
}

impl<T: Plain, M: Managed<T, Publisher: PublishBatch<T>>> Managed<T> for Gathered<M> {
    type Publisher = Gathering<M::Publisher, T>;

    fn start<H: FnMut(&T) + Send + 'static>(capacity: usize, handlers: Vec<H>) -> Self::Publisher {
        Gathering::new(M::start(capacity, handlers))
    }
}
