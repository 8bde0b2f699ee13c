//! What only a gating subscriber can do: read messages where they lie.

use super::Subscriber;
use crate::{
    cell::lent::{RecvRefFuture, Ref},
    contract::Gating,
    error::TryRecvError,
    slot::Payload,
};
#[cfg(feature = "std")]
use {
    crate::error::{RecvError, RecvTimeoutError},
    std::time::{Duration, Instant},
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
        self.cursor.lend_by(Deadline::NEVER).map_err(|_| RecvError)
    }

    /// [`recv_ref`](Self::recv_ref) that gives up after `timeout`.
    ///
    /// # Errors
    /// [`RecvTimeoutError`]: the time passed, or the ring ended.
    #[cfg(feature = "std")]
    pub fn recv_ref_timeout(&mut self, timeout: Duration) -> Result<Ref<'_, T>, RecvTimeoutError> {
        self.cursor.lend_by(Deadline::after(timeout))
    }

    /// [`recv_ref`](Self::recv_ref) that gives up at `deadline`.
    ///
    /// # Errors
    /// As [`recv_ref_timeout`](Self::recv_ref_timeout).
    #[cfg(feature = "std")]
    pub fn recv_ref_deadline(&mut self, deadline: Instant) -> Result<Ref<'_, T>, RecvTimeoutError> {
        self.cursor.lend_by(Deadline::at(deadline))
    }

    /// The task's form of [`recv_ref`](Self::recv_ref), on any runtime.
    ///
    /// # Errors
    /// As [`recv_ref`](Self::recv_ref).
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
