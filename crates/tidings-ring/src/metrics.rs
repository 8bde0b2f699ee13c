//! Numbers of one handle at one instant, and what changed between two of them.

use crate::{contract::Contract, cursor::Cursor, shared::Shared, slot::place::Store};
use core::{fmt, num::NonZeroUsize};

/// The counts of one subscriber at one instant. Bound to its handle: only two of the same one can be compared.
///
/// # Examples
/// ```
/// let (mut publisher, subscribable) = tidings_ring::channel::<u64>(4);
/// let mut subscriber = subscribable.subscribe();
/// let before = subscriber.metrics();
/// (0..6).for_each(|n| publisher.publish(n));
/// assert_eq!(subscriber.drain().count(), 4);
///
/// let change = subscriber.metrics().since(&before).expect("it is the same subscriber, later");
/// assert_eq!((change.received, change.lagged), (4, 2));
/// assert!(before.since(&subscriber.metrics()).is_none(), "not the other way round");
/// assert!(subscribable.subscribe().metrics().since(&before).is_none(), "not of another");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SubscriberMetrics {
    handle: NonZeroUsize,
    /// Messages received.
    pub received: u64,
    /// Messages that were not received and no longer will be.
    pub lagged: u64,
    /// Places that turned out to hold no message, see [`Subscriber::total_aborted`](crate::Subscriber::total_aborted).
    pub aborted: u64,
    /// Messages published and not yet received, at most the capacity.
    pub pending: u64,
    /// The sequence of the message to receive next.
    pub cursor: u64,
    /// Slots of the ring.
    pub capacity: usize,
}

/// What a subscriber did between two [`SubscriberMetrics`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct SubscriberChange {
    /// Messages received.
    pub received: u64,
    /// Messages lost.
    pub lagged: u64,
    /// Places without a message passed over.
    pub aborted: u64,
}

/// The counts of a publishing end at one instant. Bound to its ring: only two of the same one can be compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PublisherMetrics {
    ring: NonZeroUsize,
    /// Messages published, on a ring of many publishers claimed, since the ring was made. (The handles' own `published` is the
    /// next sequence: on a ring that does not start at 0 it is more.)
    pub published: u64,
    /// Slots of the ring.
    pub capacity: usize,
}

impl SubscriberMetrics {
    pub(crate) fn of<S: Store, C: Contract>(cursor: &Cursor<S, C>) -> Self {
        Self {
            handle: cursor.number(),
            received: cursor.received(),
            lagged: cursor.lagged(),
            aborted: cursor.aborted(),
            pending: cursor.pending(),
            cursor: cursor.place.sequence.get(),
            capacity: cursor.ring.shared.capacity,
        }
    }

    /// What changed since `earlier`; `None` when that is of another subscriber, or not earlier.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Option<SubscriberChange> {
        if self.handle != earlier.handle {
            return None;
        }
        Some(SubscriberChange {
            received: self.received.checked_sub(earlier.received)?,
            lagged: self.lagged.checked_sub(earlier.lagged)?,
            aborted: self.aborted.checked_sub(earlier.aborted)?,
        })
    }

    /// Received messages as a share of those received or lost, from 0 to 1; 1 before the first.
    #[must_use]
    pub fn receive_ratio(&self) -> f64 {
        ratio(self.received, self.lagged)
    }
}

/// Received messages as a share of those received or lost; 1 when there are none.
pub(crate) fn ratio(received: u64, lagged: u64) -> f64 {
    let all = received as f64 + lagged as f64;
    if all == 0.0 {
        1.0
    } else {
        received as f64 / all
    }
}

impl PublisherMetrics {
    pub(crate) fn of(shared: &Shared) -> Self {
        Self {
            ring: shared.number,
            published: shared.published().since(shared.first),
            capacity: shared.capacity,
        }
    }

    /// Messages published since `earlier`; `None` when that is of another ring, or not earlier.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Option<u64> {
        if self.ring != earlier.ring {
            return None;
        }
        self.published.checked_sub(earlier.published)
    }
}

impl fmt::Display for SubscriberMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            received,
            lagged,
            aborted,
            pending,
            ..
        } = self;
        write!(
            f,
            "received {received}, lost {lagged}, aborted {aborted}, pending {pending}"
        )
    }
}

impl fmt::Display for SubscriberChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            received,
            lagged,
            aborted,
        } = self;
        write!(f, "received {received}, lost {lagged}, aborted {aborted}")
    }
}

impl fmt::Display for PublisherMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            published,
            capacity,
            ..
        } = self;
        write!(f, "published {published}, capacity {capacity}")
    }
}
