//! The end that publishes, on a copying ring: the forms that do not wait.

mod claiming;
mod many;
#[cfg(feature = "std")]
mod waiting;

pub use many::{MpPublishFuture, MpPublisher};

use crate::{
    claim::Claim,
    contract::{Contract, Lossy},
    error::TryPublishError,
    metrics::PublisherMetrics,
    ring::Ring,
    slot::{Payload, Slots},
    subscribable::Subscribable,
};
use core::{
    fmt,
    marker::PhantomData,
    task::{Context, Poll, ready},
};
use tidings_core::{sync::Arc, wait::TaskKey};

/// The one publisher of a copying ring. Dropping it closes the ring: subscribers drain, then end.
///
/// On a lossy ring publishing never waits and never fails. On a gating ring it waits, by the ring's
/// wait strategy, while the slowest gating subscriber is a whole ring (less the watermark) behind; a
/// subscriber that is dropped, also by a panic, no longer counts, and with none left publishing goes
/// on as on a lossy ring. A subscriber that is leaked holds the publisher back for good: use the
/// forms with a deadline where that may happen.
///
/// Leaking the publisher itself (`mem::forget`) leaves the ring open for good.
///
/// # Memory ordering
/// What the publisher did before it published a message happens before whatever a subscriber does
/// after receiving it.
///
/// # Panics
/// Publishing and dropping wake tasks that wait for messages. If a waker panics, so does the call,
/// when the message is published, or the ring closed, and every other task is woken.
#[must_use = "dropping the publisher closes the ring"]
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

    /// Publishes one message if there is room now; on a lossy ring there always is.
    ///
    /// # Errors
    /// [`TryPublishError::Full`] with the value.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::channel_bounded::<u64>(1, 0);
    /// let _subscriber = subscribable.subscribe();
    /// assert!(publisher.try_publish(1).is_ok());
    /// assert_eq!(publisher.try_publish(2).unwrap_err().into_inner(), 2);
    /// ```
    #[inline]
    pub fn try_publish(&mut self, value: T) -> Result<(), TryPublishError<T>> {
        if self.put(&value) {
            Ok(())
        } else {
            Err(TryPublishError::Full(value))
        }
    }

    /// Publishes as many of the first `values` as there is room for, on a lossy ring all; returns
    /// how many. The rest can be offered again.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::channel_bounded::<u64>(2, 0);
    /// let _subscriber = subscribable.subscribe();
    /// assert_eq!(publisher.try_publish_batch(&[1, 2, 3]), 2);
    /// ```
    #[must_use = "values beyond this count were not published"]
    pub fn try_publish_batch(&mut self, values: &[T]) -> usize {
        let mut rest = values;
        loop {
            let part = self.claim.write_batch::<C>(rest);
            if part == 0 {
                return values.len() - rest.len();
            }
            self.claim.commit();
            rest = &rest[part..];
        }
    }

    /// Writes and commits one message, if there is room.
    #[inline]
    fn put(&mut self, value: &T) -> bool {
        let written = self.claim.write::<C>(value);
        if written {
            self.claim.commit();
        }
        written
    }

    /// The step of the future.
    pub(crate) fn poll_publish(
        &mut self,
        value: &T,
        key: &mut TaskKey,
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        while !self.put(value) {
            ready!(self.claim.poll_for_room(1, key, cx));
        }
        self.cancel(key);
        Poll::Ready(())
    }

    /// The step of the sink: whether the next message can be published at once.
    #[cfg(feature = "stream")]
    pub(crate) fn poll_room(&mut self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        if C::GATING && !self.claim.has_room() {
            ready!(self.claim.poll_for_room(1, key, cx));
        }
        self.cancel(key);
        Poll::Ready(())
    }
}

impl<T, C: Contract> Publisher<T, C> {
    /// Tells its ring from every other one.
    #[cfg(feature = "std")]
    pub(crate) fn ring_number(&self) -> core::num::NonZeroUsize {
        self.claim.ring.shared.number
    }

    pub(crate) fn cancel(&self, key: &mut TaskKey) {
        self.claim.ring.shared.freed.cancel(key);
    }

    /// The sequence that the next message gets: how many were published, on a ring that starts at 0.
    pub fn published(&self) -> u64 {
        self.claim.place.sequence.get()
    }

    /// The counts as of now, to be compared with those of another time.
    pub fn metrics(&self) -> PublisherMetrics {
        PublisherMetrics::of(&self.claim.ring.shared)
    }

    /// What came of what [`Builder::memory`](crate::Builder::memory) asked for; `None` when nothing was asked, or this system has
    /// no mappings.
    #[cfg(feature = "platform")]
    pub fn memory(&self) -> Option<&crate::platform::MemoryReport> {
        self.claim.ring.shared.memory.as_ref()
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

/// Without `std` nothing can wait, and on a lossy ring nothing has to.
#[cfg(not(feature = "std"))]
impl<T: Payload> Publisher<T, Lossy> {
    /// Publishes one message.
    #[inline]
    pub fn publish(&mut self, value: T) {
        self.publish_from(&value);
    }

    /// [`publish`](Self::publish) from where the value lies; for a large one that saves a copy.
    #[inline]
    pub fn publish_from(&mut self, value: &T) {
        let written = self.put(value);
        debug_assert!(written, "a lossy ring has room");
    }
}
