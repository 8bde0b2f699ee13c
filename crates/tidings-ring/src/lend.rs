//! Waiting for a message that is read in place, on either kind of ring.

use crate::{
    cell::lent::Ref,
    contract::GatingContract,
    cursor::Cursor,
    error::{RecvError, TryRecvError},
    slot::place::InPlace,
};
use core::{
    fmt,
    future::Future,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tidings_core::wait::TaskKey;
#[cfg(feature = "std")]
use {crate::error::RecvTimeoutError, tidings_core::wait::Deadline};

/// What lends messages: a gating cursor of either kind of ring.
trait Lend<T>: Send + Sync {
    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()>;
    fn lend(&mut self) -> Result<Ref<'_, T>, TryRecvError>;
    fn cancel(&self, key: &mut TaskKey);
}

impl<S: InPlace + Send + Sync, C: GatingContract> Lend<S::Value> for Cursor<S, C> {
    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        Cursor::poll_ready(self, key, cx)
    }

    fn lend(&mut self) -> Result<Ref<'_, S::Value>, TryRecvError> {
        Ref::of(self)
    }

    fn cancel(&self, key: &mut TaskKey) {
        self.ring.shared.ready.cancel(key);
    }
}

impl<S: InPlace, C: GatingContract> Cursor<S, C> {
    /// Shows up to `max` messages that are there to `read`; says how many.
    pub(crate) fn show(&mut self, max: usize, mut read: impl FnMut(&S::Value, u64)) -> usize {
        for count in 0..max {
            let Ok(message) = Ref::of(self) else {
                return count;
            };
            read(&message, Ref::sequence(&message));
        }
        max
    }

    /// Waits for the next message, and lends it.
    #[cfg(feature = "std")]
    pub(crate) fn lend_by(
        &mut self,
        deadline: Deadline,
    ) -> Result<Ref<'_, S::Value>, RecvTimeoutError> {
        if !self.wait(&self.ring.shared.strategy, deadline) {
            return Err(RecvTimeoutError::Timeout);
        }
        // Ready, and never lagged: the message, or the close. Not empty: the close, if it is that, was
        // seen before this look, so no message that was published before it is missed.
        Ref::of(self).map_err(|_| RecvTimeoutError::Closed)
    }
}

/// Waits for a message and lends it; see [`EventSubscriber::recv_ref_async`](crate::EventSubscriber::recv_ref_async).
#[must_use = "futures do nothing unless polled"]
pub struct RecvRefFuture<'a, T> {
    /// Until it is ready; then the message has it.
    cursor: Option<&'a mut dyn Lend<T>>,
    key: TaskKey,
    lends: PhantomData<&'a T>,
}

impl<'a, T> RecvRefFuture<'a, T> {
    pub(crate) fn new<S: InPlace<Value = T> + Send + Sync, C: GatingContract>(
        cursor: &'a mut Cursor<S, C>,
    ) -> Self {
        Self {
            cursor: Some(cursor),
            key: TaskKey::default(),
            lends: PhantomData,
        }
    }
}

impl<'a, T> Future for RecvRefFuture<'a, T> {
    type Output = Result<Ref<'a, T>, RecvError>;

    /// # Panics
    /// When it is polled after it was ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { cursor, key, .. } = self.get_mut();
        let waiting = cursor
            .as_deref()
            .expect("a RecvRefFuture was polled after it was ready");
        ready!(waiting.poll_ready(key, cx));
        let ready = cursor.take().expect("it was there a line ago");
        // As in `lend_by`.
        Poll::Ready(ready.lend().map_err(|_| RecvError))
    }
}

impl<T> Drop for RecvRefFuture<'_, T> {
    fn drop(&mut self) {
        // Once it is ready, `poll_ready` has taken the waker back.
        if let Some(cursor) = &self.cursor {
            cursor.cancel(&mut self.key);
        }
    }
}

impl<T> fmt::Debug for RecvRefFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecvRefFuture")
            .field("is_ready", &self.cursor.is_none())
            .finish_non_exhaustive()
    }
}
