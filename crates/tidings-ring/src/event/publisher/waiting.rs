//! Publishing that waits for room, as a thread.

use super::EventPublisher;
use crate::error::PublishTimeoutError;
use std::time::{Duration, Instant};
use tidings_core::wait::Deadline;

impl<T: Send + Sync + 'static> EventPublisher<T> {
    /// Lets `edit` make the next message out of an old one; waits for room first, for as long as it
    /// takes.
    ///
    /// # Panics
    /// When `edit` does; then nothing was published, the slot keeps what was edited so far, and the
    /// publisher stays usable.
    #[inline]
    pub fn publish(&mut self, mut edit: impl FnOnce(&mut T)) {
        while let Err(refused) = self.claim.edit(edit) {
            edit = refused;
            self.claim.wait_for_room(1, Deadline::NEVER);
        }
    }

    /// [`publish`](Self::publish) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`PublishTimeoutError`] with `edit`, which was not called.
    ///
    /// # Panics
    /// As [`publish`](Self::publish).
    pub fn publish_timeout<F: FnOnce(&mut T)>(
        &mut self,
        edit: F,
        timeout: Duration,
    ) -> Result<(), PublishTimeoutError<F>> {
        self.publish_by(edit, Deadline::after(timeout))
    }

    /// [`publish`](Self::publish) that gives up at `deadline`.
    ///
    /// # Errors
    /// [`PublishTimeoutError`] with `edit`, which was not called.
    ///
    /// # Panics
    /// As [`publish`](Self::publish).
    pub fn publish_deadline<F: FnOnce(&mut T)>(
        &mut self,
        edit: F,
        deadline: Instant,
    ) -> Result<(), PublishTimeoutError<F>> {
        self.publish_by(edit, Deadline::at(deadline))
    }

    fn publish_by<F: FnOnce(&mut T)>(
        &mut self,
        mut edit: F,
        deadline: Deadline,
    ) -> Result<(), PublishTimeoutError<F>> {
        while let Err(refused) = self.claim.edit(edit) {
            if !self.claim.wait_for_room(1, deadline) {
                return Err(PublishTimeoutError(refused));
            }
            edit = refused;
        }
        Ok(())
    }
}
