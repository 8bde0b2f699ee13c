//! Publishing that waits for room, as a thread.

use super::Publisher;
use crate::{contract::Contract, error::PublishTimeoutError, slot::Payload};
use std::time::{Duration, Instant};
use tidings_core::wait::Deadline;

impl<T: Payload, C: Contract> Publisher<T, C> {
    /// Publishes one message; on a full gating ring waits for as long as it takes.
    ///
    /// # Progress and cost
    /// Wait-free while there is room, between two looks at the gates (one in an eighth of the capacity,
    /// lock-free): the payload's stores and three more. No allocation, and no system call unless
    /// somebody sleeps and has to be woken.
    #[inline]
    pub fn publish(&mut self, value: T) {
        self.publish_from(&value);
    }

    /// [`publish`](Self::publish) from where the value lies; for a large one that saves a copy.
    #[inline]
    pub fn publish_from(&mut self, value: &T) {
        while !self.put(value) {
            self.claim.wait_for_room(1, Deadline::NEVER);
        }
    }

    /// Publishes what `make` returns. Waits for room first, then calls it (one of many publishers does it the other way round).
    ///
    /// # Panics
    /// When `make` does; then nothing was published, and the publisher stays usable.
    #[inline]
    pub fn publish_with(&mut self, make: impl FnOnce() -> T) {
        if C::GATING && !self.claim.has_room() {
            self.claim.wait_for_room(1, Deadline::NEVER);
        }
        let written = self.put(&make());
        debug_assert!(written, "room was made above");
    }

    /// [`publish`](Self::publish) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`PublishTimeoutError`] with the value, when no slot became free in time.
    pub fn publish_timeout(
        &mut self,
        value: T,
        timeout: Duration,
    ) -> Result<(), PublishTimeoutError<T>> {
        self.publish_by(value, Deadline::after(timeout))
    }

    /// [`publish`](Self::publish) that gives up at `deadline`.
    ///
    /// # Errors
    /// [`PublishTimeoutError`] with the value, when no slot became free in time.
    pub fn publish_deadline(
        &mut self,
        value: T,
        deadline: Instant,
    ) -> Result<(), PublishTimeoutError<T>> {
        self.publish_by(value, Deadline::at(deadline))
    }

    fn publish_by(&mut self, value: T, deadline: Deadline) -> Result<(), PublishTimeoutError<T>> {
        while !self.put(&value) {
            if !self.claim.wait_for_room(1, deadline) {
                return Err(PublishTimeoutError(value));
            }
        }
        Ok(())
    }

    /// Publishes all of `values` in order, waiting for room as often as needed; an empty slice does
    /// nothing. A slice longer than the ring is published in parts, so subscribers that read on
    /// another thread are enough to get it through.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::channel::<u64>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// publisher.publish_batch(&[1, 2, 3]);
    /// assert!(subscriber.drain().eq([1, 2, 3]));
    /// ```
    pub fn publish_batch(&mut self, mut values: &[T]) {
        loop {
            values = &values[self.try_publish_batch(values)..];
            if values.is_empty() {
                return;
            }
            if C::GATING {
                self.claim.wait_for_room(1, Deadline::NEVER);
            }
        }
    }
}
