//! The publisher of a topic of one, when it is out, and where it comes home to.
//!
//! ```text
//! States    `place`, behind a lock: In(publisher) · Out: lent · Lost: what came home was another ring's · Gone: removed
//! Lend      H1 In → Out, lock
//! Home      H2 Out, and the number is the topic's ring's → In; another number → Lost; Gone stays, lock   H3 what was not taken
//!           in is dropped, with no lock held
//! Remove    H4 any → Gone, lock   H5 In: the publisher is dropped, otherwise the ring is closed, with no lock held
//! I1        a ring has one publisher and a number of its own, so what H2 takes in is the topic's, whatever was swapped
//! I2        Out is left by the handle that H1 made, or by H4: there is one such handle at a time
//! I3        Gone is final: who finds it looks the name up again
//! I4        nothing is dropped, closed or woken while the lock is held
//! ```

use super::quiet;
use crate::{
    contract::{Contract, Lossy},
    publisher::Publisher,
    slot::Payload,
    subscribable::Subscribable,
};
use core::{
    fmt,
    num::NonZeroUsize,
    ops::{Deref, DerefMut},
};
use tidings_core::sync::{Arc, Lock};

/// Where a topic's publisher stays while nobody has it.
pub(super) struct Home<T: 'static, C: Contract> {
    place: Arc<Lock<Place<T, C>>>,
    /// The number of the topic's ring.
    ring: NonZeroUsize,
}

enum Place<T: 'static, C: Contract> {
    In(Publisher<T, C>),
    Out,
    Lost,
    Gone,
}

/// Why there is no publisher to be had.
pub(super) enum Absent {
    Out,
    Lost,
    Gone,
}

impl<T: Payload, C: Contract> Home<T, C> {
    pub(super) fn new(publisher: Publisher<T, C>) -> Self {
        Self {
            ring: publisher.ring_number(),
            place: Arc::new(Lock::new(Place::In(publisher))),
        }
    }

    /// H1
    pub(super) fn take(&self) -> Result<TopicPublisher<T, C>, Absent> {
        let mut place = self.place.lock();
        let (found, absent) = match core::mem::replace(&mut *place, Place::Out) {
            Place::In(publisher) => {
                let home = Self {
                    place: Arc::clone(&self.place),
                    ring: self.ring,
                };
                return Ok(TopicPublisher {
                    publisher: Some(publisher),
                    home,
                });
            }
            Place::Out => return Err(Absent::Out),
            Place::Lost => (Place::Lost, Absent::Lost),
            Place::Gone => (Place::Gone, Absent::Gone),
        };
        *place = found;
        Err(absent)
    }

    /// H4 and H5; `ring` is the topic's.
    pub(super) fn close(&self, ring: &Subscribable<T, C>) {
        let place = core::mem::replace(&mut *self.place.lock(), Place::Gone);
        match place {
            Place::In(publisher) => drop(publisher),
            Place::Out | Place::Lost => ring.close(),
            Place::Gone => (),
        }
    }
}

impl<T, C: Contract> Home<T, C> {
    pub(super) fn is_in(&self) -> bool {
        matches!(*self.place.lock(), Place::In(_))
    }

    pub(super) fn is_gone(&self) -> bool {
        matches!(*self.place.lock(), Place::Gone)
    }

    /// H2: takes the publisher in, or gives it back to be dropped.
    fn take_in(&self, publisher: Publisher<T, C>) -> Option<Publisher<T, C>> {
        let mut place = self.place.lock();
        if matches!(*place, Place::Gone) {
            return Some(publisher);
        }
        if publisher.ring_number() != self.ring {
            *place = Place::Lost;
            return Some(publisher);
        }
        *place = Place::In(publisher);
        None
    }
}

/// The one publisher of a topic, lent by its bus. Dropping it gives it back: whoever asks next goes on with the same stream.
///
/// # When the topic ends first
/// A topic may be [removed](crate::Topics::remove), or its bus dropped, while its publisher is out. Its ring is closed then:
/// subscribers receive what was published before, and then the end. The publisher still publishes without an error, into that
/// ring: a subscriber that has not come to the end may receive it, whoever was told the end has no reason to look, and on a
/// gating ring a subscriber that neither reads nor goes still holds the publisher back. [`is_removed`](Self::is_removed) tells.
/// When such a publisher is dropped it is gone: it never comes home to a later topic of the same name.
///
/// # When it is swapped
/// Whoever swaps another [`Publisher`] into it (`mem::swap`, `mem::replace`) has the topic's own, and with it the stream. What
/// comes home then is not the topic's, and is dropped, which closes its own ring; the topic says
/// [`Ended`](crate::TopicError::Ended) from then on, until it is removed. Swapped back in time, nothing has happened.
///
/// # Panics
/// Dropping it panics when it closes a ring, which coming home does not, and a waker panics. While the thread unwinds that panic
/// is swallowed.
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

impl<T, C: Contract> TopicPublisher<T, C> {
    /// Whether its topic was removed, or the bus dropped, as of now: a lock and a look.
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::{TopicOptions, Topics};
    /// let topics = Topics::<u64>::new(TopicOptions::new(64));
    /// let publisher = topics.publisher("ticks")?;
    /// assert!(!publisher.is_removed());
    /// topics.remove("ticks")?;
    /// assert!(publisher.is_removed());
    /// # Ok::<(), tidings_ring::TopicError>(())
    /// ```
    #[must_use]
    pub fn is_removed(&self) -> bool {
        self.home.is_gone()
    }
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
    // H2 and H3.
    fn drop(&mut self) {
        let publisher = self.publisher.take().expect("only this takes it");
        quiet::each(self.home.take_in(publisher), drop);
    }
}

impl<T, C: Contract> fmt::Debug for TopicPublisher<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TopicPublisher")
            .field(&self.publisher)
            .finish()
    }
}
