//! Publishing that waits, as a thread: for room, or for a publisher that has not finished the slot.

use super::MpEventPublisher;
use crate::{contract::Gating, error::PublishTimeoutError};
use std::time::{Duration, Instant};
use tidings_core::wait::Deadline;

impl<T: Send + Sync + 'static> MpEventPublisher<T> {
    /// Lets `edit` make the next message out of an old one; waits for room first, for as long as it takes.
    ///
    /// # Panics
    /// When `edit` does; then the message is a tombstone.
    #[inline]
    pub fn publish(&self, mut edit: impl FnOnce(&mut T)) {
        while let Err((refused, again)) = self.many.edit(edit) {
            edit = again;
            self.many.wait::<Gating>(refused, 1, Deadline::NEVER);
        }
    }

    /// [`publish`](Self::publish) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`PublishTimeoutError`] with `edit`, which was not called; nothing was claimed.
    ///
    /// # Panics
    /// As [`publish`](Self::publish).
    pub fn publish_timeout<F: FnOnce(&mut T)>(
        &self,
        edit: F,
        timeout: Duration,
    ) -> Result<(), PublishTimeoutError<F>> {
        self.publish_by(edit, Deadline::after(timeout))
    }

    /// [`publish`](Self::publish) that gives up at `deadline`.
    ///
    /// # Errors
    /// As [`publish_timeout`](Self::publish_timeout).
    ///
    /// # Panics
    /// As [`publish`](Self::publish).
    pub fn publish_deadline<F: FnOnce(&mut T)>(
        &self,
        edit: F,
        deadline: Instant,
    ) -> Result<(), PublishTimeoutError<F>> {
        self.publish_by(edit, Deadline::at(deadline))
    }

    fn publish_by<F: FnOnce(&mut T)>(
        &self,
        mut edit: F,
        deadline: Deadline,
    ) -> Result<(), PublishTimeoutError<F>> {
        while let Err((refused, again)) = self.many.edit(edit) {
            if !self.many.wait::<Gating>(refused, 1, deadline) {
                return Err(PublishTimeoutError(again));
            }
            edit = again;
        }
        Ok(())
    }
}
