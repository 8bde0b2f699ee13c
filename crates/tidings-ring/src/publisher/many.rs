//! One of many publishers of a copying ring.

mod claiming;
#[cfg(feature = "std")]
mod waiting;

use crate::{
    claim::many::{Keys, Many},
    contract::{Contract, Lossy},
    error::TryPublishError,
    metrics::PublisherMetrics,
    ring::Ring,
    slot::{Payload, Slots},
    subscribable::Subscribable,
};
use core::{
    fmt,
    future::Future,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tidings_core::sync::Arc;

/// One of many publishers of a copying ring. Clone it, or share a reference: it publishes through `&self`. When the last
/// one is dropped the ring closes.
///
/// A publisher claims a slot, writes it, and makes it visible; there is no user code between, and no claim is made before
/// there is room. Subscribers see messages in the order of the claims: each publisher's own order is kept, and what was
/// published before another publication began comes before it.
///
/// # Progress and cost
/// A publication costs one read-modify-write more than that of a single [`Publisher`](crate::Publisher), on a word that all
/// publishers share. Claiming is lock-free. A publisher that is descheduled while it writes its slot lets others publish on;
/// subscribers see them once it goes on, and after a whole lap the others wait for it too.
///
/// # Memory ordering
/// As for a [`Publisher`](crate::Publisher).
///
/// # Panics
/// As for a [`Publisher`](crate::Publisher): only when a waker does.
#[must_use = "dropping the last publisher closes the ring"]
pub struct MpPublisher<T: 'static, C: Contract = Lossy> {
    pub(super) many: Many<Slots<T>>,
    contract: PhantomData<fn() -> C>,
}

impl<T: Payload, C: Contract> MpPublisher<T, C> {
    pub(crate) fn new(ring: Arc<Ring<Slots<T>>>) -> Self {
        Self {
            many: Many::new(ring),
            contract: PhantomData,
        }
    }

    /// Publishes one message if there is room now.
    ///
    /// # Errors
    /// [`TryPublishError::Full`] with the value: a gating subscriber holds the next slot, or, on either kind of ring, a
    /// publisher that stopped in the middle of its message does, a whole lap ago. Nothing was claimed.
    #[inline]
    pub fn try_publish(&self, value: T) -> Result<(), TryPublishError<T>> {
        match self.many.put::<C>(&value) {
            Ok(()) => Ok(()),
            Err(_) => Err(TryPublishError::Full(value)),
        }
    }

    /// Publishes as many of the first `values` as there is room for in one claim; returns how many. They follow each other
    /// in the stream. The rest can be offered again.
    ///
    /// # Examples
    /// ```
    /// let (publisher, subscribable) = tidings_ring::channel_mpmc_bounded::<u64>(2, 0);
    /// let _subscriber = subscribable.subscribe();
    /// assert_eq!(publisher.try_publish_batch(&[1, 2, 3]), 2);
    /// ```
    #[must_use = "values beyond this count were not published"]
    pub fn try_publish_batch(&self, values: &[T]) -> usize {
        if values.is_empty() {
            return 0;
        }
        self.many.put_batch::<C>(values).unwrap_or(0)
    }

    /// The task's form of `publish`. It is ready at once while there is room, on a lossy ring always: a task that does nothing
    /// else keeps its thread from other tasks, unless it yields to the runtime now and then.
    ///
    /// # Cancel safety
    /// A future that is dropped before it is ready has published nothing, and claimed nothing.
    pub fn publish_async(&self, value: T) -> MpPublishFuture<'_, T, C> {
        MpPublishFuture {
            publisher: self,
            value: Some(value),
            keys: Keys::default(),
        }
    }

    /// The place to subscribe at.
    pub fn subscribable(&self) -> Subscribable<T, C> {
        Subscribable::new(Arc::clone(&self.many.ring))
    }
}

impl<T: Payload, C: Contract> MpPublisher<T, C> {
    /// The step of the futures.
    pub(crate) fn poll_publish(
        &self,
        value: &T,
        keys: &mut Keys,
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        while let Err(refused) = self.many.put::<C>(value) {
            ready!(self.many.poll_wait::<C>(refused, 1, keys, cx));
        }
        self.many.cancel(keys);
        Poll::Ready(())
    }

    /// The step of the sink: whether the next message could be published at once, as of now.
    #[cfg(feature = "stream")]
    pub(crate) fn poll_room(&self, keys: &mut Keys, cx: &mut Context<'_>) -> Poll<()> {
        while let Some(refused) = self.many.refused::<C>(1) {
            ready!(self.many.poll_wait::<C>(refused, 1, keys, cx));
        }
        self.many.cancel(keys);
        Poll::Ready(())
    }
}

impl<T, C: Contract> MpPublisher<T, C> {
    pub(crate) fn cancel(&self, keys: &mut Keys) {
        self.many.cancel(keys);
    }

    /// The sequence that the next message gets: how many were claimed so far, on a ring that starts at 0.
    pub fn published(&self) -> u64 {
        self.many.ring.shared.published().get()
    }

    /// The counts as of now, to be compared with those of another time.
    pub fn metrics(&self) -> PublisherMetrics {
        PublisherMetrics::of(&self.many.ring.shared)
    }

    /// What came of what [`Builder::memory`](crate::Builder::memory) asked for; `None` when nothing was asked, or this system has
    /// no mappings.
    #[cfg(feature = "platform")]
    pub fn memory(&self) -> Option<&crate::platform::MemoryReport> {
        self.many.ring.shared.memory.as_ref()
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.many.ring.shared.capacity
    }

    /// Handles of this ring's publishing end, as of now.
    #[cfg(feature = "std")]
    pub(crate) fn handles(&self) -> usize {
        self.many.handles()
    }

    /// Whether both publish into the same ring.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.many.ring, &other.many.ring)
    }
}

impl<T, C: Contract> Clone for MpPublisher<T, C> {
    fn clone(&self) -> Self {
        Self {
            many: self.many.clone(),
            contract: PhantomData,
        }
    }
}

impl<T, C: Contract> fmt::Debug for MpPublisher<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MpPublisher")
            .field("ring", &self.many.ring)
            .finish_non_exhaustive()
    }
}

/// Waits for room and publishes; see [`MpPublisher::publish_async`].
#[must_use = "futures do nothing unless polled"]
pub struct MpPublishFuture<'a, T: 'static, C: Contract = Lossy> {
    publisher: &'a MpPublisher<T, C>,
    value: Option<T>,
    keys: Keys,
}

// The value is plain data, never pinned.
impl<T, C: Contract> Unpin for MpPublishFuture<'_, T, C> {}

impl<T: Payload, C: Contract> Future for MpPublishFuture<'_, T, C> {
    type Output = ();

    /// # Panics
    /// When it is polled after it was ready: the message was published then, once.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self {
            publisher,
            value,
            keys,
        } = self.get_mut();
        let pending = value
            .as_ref()
            .expect("an MpPublishFuture was polled after it was ready");
        ready!(publisher.poll_publish(pending, keys, cx));
        *value = None;
        Poll::Ready(())
    }
}

impl<T, C: Contract> Drop for MpPublishFuture<'_, T, C> {
    fn drop(&mut self) {
        self.publisher.cancel(&mut self.keys);
    }
}

impl<T, C: Contract> fmt::Debug for MpPublishFuture<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MpPublishFuture")
            .field("publisher", &self.publisher)
            .finish_non_exhaustive()
    }
}
