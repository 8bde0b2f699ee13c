//! Managed consumers: threads of the crate, each calling a handler.

use std::sync::Arc;

use tidings::ring::consumer::{Feed, Stop};
use tidings::ring::{
    Consumer, Gating, MpPublisher, Publisher, Subscribable, channel_bounded, channel_mpmc_bounded,
};

use crate::engine::ring::{Managed, Publish};
use crate::message::Plain;

/// One publisher.
pub struct Consumers;

/// Many publishers.
pub struct ConsumersOfMany;

/// A publisher, and the consumers, which end with the last of its clones.
#[derive(Clone)]
pub struct With<P> {
    publisher: P,
    _consumers: Arc<Vec<Consumer>>,
}

impl<T: Plain, P: Publish<T>> Publish<T> for With<P> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        self.publisher.publish(message);
    }
}

/// A consumer a handler.
fn start<T: Plain, H: FnMut(&T) + Send + 'static>(
    ring: &Subscribable<T, Gating>,
    handlers: Vec<H>,
) -> Arc<Vec<Consumer>> {
    let spawn = |mut handler: H| consumer(ring.subscribe(), move |message: &T| handler(message));
    Arc::new(handlers.into_iter().map(spawn).collect())
}

/// A consumer that handles what was published before it is dropped.
fn consumer<T, F: Feed<T>>(feed: F, mut handler: impl FnMut(&T) + Send + 'static) -> Consumer {
    Consumer::builder()
        .on_drop(Stop::Drain)
        .spawn(feed, move |message: &T, _| handler(message))
        .expect("threads can be started")
}

impl<T: Plain> Managed<T> for Consumers {
    type Publisher = With<Publisher<T, Gating>>;

    fn start<H: FnMut(&T) + Send + 'static>(capacity: usize, handlers: Vec<H>) -> Self::Publisher {
        let (publisher, ring) = channel_bounded(capacity, 0);
        With {
            publisher,
            _consumers: start(&ring, handlers),
        }
    }
}

impl<T: Plain> Managed<T> for ConsumersOfMany {
    type Publisher = With<MpPublisher<T, Gating>>;

    fn start<H: FnMut(&T) + Send + 'static>(capacity: usize, handlers: Vec<H>) -> Self::Publisher {
        let (publisher, ring) = channel_mpmc_bounded(capacity, 0);
        With {
            publisher,
            _consumers: start(&ring, handlers),
        }
    }
}
