//! The end that receives, on a copying ring: every way to take a message that does not wait.

mod drain;
mod gating;
#[cfg(feature = "std")]
mod iter;
#[cfg(feature = "std")]
mod waiting;

pub use drain::Drain;
#[cfg(feature = "std")]
pub use iter::{IntoIter, Iter};

use crate::{
    contract::{Contract, Lossy},
    cursor::{ATTEMPTS, Cursor},
    error::TryRecvError,
    metrics::{SubscriberMetrics, ratio},
    observe::SubscriberId,
    slot::{Payload, Slots},
};
use core::{
    fmt,
    mem::MaybeUninit,
    task::{Context, Poll},
};
use tidings_core::wait::TaskKey;

/// One subscriber of a copying ring; sees every message from its start on, under its contract.
///
/// | | [`Lossy`] | [`Gating`](crate::Gating) |
/// |---|---|---|
/// | a slow one | loses the oldest messages, and knows how many | holds the publisher back, loses none |
/// | reads | a validated copy | a copy, or the message in place |
/// | dropped | nothing to do | its gate opens at once |
///
/// At every return `total_received() + total_lagged() + total_aborted()` is `cursor()` less the first sequence.
///
/// # Memory ordering
/// What the publisher did before it published a message happens before whatever a subscriber does
/// after receiving it. Giving a slot back happens before the publisher writes it again.
///
/// # Panics
/// A gating subscriber that gives a slot back, or is dropped, may wake a task that waits to publish;
/// if that task's waker panics, so does the call, when all it had to do is done.
#[must_use = "a subscriber that is dropped receives nothing"]
pub struct Subscriber<T: 'static, C: Contract = Lossy> {
    pub(crate) cursor: Cursor<Slots<T>, C>,
}

impl<T: Payload, C: Contract> Subscriber<T, C> {
    pub(crate) fn new(cursor: Cursor<Slots<T>, C>) -> Self {
        Self { cursor }
    }

    /// The next message, if it is there. Never waits; one slot is all it looks
    /// at. Wait-free, but that a gating subscriber may have to wake a publisher that waits for its slot.
    ///
    /// # Errors
    /// [`Empty`](TryRecvError::Empty) · [`Lagged`](TryRecvError::Lagged), after which the next call
    /// gives the oldest message retained · [`Closed`](TryRecvError::Closed), after the last message.
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::{TryRecvError, channel};
    /// let (mut publisher, subscribable) = channel::<char>(1);
    /// let mut subscriber = subscribable.subscribe();
    /// assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
    /// publisher.publish('a');
    /// publisher.publish('b');
    /// assert_eq!(subscriber.try_recv(), Err(TryRecvError::Lagged { skipped: 1 }));
    /// assert_eq!(subscriber.try_recv(), Ok('b'));
    /// drop(publisher);
    /// assert_eq!(subscriber.try_recv(), Err(TryRecvError::Closed));
    /// ```
    #[inline]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        self.cursor.receive()
    }

    /// [`try_recv`](Self::try_recv) to where the value is wanted; for a large one that saves a copy.
    /// After an error `place` may hold parts of messages.
    ///
    /// # Errors
    /// As [`try_recv`](Self::try_recv).
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// let (mut publisher, subscribable) = tidings_ring::channel::<[u64; 512]>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// publisher.publish_from(&[7; 512]);
    ///
    /// let mut place = MaybeUninit::uninit();
    /// let message = subscriber.try_recv_into(&mut place)?;
    /// assert_eq!(message[511], 7);
    /// # Ok::<(), tidings_ring::TryRecvError>(())
    /// ```
    #[inline]
    pub fn try_recv_into<'a>(
        &mut self,
        place: &'a mut MaybeUninit<T>,
    ) -> Result<&'a mut T, TryRecvError> {
        self.cursor.receive_to(place)
    }

    /// Takes what is there, up to the length of `buffer`, and returns how many messages that were.
    /// Never waits; lost messages are passed over and counted. Fewer than the buffer holds means that
    /// there are no more, or that the publisher overtook 64 attempts in a row.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::channel::<u64>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// publisher.publish_batch(&[1, 2, 3]);
    ///
    /// let mut buffer = [0; 2];
    /// assert_eq!(subscriber.recv_batch(&mut buffer), 2);
    /// assert_eq!((buffer, subscriber.pending()), ([1, 2], 1));
    /// ```
    #[must_use = "the buffer beyond this count is what it was"]
    pub fn recv_batch(&mut self, buffer: &mut [T]) -> usize {
        let mut filled = 0;
        for (place, value) in buffer.iter_mut().zip(self.drain()) {
            *place = value;
            filled += 1;
        }
        filled
    }

    /// The newest message not yet received; older unread ones are passed over, and counted as
    /// lagged. `None` when there is no unread message, or when the publisher overwrote it under
    /// this call 64 times in a row.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::channel::<u64>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// publisher.publish_batch(&[1, 2, 3]);
    /// assert_eq!(subscriber.latest(), Some(3));
    /// assert_eq!(subscriber.latest(), None);
    /// assert_eq!(subscriber.total_lagged(), 2);
    /// ```
    pub fn latest(&mut self) -> Option<T> {
        for _ in 0..ATTEMPTS {
            let newest = self.cursor.newest();
            if self.cursor.place.sequence.is_before(newest) {
                self.cursor.pass_over(newest);
            }
            match self.try_recv() {
                Ok(value) => return Some(value),
                Err(TryRecvError::Lagged { .. }) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            }
        }
        None
    }

    /// Another subscriber under the same contract that starts at this one's cursor, with counts of
    /// its own.
    pub fn resubscribe(&self) -> Self {
        Self::new(self.cursor.twin())
    }

    /// The step of the futures.
    pub(crate) fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.cursor.poll_ready(key, cx)
    }

    /// The same in turn.
    pub(crate) fn poll_in_turn(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.cursor.poll_in_turn(key, cx)
    }

    /// Whether a future or stream has to be pending first, so that other tasks run.
    #[inline]
    pub(crate) fn is_turn_over(&self, cx: &Context<'_>) -> bool {
        self.cursor.turn.is_over(cx)
    }
}

impl<T, C: Contract> Subscriber<T, C> {
    pub(crate) fn cancel(&self, key: &mut TaskKey) {
        self.cursor.ring.shared.ready.cancel(key);
    }

    /// Messages published and not yet received, at most the capacity; an instant later there may be
    /// more. On a lossy subscriber that is behind by more, the rest is lost already.
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

    /// Messages that were not received and no longer will be.
    pub fn total_lagged(&self) -> u64 {
        self.cursor.lagged()
    }

    /// Messages that one of many publishers claimed and gave up: there is nothing to receive in their places.
    pub fn total_aborted(&self) -> u64 {
        self.cursor.aborted()
    }

    /// The counts as of now, to be compared with those of another time.
    pub fn metrics(&self) -> SubscriberMetrics {
        SubscriberMetrics::of(&self.cursor)
    }

    /// What an [`Observer`](crate::Observer) knows this subscriber by; `None` for a lossy one that is not tracked.
    pub fn id(&self) -> Option<SubscriberId> {
        self.cursor.id()
    }

    /// Received messages as a share of those received or lost, from 0 to 1; 1 before the first.
    pub fn receive_ratio(&self) -> f64 {
        ratio(self.total_received(), self.total_lagged())
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

impl<T, C: Contract> fmt::Debug for Subscriber<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cursor.fmt("Subscriber", f)
    }
}
