//! The end that receives, on an in-place ring: messages are read where they lie.

#[cfg(feature = "std")]
mod waiting;

use crate::{
    cell::{Cells, lent::Ref},
    contract::{After, Gating, GatingContract},
    cursor::Cursor,
    error::{SubscribeError, TryRecvError},
    lend::RecvRefFuture,
    metrics::SubscriberMetrics,
    observe::Observer,
    observe::SubscriberId,
    ring::Ring,
    shared::Start,
    upstream::{Upstream, open_after},
};
use core::fmt;
use tidings_core::{Sequence, sync::Arc};

/// Where subscribers of an in-place ring come from. Cheap to clone; holds no message back.
pub struct EventSubscribable<T: 'static> {
    ring: Arc<Ring<Cells<T>>>,
}

impl<T: Send + Sync + 'static> EventSubscribable<T> {
    pub(crate) fn new(ring: Arc<Ring<Cells<T>>>) -> Self {
        Self { ring }
    }

    /// A subscriber that starts with the next message. It gates: the publisher waits for it.
    pub fn subscribe(&self) -> EventSubscriber<T> {
        self.open(Start::Next)
    }

    /// A subscriber that starts with the oldest message it can be promised: up to an eighth of the
    /// capacity (at least 1) fewer than the last `capacity` messages, since the publisher may be about
    /// to edit those.
    pub fn subscribe_from_oldest(&self) -> EventSubscriber<T> {
        self.open(Start::Oldest)
    }

    /// A subscriber that receives a message only when all of `upstreams` have done with it; starts with the next message.
    /// As [`Subscribable::subscribe_after`](crate::Subscribable::subscribe_after), where every message is read in place.
    ///
    /// # Errors
    /// [`SubscribeError::OtherRing`] when an upstream is a subscriber of another ring.
    pub fn subscribe_after(
        &self,
        upstreams: &[Upstream],
    ) -> Result<EventSubscriber<T, After>, SubscribeError> {
        let cursor = open_after(&self.ring, upstreams)?;
        Ok(EventSubscriber { cursor })
    }

    /// A subscriber that starts with message `sequence`.
    ///
    /// # Errors
    /// [`SubscribeError::Overwritten`] when that message can no longer be promised, with the oldest
    /// one that could be; [`SubscribeError::Future`] when it is later than the next one.
    pub fn subscribe_at(&self, sequence: u64) -> Result<EventSubscriber<T>, SubscribeError> {
        let cursor = Cursor::open(&self.ring, Start::At(Sequence::new(sequence)))?;
        Ok(EventSubscriber { cursor })
    }

    /// A look at the ring from outside.
    pub fn observer(&self) -> Observer {
        Observer::new(&self.ring)
    }

    fn open(&self, start: Start) -> EventSubscriber<T> {
        let cursor = Cursor::open(&self.ring, start);
        let cursor = cursor.unwrap_or_else(|_| unreachable!("only Start::At can be refused"));
        EventSubscriber { cursor }
    }
}

impl<T> EventSubscribable<T> {
    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.ring.shared.capacity
    }

    /// The sequence that the next message gets; an instant later there may be more.
    pub fn published(&self) -> u64 {
        self.ring.shared.published().get()
    }

    /// Whether the publisher is gone.
    pub fn is_closed(&self) -> bool {
        self.ring.shared.is_closed()
    }
}

impl<T> Clone for EventSubscribable<T> {
    fn clone(&self) -> Self {
        Self {
            ring: Arc::clone(&self.ring),
        }
    }
}

impl<T> fmt::Debug for EventSubscribable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventSubscribable")
            .field("ring", &self.ring)
            .finish_non_exhaustive()
    }
}

/// One subscriber of an in-place ring; sees every message from its start on, and loses none.
///
/// Messages are lent, so there is no `Iterator`: `while let Ok(message) = subscriber.recv_ref() { … }`.
///
/// Not `UnwindSafe`: an edit that panics leaves its slot half edited.
#[must_use = "a subscriber that is dropped receives nothing"]
pub struct EventSubscriber<T: 'static, C: GatingContract = Gating> {
    pub(crate) cursor: Cursor<Cells<T>, C>,
}

impl<T: Send + Sync + 'static, C: GatingContract> EventSubscriber<T, C> {
    /// This subscriber as one that others can come after; see
    /// [`subscribe_after`](EventSubscribable::subscribe_after).
    pub fn upstream(&self) -> Upstream {
        Upstream::of(&self.cursor)
    }

    /// The next message in its slot, if it is there. The slot is given back when the [`Ref`] is
    /// dropped. Wait-free.
    ///
    /// # Errors
    /// [`Empty`](TryRecvError::Empty) or [`Closed`](TryRecvError::Closed); never a lag.
    #[inline]
    pub fn try_recv_ref(&mut self) -> Result<Ref<'_, T>, TryRecvError> {
        Ref::of(&mut self.cursor)
    }

    /// The task's form of `recv_ref`, on any runtime.
    ///
    /// # Errors
    /// [`RecvError`](crate::RecvError) once every message was received and the publisher is gone.
    ///
    /// # Cancel safety
    /// Dropping the future loses no message.
    pub fn recv_ref_async(&mut self) -> RecvRefFuture<'_, T> {
        RecvRefFuture::new(&mut self.cursor)
    }

    /// Shows the next message to `read` if it is there, and returns what `read` does. `None` also
    /// once the ring has ended; [`is_closed`](Self::is_closed) or
    /// [`try_recv_ref`](Self::try_recv_ref) tell.
    ///
    /// # Panics
    /// When `read` does; the message counts as received, so it is not shown again.
    #[inline]
    pub fn process<R>(&mut self, read: impl FnOnce(&T) -> R) -> Option<R> {
        self.try_recv_ref().ok().map(|message| read(&message))
    }

    /// Shows up to `max` messages that are there, with their sequences, to `read`, and returns how
    /// many. Never waits. Each slot is given back when `read` returns from it.
    ///
    /// # Panics
    /// As [`process`](Self::process).
    pub fn read_batch(&mut self, max: usize, read: impl FnMut(&T, u64)) -> usize {
        self.cursor.show(max, read)
    }

    /// Another subscriber that starts at this one's cursor.
    pub fn resubscribe(&self) -> Self {
        Self {
            cursor: self.cursor.twin(),
        }
    }
}

impl<T, C: GatingContract> EventSubscriber<T, C> {
    /// Messages published and not yet received; an instant later there may be more.
    pub fn pending(&self) -> u64 {
        self.cursor.pending()
    }

    /// The sequence of the message to receive next.
    pub fn cursor(&self) -> u64 {
        self.cursor.place.sequence.get()
    }

    /// Messages received.
    pub fn total_received(&self) -> u64 {
        self.cursor.received()
    }

    /// The counts as of now, to be compared with those of another time.
    pub fn metrics(&self) -> SubscriberMetrics {
        SubscriberMetrics::of(&self.cursor)
    }

    /// What an [`Observer`] knows this subscriber by.
    pub fn id(&self) -> Option<SubscriberId> {
        self.cursor.id()
    }

    /// Messages that one of many publishers claimed and gave up: there is nothing to receive in their places.
    pub fn total_aborted(&self) -> u64 {
        self.cursor.aborted()
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.cursor.ring.shared.capacity
    }

    /// Whether the publisher is gone. There may still be messages to receive.
    pub fn is_closed(&self) -> bool {
        self.cursor.ring.shared.is_closed()
    }
}

impl<T, C: GatingContract> fmt::Debug for EventSubscriber<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cursor.fmt("EventSubscriber", f)
    }
}
