//! The publisher of a topic of one, when it is out, and where it comes home to.

use crate::{
    contract::{Contract, Lossy},
    publisher::Publisher,
    slot::Payload,
};
use core::{
    fmt,
    ops::{Deref, DerefMut},
};
use tidings_core::sync::{Arc, Lock};

/// Where a topic's publisher stays while nobody has it.
pub(super) struct Home<T: 'static, C: Contract> {
    place: Arc<Lock<Place<T, C>>>,
    /// The address of the topic's ring, which is its alone until the place is [`Gone`](Place::Gone): until then the topic has a
    /// place to subscribe at, too.
    ring: usize,
}

enum Place<T: 'static, C: Contract> {
    In(Publisher<T, C>),
    Out,
    /// The topic was removed: a publisher that comes home is dropped, which closes its ring.
    Gone,
}

impl<T: Payload, C: Contract> Home<T, C> {
    pub(super) fn new(publisher: Publisher<T, C>) -> Self {
        Self {
            ring: publisher.ring_address(),
            place: Arc::new(Lock::new(Place::In(publisher))),
        }
    }

    /// The publisher, if it is in.
    pub(super) fn take(&self) -> Option<TopicPublisher<T, C>> {
        let mut place = self.place.lock();
        match core::mem::replace(&mut *place, Place::Out) {
            Place::In(publisher) => Some(TopicPublisher {
                publisher: Some(publisher),
                home: Self {
                    place: Arc::clone(&self.place),
                    ring: self.ring,
                },
            }),
            other => {
                *place = other;
                None
            }
        }
    }
}

impl<T, C: Contract> Home<T, C> {
    pub(super) fn is_out(&self) -> bool {
        matches!(*self.place.lock(), Place::Out)
    }

    /// Ends it: gives the publisher to be dropped, with no lock held, since that wakes those who wait for messages.
    fn close(&self) -> Option<Publisher<T, C>> {
        match core::mem::replace(&mut *self.place.lock(), Place::Gone) {
            Place::In(publisher) => Some(publisher),
            Place::Out | Place::Gone => None,
        }
    }

    /// Takes the publisher in, or gives it back to be dropped: when the topic is gone, or when it is another's, swapped in by
    /// whoever had it.
    fn take_in(&self, publisher: Publisher<T, C>) -> Option<Publisher<T, C>> {
        let mut place = self.place.lock();
        if matches!(*place, Place::Gone) || publisher.ring_address() != self.ring {
            return Some(publisher);
        }
        *place = Place::In(publisher);
        None
    }
}

/// The topic's own handle: when it goes, the topic is gone.
pub(super) struct Owned<T: 'static, C: Contract>(pub(super) Home<T, C>);

impl<T, C: Contract> Drop for Owned<T, C> {
    fn drop(&mut self) {
        drop(self.0.close());
    }
}

/// The one publisher of a topic, lent by its bus. Dropping it gives it back: whoever asks next goes on with the same stream.
///
/// It outlives the bus: a topic that is removed while its publisher is out goes on, without a name, until that is dropped.
///
/// Whoever swaps another [`Publisher`] into it (`mem::swap`) has the topic's own, and with it the end of the stream: what comes home
/// then is dropped, and the topic says [`Ended`](crate::TopicError::Ended) once its own was.
///
/// # Examples
/// ```
/// use tidings_ring::{TopicError, TopicOptions, Topics};
/// let topics = Topics::<u64>::new(TopicOptions::new(64));
/// let mut subscriber = topics.subscribe("ticks")?;
/// let mut publisher = topics.publisher("ticks")?;
/// publisher.publish(1);
/// assert_eq!(topics.publisher("ticks").unwrap_err(), TopicError::Taken);
/// drop(publisher);
/// topics.publisher("ticks")?.publish(2);
/// assert!(subscriber.drain().eq([1, 2]));
/// # Ok::<(), TopicError>(())
/// ```
#[must_use = "a publisher that is dropped goes back to its topic"]
pub struct TopicPublisher<T: 'static, C: Contract = Lossy> {
    /// Until it goes home.
    publisher: Option<Publisher<T, C>>,
    home: Home<T, C>,
}

impl<T, C: Contract> Deref for TopicPublisher<T, C> {
    type Target = Publisher<T, C>;

    fn deref(&self) -> &Publisher<T, C> {
        self.publisher.as_ref().expect("only drop takes it")
    }
}

impl<T, C: Contract> DerefMut for TopicPublisher<T, C> {
    fn deref_mut(&mut self) -> &mut Publisher<T, C> {
        self.publisher.as_mut().expect("only drop takes it")
    }
}

impl<T, C: Contract> Drop for TopicPublisher<T, C> {
    fn drop(&mut self) {
        let publisher = self.publisher.take().expect("only this takes it");
        drop(self.home.take_in(publisher));
    }
}

impl<T, C: Contract> fmt::Debug for TopicPublisher<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TopicPublisher")
            .field(&self.publisher)
            .finish()
    }
}
