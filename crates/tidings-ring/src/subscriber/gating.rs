//! What only a gating subscriber can do: read messages where they lie.

use super::Subscriber;
use crate::{cell::lent::Ref, contract::Gating, error::TryRecvError, slot::Payload};
#[cfg(feature = "std")]
use {
    crate::error::{RecvError, RecvTimeoutError},
    std::time::Duration,
    tidings_core::wait::Deadline,
};

impl<T: Payload + Sync> Subscriber<T, Gating> {
    /// The next message in its slot, without a copy, if it is there. The slot is given back when the
    /// [`Ref`] is dropped.
    ///
    /// # Errors
    /// [`Empty`](TryRecvError::Empty) or [`Closed`](TryRecvError::Closed); never a lag.
    #[inline]
    pub fn try_recv_ref(&mut self) -> Result<Ref<'_, T>, TryRecvError> {
        Ref::of(&mut self.cursor)
    }

    /// [`try_recv_ref`](Self::try_recv_ref) that waits by the ring's wait strategy.
    ///
    /// # Errors
    /// [`RecvError`] once every message was received and the publisher is gone.
    #[cfg(feature = "std")]
    pub fn recv_ref(&mut self) -> Result<Ref<'_, T>, RecvError> {
        self.wait();
        // Ready, and never lagged: what is left is the message, or the close.
        self.try_recv_ref().map_err(|_| RecvError)
    }

    /// [`recv_ref`](Self::recv_ref) that gives up after `timeout`.
    ///
    /// # Errors
    /// [`RecvTimeoutError`]: the time passed, or the ring ended.
    #[cfg(feature = "std")]
    pub fn recv_ref_timeout(&mut self, timeout: Duration) -> Result<Ref<'_, T>, RecvTimeoutError> {
        if !self
            .cursor
            .wait(&self.cursor.ring.shared.strategy, Deadline::after(timeout))
        {
            return Err(RecvTimeoutError::Timeout);
        }
        self.try_recv_ref().map_err(|_| RecvTimeoutError::Closed)
    }

    /// Shows up to `max` messages that are there, with their sequences, to `read`, and returns how
    /// many. Never waits. Each slot is given back when `read` returns from it.
    ///
    /// # Panics
    /// When `read` does; the message it was shown counts as received.
    pub fn read_batch(&mut self, max: usize, mut read: impl FnMut(&T, u64)) -> usize {
        for count in 0..max {
            let Ok(message) = self.try_recv_ref() else {
                return count;
            };
            read(&message, Ref::sequence(&message));
        }
        max
    }
}
