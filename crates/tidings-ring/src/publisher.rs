//! The end that publishes, on a copying ring.

use crate::{
    claim::Claim,
    contract::{Contract, Lossy},
    error::TryPublishError,
    future::PublishFuture,
    ring::Ring,
    slot::{Payload, Slots},
    subscribable::Subscribable,
};
use core::{
    fmt,
    marker::PhantomData,
    task::{Context, Poll},
};
use tidings_core::{sync::Arc, wait::TaskKey};
#[cfg(feature = "std")]
use {
    crate::error::PublishTimeoutError,
    std::time::{Duration, Instant},
    tidings_core::wait::Deadline,
};

/// The one publisher of a copying ring. Dropping it closes the ring: subscribers drain, then end.
///
/// On a lossy ring publishing never waits and never fails. On a gating ring it waits, by the ring's
/// wait strategy, while the slowest gating subscriber is a whole ring (less the watermark) behind; a
/// subscriber that is dropped, also by a panic, no longer counts, and with none left publishing goes
/// on as on a lossy ring. A subscriber that is leaked holds the publisher back for good: use the
/// forms with a deadline where that may happen.
///
/// Leaking the publisher itself (`mem::forget`) leaves the ring open for good.
pub struct Publisher<T: 'static, C: Contract = Lossy> {
    claim: Claim<Slots<T>>,
    contract: PhantomData<fn() -> C>,
}

impl<T: Payload, C: Contract> Publisher<T, C> {
    pub(crate) fn new(ring: Arc<Ring<Slots<T>>>) -> Self {
        Self {
            claim: Claim::new(ring),
            contract: PhantomData,
        }
    }

    /// Publishes one message; on a full gating ring waits for as long as it takes.
    ///
    /// # Progress and cost
    /// Wait-free when there is room: the payload's stores and three more, no system call and no
    /// allocation unless somebody sleeps and has to be woken.
    #[cfg(feature = "std")]
    #[inline]
    pub fn publish(&mut self, value: T) {
        self.publish_from(&value);
    }

    /// [`publish`](Self::publish) from where the value lies; for a large one that saves a copy.
    #[cfg(feature = "std")]
    #[inline]
    pub fn publish_from(&mut self, value: &T) {
        while !self.put(value) {
            self.claim.wait_for_room(Deadline::NEVER);
        }
    }

    /// Publishes what `make` returns. Waits for room first, then calls it.
    ///
    /// # Panics
    /// When `make` does; then nothing was published, and the publisher stays usable.
    #[cfg(feature = "std")]
    #[inline]
    pub fn publish_with(&mut self, make: impl FnOnce() -> T) {
        if C::GATING && !self.claim.has_room() {
            self.claim.wait_for_room(Deadline::NEVER);
        }
        self.put(&make());
    }

    /// Publishes one message if there is room now; on a lossy ring there always is.
    ///
    /// # Errors
    /// [`TryPublishError::Full`] with the value.
    #[inline]
    pub fn try_publish(&mut self, value: T) -> Result<(), TryPublishError<T>> {
        if self.put(&value) {
            Ok(())
        } else {
            Err(TryPublishError::Full(value))
        }
    }

    /// [`publish`](Self::publish) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`PublishTimeoutError`] with the value, when no slot became free in time.
    #[cfg(feature = "std")]
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
    #[cfg(feature = "std")]
    pub fn publish_deadline(
        &mut self,
        value: T,
        deadline: Instant,
    ) -> Result<(), PublishTimeoutError<T>> {
        self.publish_by(value, Deadline::at(deadline))
    }

    #[cfg(feature = "std")]
    fn publish_by(&mut self, value: T, deadline: Deadline) -> Result<(), PublishTimeoutError<T>> {
        while !self.put(&value) {
            if !self.claim.wait_for_room(deadline) {
                return Err(PublishTimeoutError(value));
            }
        }
        Ok(())
    }

    /// The task's form of [`publish`](Self::publish).
    ///
    /// # Cancel safety
    /// A future that is dropped before it is ready has published nothing.
    pub fn publish_async(&mut self, value: T) -> PublishFuture<'_, T, C> {
        PublishFuture::new(self, value)
    }

    /// Publishes all of `values` in order, waiting for room as often as needed; an empty slice does
    /// nothing. A slice longer than the ring is published in parts, so subscribers that read on
    /// another thread are enough to get it through.
    #[cfg(feature = "std")]
    pub fn publish_batch(&mut self, mut values: &[T]) {
        loop {
            values = &values[self.try_publish_batch(values)..];
            if values.is_empty() {
                return;
            }
            if C::GATING {
                self.claim.wait_for_room(Deadline::NEVER);
            }
        }
    }

    /// Publishes as many of the first `values` as there is room for, on a lossy ring all; returns
    /// how many. The rest can be offered again.
    pub fn try_publish_batch(&mut self, values: &[T]) -> usize {
        let mut rest = values;
        loop {
            let part = self.claim.write_batch::<C>(rest);
            if part == 0 {
                return values.len() - rest.len();
            }
            self.claim.announce();
            rest = &rest[part..];
        }
    }

    /// Writes and announces one message, if there is room.
    #[inline]
    fn put(&mut self, value: &T) -> bool {
        let written = self.claim.write::<C>(value);
        if written {
            self.claim.announce();
        }
        written
    }

    /// The step of [`PublishFuture`].
    pub(crate) fn poll_publish(
        &mut self,
        value: &T,
        key: &mut TaskKey,
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        while !self.put(value) {
            core::task::ready!(self.claim.poll_for_room(key, cx));
        }
        Poll::Ready(())
    }
}

impl<T, C: Contract> Publisher<T, C> {
    pub(crate) fn cancel(&self, key: &mut TaskKey) {
        self.claim.ring.shared.freed.cancel(key);
    }

    /// The sequence that the next message gets: how many were published, on a ring that starts at 0.
    pub fn published(&self) -> u64 {
        self.claim.place.sequence.get()
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.claim.ring.shared.capacity
    }
}

impl<T: Payload, C: Contract> Publisher<T, C> {
    /// The place to subscribe at.
    pub fn subscribable(&self) -> Subscribable<T, C> {
        Subscribable::new(Arc::clone(&self.claim.ring))
    }
}

impl<T, C: Contract> fmt::Debug for Publisher<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Publisher")
            .field("ring", &self.claim.ring)
            .finish_non_exhaustive()
    }
}
