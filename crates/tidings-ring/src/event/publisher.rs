//! The end that publishes, on an in-place ring: the forms that do not block a thread.

mod claiming;
pub(super) mod many;
#[cfg(feature = "std")]
mod waiting;

use super::subscriber::EventSubscribable;
use crate::{
    cell::Cells, claim::Claim, error::TryPublishError, metrics::PublisherMetrics, ring::Ring,
};
use core::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use tidings_core::{sync::Arc, wait::TaskKey};

/// The one publisher of an in-place ring. Dropping it closes the ring: subscribers drain, then end.
///
/// Each message is an edit of a value that was published a whole lap before, so it may keep what it
/// has allocated. Waiting is as on a gating [`Publisher`](crate::Publisher).
///
/// Not `UnwindSafe`: an edit that panics leaves its slot half edited.
#[must_use = "dropping the publisher closes the ring"]
pub struct EventPublisher<T: 'static> {
    pub(crate) claim: Claim<Cells<T>>,
}

impl<T: Send + Sync + 'static> EventPublisher<T> {
    pub(crate) fn new(ring: Arc<Ring<Cells<T>>>) -> Self {
        Self {
            claim: Claim::new(ring),
        }
    }

    /// Lets `edit` make the next message out of an old one, if there is room now.
    ///
    /// # Errors
    /// [`TryPublishError::Full`] with `edit`, which was not called.
    ///
    /// # Panics
    /// When `edit` does; then nothing was published, the slot keeps what was edited so far, and the
    /// publisher stays usable.
    #[inline]
    pub fn try_publish<F: FnOnce(&mut T)>(&mut self, edit: F) -> Result<(), TryPublishError<F>> {
        self.claim.edit(edit).map_err(TryPublishError::Full)
    }

    /// The task's form of `publish`: waits for room, then lets `edit` make the next message.
    ///
    /// # Cancel safety
    /// A future that is dropped before it is ready has not called `edit`, and published nothing.
    pub fn publish_async<F: FnOnce(&mut T)>(&mut self, edit: F) -> EventPublishFuture<'_, T, F> {
        EventPublishFuture {
            publisher: self,
            edit: Some(edit),
            key: TaskKey::default(),
        }
    }

    /// The place to subscribe at.
    pub fn subscribable(&self) -> EventSubscribable<T> {
        EventSubscribable::new(Arc::clone(&self.claim.ring))
    }
}

impl<T> EventPublisher<T> {
    /// The sequence that the next message gets: how many were published, on a ring that starts at 0.
    pub fn published(&self) -> u64 {
        self.claim.place.sequence.get()
    }

    /// The counts as of now, to be compared with those of another time.
    pub fn metrics(&self) -> PublisherMetrics {
        PublisherMetrics::of(&self.claim.ring.shared)
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.claim.ring.shared.capacity
    }
}

impl<T> fmt::Debug for EventPublisher<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventPublisher")
            .field("ring", &self.claim.ring)
            .finish_non_exhaustive()
    }
}

/// Waits for room and publishes; see [`EventPublisher::publish_async`].
#[must_use = "futures do nothing unless polled"]
pub struct EventPublishFuture<'a, T: 'static, F> {
    publisher: &'a mut EventPublisher<T>,
    edit: Option<F>,
    key: TaskKey,
}

// The closure is called by value, never pinned.
impl<T, F> Unpin for EventPublishFuture<'_, T, F> {}

impl<T, F> Future for EventPublishFuture<'_, T, F>
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
            key,
        } = self.get_mut();
        loop {
            let call = edit
                .take()
                .expect("an EventPublishFuture was polled after its end");
            match publisher.claim.edit(call) {
                Ok(()) => return Poll::Ready(()),
                Err(refused) => *edit = Some(refused),
            }
            core::task::ready!(publisher.claim.poll_for_room(1, key, cx));
        }
    }
}

impl<T, F> Drop for EventPublishFuture<'_, T, F> {
    fn drop(&mut self) {
        self.publisher.claim.ring.shared.freed.cancel(&mut self.key);
    }
}

impl<T, F> fmt::Debug for EventPublishFuture<'_, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventPublishFuture")
            .field("publisher", &self.publisher)
            .finish_non_exhaustive()
    }
}
