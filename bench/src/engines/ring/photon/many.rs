//! Many publishers: `channel_mpmc`, always lossy.

use photon_ring::{MpPublisher, Subscriber};

use crate::engine::ring::{Engine, Publish};
use crate::message::Plain;

impl<T: Plain> Publish<T> for MpPublisher<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        MpPublisher::publish(self, *message);
    }
}

/// `channel_mpmc`.
pub struct LossyMany;

impl<T: Plain> Engine<T> for LossyMany {
    type Publisher = MpPublisher<T>;
    type Subscriber = Subscriber<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribable) = photon_ring::channel_mpmc(capacity);
        (
            publisher,
            (0..subscribers).map(|_| subscribable.subscribe()).collect(),
        )
    }
}
