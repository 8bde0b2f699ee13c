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
    /// Waits until there is a message to lend, or the end.
    fn poll_settled(&mut self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()>;
    fn lend(&mut self) -> Result<Ref<'_, T>, TryRecvError>;
    fn cancel(&self, key: &mut TaskKey);
}

impl<S: InPlace + Send + Sync, C: GatingContract> Lend<S::Value> for Cursor<S, C> {
    fn poll_settled(&mut self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        if self.turn.is_over(cx) {
            return Poll::Pending;
        }
        while !self.is_settled() {
            ready!(self.poll_ready(key, cx));
        }
        Cursor::cancel(self, key);
        Poll::Ready(())
    }

    fn lend(&mut self) -> Result<Ref<'_, S::Value>, TryRecvError> {
        Ref::of(self)
    }

    fn cancel(&self, key: &mut TaskKey) {
        Cursor::cancel(self, key);
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
        while !self.is_settled() {
            if !self.wait(&self.ring.shared.strategy, deadline) {
                return Err(RecvTimeoutError::Timeout);
            }
        }
        // It stays there until it is read; so there is no error but the end.
        Ref::of(self).map_err(|_| RecvTimeoutError::Closed)
    }

    /// Whether there is a message to lend, or the end, behind tombstones perhaps, which it passes over.
    fn is_settled(&mut self) -> bool {
        matches!(self.settle(), Ok(()) | Err(TryRecvError::Closed))
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
            .as_deref_mut()
            .expect("a RecvRefFuture was polled after it was ready");
        ready!(waiting.poll_settled(key, cx));
        let ready = cursor.take().expect("it was there a line ago");
        // As in `lend_by`.
        Poll::Ready(ready.lend().map_err(|_| RecvError))
    }
}

impl<T> Drop for RecvRefFuture<'_, T> {
    fn drop(&mut self) {
        // Once it is ready, `poll_settled` has taken the waker back.
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
