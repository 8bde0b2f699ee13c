//! Waiting for a message, as a thread.

use super::EventSubscriber;
use crate::{
    cell::lent::Ref,
    contract::GatingContract,
    error::{RecvError, RecvTimeoutError},
};
use std::time::{Duration, Instant};
use tidings_core::wait::Deadline;

impl<T: Send + Sync + 'static, C: GatingContract> EventSubscriber<T, C> {
    /// [`try_recv_ref`](Self::try_recv_ref) that waits by the ring's wait strategy.
    ///
    /// # Errors
    /// [`RecvError`] once every message was received and the publisher is gone.
    pub fn recv_ref(&mut self) -> Result<Ref<'_, T>, RecvError> {
        self.cursor.lend_by(Deadline::NEVER).map_err(|_| RecvError)
    }

    /// [`recv_ref`](Self::recv_ref) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`RecvTimeoutError`]: the time passed, or the ring ended.
    pub fn recv_ref_timeout(&mut self, timeout: Duration) -> Result<Ref<'_, T>, RecvTimeoutError> {
        self.cursor.lend_by(Deadline::after(timeout))
    }

    /// [`recv_ref`](Self::recv_ref) that gives up at `deadline`.
    ///
    /// # Errors
    /// As [`recv_ref_timeout`](Self::recv_ref_timeout).
    pub fn recv_ref_deadline(&mut self, deadline: Instant) -> Result<Ref<'_, T>, RecvTimeoutError> {
        self.cursor.lend_by(Deadline::at(deadline))
    }
}
