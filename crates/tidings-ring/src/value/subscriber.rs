//! The end that receives, on a ring of values: values are borrowed where they lie, or cloned.

#[cfg(feature = "std")]
mod waiting;

use super::{ValueRef, Values, cell::lent::Look};
use crate::{
    contract::Lossy,
    cursor::{ATTEMPTS, Cursor},
    error::{SubscribeError, TryRecvError},
    metrics::SubscriberMetrics,
    observe::Observer,
    ring::Ring,
    shared::Start,
};
use core::{
    fmt,
    task::{Context, Poll},
};
use tidings_core::{Sequence, sync::Arc, wait::TaskKey};

/// Where subscribers of a ring of values come from. Cheap to clone; keeps the ring's values, but holds nothing back.
pub struct ValueSubscribable<T: 'static> {
    ring: Arc<Ring<Values<T>>>,
}

impl<T: Send + Sync + 'static> ValueSubscribable<T> {
    pub(crate) fn new(ring: Arc<Ring<Values<T>>>) -> Self {
        Self { ring }
    }

    /// A subscriber that starts with the next message.
    pub fn subscribe(&self) -> ValueSubscriber<T> {
        self.open(Start::Next)
    }

    /// A subscriber that starts with the oldest message retained.
    pub fn subscribe_from_oldest(&self) -> ValueSubscriber<T> {
        self.open(Start::Oldest)
    }

    /// A subscriber that starts with message `sequence`.
    ///
    /// # Errors
    /// [`SubscribeError::Overwritten`] when that message is no longer retained; [`SubscribeError::Future`] when it is later
    /// than the next one.
    pub fn subscribe_at(&self, sequence: u64) -> Result<ValueSubscriber<T>, SubscribeError> {
        Cursor::open(&self.ring, Start::At(Sequence::new(sequence))).map(ValueSubscriber::new)
    }

    /// A look at the ring from outside: its counts. It lists no subscriber, since none of this kind has a place where it is seen.
    pub fn observer(&self) -> Observer {
        Observer::new(&self.ring)
    }

    fn open(&self, start: Start) -> ValueSubscriber<T> {
        let cursor = Cursor::open(&self.ring, start);
        let cursor = cursor.unwrap_or_else(|_| unreachable!("only Start::At can be refused"));
        ValueSubscriber::new(cursor)
    }
}

impl<T> ValueSubscribable<T> {
    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.ring.shared.capacity
    }

    /// The sequence that the next message gets; an instant later there may be more.
    pub fn published(&self) -> u64 {
        self.ring.shared.published().get()
    }

    /// Whether every publisher is gone.
    pub fn is_closed(&self) -> bool {
        self.ring.shared.is_closed()
    }
}

impl<T> Clone for ValueSubscribable<T> {
    fn clone(&self) -> Self {
        Self {
            ring: Arc::clone(&self.ring),
        }
    }
}

impl<T> fmt::Debug for ValueSubscribable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueSubscribable")
            .field("ring", &self.ring)
            .finish_non_exhaustive()
    }
}

/// One subscriber of a ring of values; sees every message from its start on, but for those that were overwritten before it
/// came to them, which it counts.
///
/// Two ways to take a message: borrow it (`…_ref`, for any type), which keeps the value alive and slows nobody; or clone it.
/// With an `Arc` as the value a clone is one count, and the message can be kept.
///
/// # Progress and cost
/// A message costs two stores, a full fence and two looks at its slot; a clone what it costs. No lock, no allocation of its
/// own.
#[must_use = "a subscriber that is dropped receives nothing"]
pub struct ValueSubscriber<T: 'static> {
    pub(crate) look: Look<T>,
}

impl<T: Send + Sync + 'static> ValueSubscriber<T> {
    fn new(cursor: Cursor<Values<T>, Lossy>) -> Self {
        Self {
            look: Look::new(cursor),
        }
    }

    /// The next message, where it lies, if it is there. Never waits.
    ///
    /// # Errors
    /// As [`Subscriber::try_recv`](crate::Subscriber::try_recv).
    #[inline]
    pub fn try_recv_ref(&mut self) -> Result<ValueRef<'_, T>, TryRecvError> {
        self.look.lend().map_err(|(error, _)| error)
    }

    /// A clone of the next message, if it is there. Never waits.
    ///
    /// # Errors
    /// As [`Subscriber::try_recv`](crate::Subscriber::try_recv).
    ///
    /// # Panics
    /// When `clone` does; the message counts as received.
    #[inline]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError>
    where
        T: Clone,
    {
        self.try_recv_ref().map(|message| T::clone(&message))
    }

    /// The newest message not yet received, where it lies; older ones are passed over, and counted as lagged. `None` when
    /// there is none, or when publishers overtook 64 attempts in a row.
    pub fn latest_ref(&mut self) -> Option<ValueRef<'_, T>> {
        let mut look = &mut self.look;
        for _ in 0..ATTEMPTS {
            let newest = look.cursor.newest();
            if look.cursor.place.sequence.is_before(newest) {
                look.cursor.pass_over(newest);
            }
            match look.lend() {
                Ok(message) => return Some(message),
                Err((TryRecvError::Lagged { .. }, again)) => look = again,
                Err((TryRecvError::Empty | TryRecvError::Closed, _)) => return None,
            }
        }
        None
    }

    /// A clone of the newest message not yet received; as [`latest_ref`](Self::latest_ref).
    pub fn latest(&mut self) -> Option<T>
    where
        T: Clone,
    {
        self.latest_ref().map(|message| T::clone(&message))
    }

    /// Shows up to `max` messages that are there, with their sequences, to `read`, and returns how many. Never waits; lost
    /// messages are passed over and counted.
    ///
    /// # Panics
    /// When `read` does; the message it was shown counts as received.
    pub fn read_batch(&mut self, max: usize, mut read: impl FnMut(&T, u64)) -> usize {
        let (mut count, mut overtaken) = (0, 0);
        while count < max && overtaken < ATTEMPTS {
            match self.try_recv_ref() {
                Ok(message) => read(&message, ValueRef::sequence(&message)),
                Err(TryRecvError::Lagged { .. }) => {
                    overtaken += 1;
                    continue;
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
            (count, overtaken) = (count + 1, 0);
        }
        count
    }

    /// Another subscriber that starts at this one's cursor, with counts of its own.
    pub fn resubscribe(&self) -> Self {
        Self::new(self.look.cursor.twin())
    }
}

impl<T> ValueSubscriber<T> {
    /// What lends messages.
    pub(super) fn look(&mut self) -> &mut Look<T> {
        &mut self.look
    }

    /// The step of the futures.
    pub(crate) fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.look.cursor.poll_ready(key, cx)
    }

    /// The same in turn.
    pub(super) fn poll_in_turn(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.look.cursor.poll_in_turn(key, cx)
    }

    /// Whether a future has to be pending first, so that other tasks run.
    pub(crate) fn is_turn_over(&self, cx: &Context<'_>) -> bool {
        self.look.cursor.turn.is_over(cx)
    }

    pub(crate) fn cancel(&self, key: &mut TaskKey) {
        self.look.cursor.cancel(key);
    }

    /// Messages published and not yet received, at most the capacity; an instant later there may be more.
    pub fn pending(&self) -> u64 {
        self.look.cursor.pending()
    }

    /// The sequence of the message to receive next.
    pub fn cursor(&self) -> u64 {
        self.look.cursor.place.sequence.get()
    }

    /// Messages received.
    pub fn total_received(&self) -> u64 {
        self.look.cursor.received()
    }

    /// Messages that were not received and no longer will be.
    pub fn total_lagged(&self) -> u64 {
        self.look.cursor.lagged()
    }

    /// The counts as of now, to be compared with those of another time.
    pub fn metrics(&self) -> SubscriberMetrics {
        SubscriberMetrics::of(&self.look.cursor)
    }

    /// Places without a message: see [`ValuePublisher::clear`](crate::ValuePublisher::clear).
    pub fn total_aborted(&self) -> u64 {
        self.look.cursor.aborted()
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.look.cursor.ring.shared.capacity
    }

    /// Whether every publisher is gone. There may still be messages to receive.
    pub fn is_closed(&self) -> bool {
        self.look.cursor.ring.shared.is_closed()
    }
}

impl<T> fmt::Debug for ValueSubscriber<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.look.cursor.fmt("ValueSubscriber", f)
    }
}
