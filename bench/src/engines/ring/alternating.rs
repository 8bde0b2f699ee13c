//! Two handles of an engine with many publishers, used in turn by one thread.

use std::marker::PhantomData;

use crate::engine::ring::{Engine, Managed, Publish};
use crate::message::Plain;

/// The engine.
pub struct Alternating<E>(PhantomData<E>);

/// The two handles; the message says whose turn it is.
pub struct Handles<P>(P, P);

impl<P: Publish<T>, T: Plain> Publish<T> for Handles<P> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        if message.key() & 1 == 0 {
            self.0.publish(message);
        } else {
            self.1.publish(message);
        }
    }
}

impl<T: Plain, E: Engine<T, Publisher: Clone>> Engine<T> for Alternating<E> {
    type Publisher = Handles<E::Publisher>;
    type Subscriber = E::Subscriber;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = E::open(capacity, subscribers);
        (Handles(publisher.clone(), publisher), subscribers)
    }
}

impl<T: Plain, M: Managed<T, Publisher: Clone>> Managed<T> for Alternating<M> {
    type Publisher = Handles<M::Publisher>;

    fn start<H: FnMut(&T) + Send + 'static>(capacity: usize, handlers: Vec<H>) -> Self::Publisher {
        let publisher = M::start(capacity, handlers);
        Handles(publisher.clone(), publisher)
    }
}
