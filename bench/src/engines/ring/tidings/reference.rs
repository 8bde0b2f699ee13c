//! Large messages.

use std::mem::MaybeUninit;

use tidings::ring::{Lossy as Taps, Publisher, Subscriber, TryRecvError};

use super::Lossy;
use crate::engine::ring::{Engine, Publish, Sink, Subscribe};
use crate::message::Plain;

/// `Lossy` for large messages: published from where they lie, received to where they are wanted.
pub struct ByReference;

/// Publishes from where the message lies.
pub struct FromReference<T: Plain>(Publisher<T, Taps>);

/// Receives into a place of its own.
pub struct IntoPlace<T: Plain> {
    subscriber: Subscriber<T, Taps>,
    place: MaybeUninit<T>,
}

impl<T: Plain> Publish<T> for FromReference<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        self.0.publish_from(message);
    }
}

impl<T: Plain> Subscribe<T> for IntoPlace<T> {
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

impl<T: Plain> Engine<T> for ByReference {
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
