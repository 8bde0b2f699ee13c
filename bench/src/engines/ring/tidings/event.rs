//! In place.

use tidings::ring::{EventPublisher, EventSubscriber, event_channel};

use crate::engine::ring::{Edit, InPlace, Look};
use crate::message::Plain;

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
        let (publisher, subscribable) = event_channel(capacity, T::blank);
        let subscriber = subscribable.subscribe();
        (publisher, subscriber)
    }
}
