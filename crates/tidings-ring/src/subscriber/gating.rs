//! What only a gating subscriber can do: read messages where they lie.

use super::Subscriber;
use crate::{
    cell::lent::Ref, contract::GatingContract, error::TryRecvError, lend::RecvRefFuture,
    slot::Payload, upstream::Upstream,
};

impl<T: Payload, C: GatingContract> Subscriber<T, C> {
    /// This subscriber as one that others can come after; see
    /// [`subscribe_after`](crate::Subscribable::subscribe_after).
    pub fn upstream(&self) -> Upstream {
        Upstream::of(&self.cursor)
    }
}

impl<T: Payload + Sync, C: GatingContract> Subscriber<T, C> {
    /// The next message in its slot, without a copy, if it is there. The slot is given back when the
    /// [`Ref`] is dropped.
    ///
    /// # Errors
    /// [`Empty`](TryRecvError::Empty) or [`Closed`](TryRecvError::Closed); never a lag.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::channel_bounded::<[u8; 4096]>(1, 0);
    /// let mut subscriber = subscribable.subscribe();
    /// publisher.publish_from(&[7; 4096]);
    ///
    /// let page = subscriber.try_recv_ref()?;
    /// assert_eq!(page[4095], 7);
    /// assert!(publisher.try_publish([8; 4096]).is_err(), "the slot is lent");
    /// drop(page);
    /// assert!(publisher.try_publish([8; 4096]).is_ok());
    /// # Ok::<(), tidings_ring::TryRecvError>(())
    /// ```
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

    /// Shows up to `max` messages that are there, with their sequences, to `read`, and returns how
    /// many. Never waits. Each slot is given back when `read` returns from it.
    ///
    /// # Panics
    /// When `read` does; the message it was shown counts as received.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::channel_bounded::<u64>(8, 0);
    /// let mut subscriber = subscribable.subscribe();
    /// publisher.publish_batch(&[1, 2, 3]);
    ///
    /// let mut sum = 0;
    /// assert_eq!(subscriber.read_batch(2, |value, _sequence| sum += value), 2);
    /// assert_eq!((sum, subscriber.pending()), (3, 1));
    /// ```
    pub fn read_batch(&mut self, max: usize, read: impl FnMut(&T, u64)) -> usize {
        self.cursor.show(max, read)
    }
}
