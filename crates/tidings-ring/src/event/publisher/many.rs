//! One of many publishers of an in-place ring.

mod claiming;
#[cfg(feature = "std")]
mod waiting;

use crate::{
    cell::Cells,
    claim::many::{Keys, Many},
    contract::Gating,
    error::TryPublishError,
    event::subscriber::EventSubscribable,
    metrics::PublisherMetrics,
    ring::Ring,
};
use core::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tidings_core::sync::Arc;

/// One of many publishers of an in-place ring. Clone it, or share a reference: it publishes through `&self`. When the last
/// one is dropped the ring closes.
///
/// An edit runs in the slot that was claimed for it. Until it returns, subscribers wait at that message, and see what others
/// have published meanwhile afterwards: keep edits short. If it panics, a tombstone takes the message's place, which
/// subscribers pass over ([`EventSubscriber::total_aborted`](crate::EventSubscriber::total_aborted)).
///
/// Not `UnwindSafe`: an edit that panics leaves its slot half edited, for whoever edits it next.
#[must_use = "dropping the last publisher closes the ring"]
pub struct MpEventPublisher<T: 'static> {
    pub(crate) many: Many<Cells<T>>,
}

impl<T: Send + Sync + 'static> MpEventPublisher<T> {
    pub(crate) fn new(ring: Arc<Ring<Cells<T>>>) -> Self {
        Self {
            many: Many::new(ring),
        }
    }

    /// Lets `edit` make the next message out of an old one, if there is room now.
    ///
    /// # Errors
    /// [`TryPublishError::Full`] with `edit`, which was not called: a gating subscriber holds the next slot, or another
    /// publisher edits it since a whole lap. Nothing was claimed.
    ///
    /// # Panics
    /// When `edit` does; then the message is a tombstone.
    #[inline]
    pub fn try_publish<F: FnOnce(&mut T)>(&self, edit: F) -> Result<(), TryPublishError<F>> {
        self.many
            .edit(edit)
            .map_err(|(_, edit)| TryPublishError::Full(edit))
    }

    /// The task's form of `publish`: waits for room, then lets `edit` make the next message.
    ///
    /// # Cancel safety
    /// A future that is dropped before it is ready has not called `edit`, and claimed nothing.
    pub fn publish_async<F: FnOnce(&mut T)>(&self, edit: F) -> MpEventPublishFuture<'_, T, F> {
        MpEventPublishFuture {
            publisher: self,
            edit: Some(edit),
            keys: Keys::default(),
        }
    }

    /// The place to subscribe at.
    pub fn subscribable(&self) -> EventSubscribable<T> {
        EventSubscribable::new(Arc::clone(&self.many.ring))
    }
}

impl<T> MpEventPublisher<T> {
    /// The sequence that the next message gets: how many were claimed so far, on a ring that starts at 0.
    pub fn published(&self) -> u64 {
        self.many.ring.shared.published().get()
    }

    /// The counts as of now, to be compared with those of another time.
    pub fn metrics(&self) -> PublisherMetrics {
        PublisherMetrics::of(&self.many.ring.shared)
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.many.ring.shared.capacity
    }

    /// Whether both publish into the same ring.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.many.ring, &other.many.ring)
    }
}

impl<T> Clone for MpEventPublisher<T> {
    fn clone(&self) -> Self {
        Self {
            many: self.many.clone(),
        }
    }
}

impl<T> fmt::Debug for MpEventPublisher<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MpEventPublisher")
            .field("ring", &self.many.ring)
            .finish_non_exhaustive()
    }
}

/// Waits for room and publishes; see [`MpEventPublisher::publish_async`].
#[must_use = "futures do nothing unless polled"]
pub struct MpEventPublishFuture<'a, T: 'static, F> {
    publisher: &'a MpEventPublisher<T>,
    edit: Option<F>,
    keys: Keys,
}

// The closure is called by value, never pinned.
impl<T, F> Unpin for MpEventPublishFuture<'_, T, F> {}

impl<T, F> Future for MpEventPublishFuture<'_, T, F>
where
    T: Send + Sync + 'static,
    F: FnOnce(&mut T),
{
    type Output = ();

    /// # Panics
    /// When `edit` does, or when it is polled after that or after it was ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self {
            publisher,
            edit,
            keys,
        } = self.get_mut();
        loop {
            let call = edit
                .take()
                .expect("an MpEventPublishFuture was polled after its end");
            let (refused, call) = match publisher.many.edit(call) {
                Ok(()) => break,
                Err(refused) => refused,
            };
            *edit = Some(call);
            ready!(publisher.many.poll_wait::<Gating>(refused, 1, keys, cx));
        }
        publisher.many.cancel(keys);
        Poll::Ready(())
    }
}

impl<T, F> Drop for MpEventPublishFuture<'_, T, F> {
    fn drop(&mut self) {
        self.publisher.many.cancel(&mut self.keys);
    }
}

impl<T, F> fmt::Debug for MpEventPublishFuture<'_, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MpEventPublishFuture")
            .field("publisher", &self.publisher)
            .finish_non_exhaustive()
    }
}
