//! Publishing that waits, as a thread: for room, or for a publisher that has not finished the slot.

use super::MpPublisher;
use crate::{claim::many::Refused, contract::Contract, error::PublishTimeoutError, slot::Payload};
use std::time::{Duration, Instant};
use tidings_core::wait::Deadline;

impl<T: Payload, C: Contract> MpPublisher<T, C> {
    /// Publishes one message; on a full gating ring waits for as long as it takes.
    #[inline(always)]
    pub fn publish(&self, value: T) {
        self.publish_from(&value);
    }

    /// [`publish`](Self::publish) from where the value lies; for a large one that saves a copy.
    #[inline(always)]
    pub fn publish_from(&self, value: &T) {
        if let Err(refused) = self.many.put::<C>(value) {
            self.publish_after(refused, value);
        }
    }

    /// Goes on from a first attempt that was refused. Out of line, so that the way of a message is short.
    #[cold]
    #[inline(never)]
    fn publish_after(&self, mut refused: Refused, value: &T) {
        loop {
            self.many.wait::<C>(refused, 1, Deadline::NEVER);
            match self.many.put::<C>(value) {
                Ok(()) => return,
                Err(again) => refused = again,
            }
        }
    }

    /// Publishes what `make` returns. Calls it before anything is claimed, and before it waits (a single publisher does it the other
    /// way round).
    ///
    /// # Panics
    /// When `make` does; then nothing was published, and nobody else notices.
    #[inline]
    pub fn publish_with(&self, make: impl FnOnce() -> T) {
        self.publish_from(&make());
    }

    /// [`publish`](Self::publish) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`PublishTimeoutError`] with the value, when no slot became free in time; nothing was claimed.
    pub fn publish_timeout(
        &self,
        value: T,
        timeout: Duration,
    ) -> Result<(), PublishTimeoutError<T>> {
        self.publish_by(value, Deadline::after(timeout))
    }

    /// [`publish`](Self::publish) that gives up at `deadline`.
    ///
    /// # Errors
    /// As [`publish_timeout`](Self::publish_timeout).
    pub fn publish_deadline(
        &self,
        value: T,
        deadline: Instant,
    ) -> Result<(), PublishTimeoutError<T>> {
        self.publish_by(value, Deadline::at(deadline))
    }

    fn publish_by(&self, value: T, deadline: Deadline) -> Result<(), PublishTimeoutError<T>> {
        while let Err(refused) = self.many.put::<C>(&value) {
            if !self.many.wait::<C>(refused, 1, deadline) {
                return Err(PublishTimeoutError(value));
            }
        }
        Ok(())
    }

    /// Publishes all of `values` in order, waiting for room as often as needed; an empty slice does nothing. What one claim
    /// has room for stays together; messages of others may come between the parts.
    ///
    /// # Examples
    /// ```
    /// let (publisher, subscribable) = tidings_ring::channel_mpmc::<u64>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// publisher.publish_batch(&[1, 2, 3]);
    /// assert!(subscriber.drain().eq([1, 2, 3]));
    /// ```
    pub fn publish_batch(&self, mut values: &[T]) {
        while !values.is_empty() {
            match self.many.put_batch::<C>(values) {
                Ok(count) => values = &values[count..],
                Err(refused) => {
                    self.many.wait::<C>(refused, 1, Deadline::NEVER);
                }
            }
        }
    }
}
