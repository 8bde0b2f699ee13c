//! The futures of a ring of values. Each takes its waker back when it is dropped.

use super::{ValueRef, ValueSubscriber, cell::lent::Look};
use crate::{
    cursor::ATTEMPTS,
    error::{RecvError, TryRecvError},
};
use core::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tidings_core::wait::TaskKey;

impl<T: Send + Sync + 'static> ValueSubscriber<T> {
    /// The task's form of `recv`, on any runtime. A waiting task costs nothing.
    ///
    /// # Errors
    /// [`RecvError`] once every message was received and every publisher is gone.
    ///
    /// # Cancel safety
    /// Dropping the future loses no message.
    pub fn recv_async(&mut self) -> ValueRecvFuture<'_, T>
    where
        T: Clone,
    {
        ValueRecvFuture {
            subscriber: self,
            key: TaskKey::default(),
        }
    }

    /// The task's form of `recv_ref`, on any runtime.
    ///
    /// # Errors
    /// As [`recv_async`](Self::recv_async).
    ///
    /// # Cancel safety
    /// Dropping the future loses no message.
    pub fn recv_ref_async(&mut self) -> ValueRecvRefFuture<'_, T> {
        ValueRecvRefFuture {
            look: Some(self.look()),
            key: TaskKey::default(),
        }
    }

    /// The task's form of `wait`.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    pub fn wait_async(&self) -> ValueWaitFuture<'_, T> {
        ValueWaitFuture {
            subscriber: self,
            key: TaskKey::default(),
        }
    }
}

/// Waits for a message and clones it; see [`ValueSubscriber::recv_async`].
#[must_use = "futures do nothing unless polled"]
pub struct ValueRecvFuture<'a, T: 'static> {
    subscriber: &'a mut ValueSubscriber<T>,
    key: TaskKey,
}

impl<T: Clone + Send + Sync + 'static> Future for ValueRecvFuture<'_, T> {
    type Output = Result<T, RecvError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { subscriber, key } = self.get_mut();
        if subscriber.is_turn_over(cx) {
            return Poll::Pending;
        }
        for _ in 0..ATTEMPTS {
            match subscriber.try_recv() {
                Ok(value) => {
                    subscriber.cancel(key);
                    return Poll::Ready(Ok(value));
                }
                Err(TryRecvError::Closed) => {
                    subscriber.cancel(key);
                    return Poll::Ready(Err(RecvError));
                }
                Err(TryRecvError::Lagged { .. }) => {}
                Err(TryRecvError::Empty) => ready!(subscriber.poll_ready(key, cx)),
            }
        }
        // Overtaken each time: others may run before the next attempts.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<T> Drop for ValueRecvFuture<'_, T> {
    fn drop(&mut self) {
        self.subscriber.cancel(&mut self.key);
    }
}

impl<T> fmt::Debug for ValueRecvFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueRecvFuture")
            .field("subscriber", &self.subscriber)
            .finish_non_exhaustive()
    }
}

/// Waits for a message and lends it; see [`ValueSubscriber::recv_ref_async`].
#[must_use = "futures do nothing unless polled"]
pub struct ValueRecvRefFuture<'a, T: 'static> {
    /// Until it is ready; then the message has it.
    look: Option<&'a mut Look<T>>,
    key: TaskKey,
}

impl<'a, T: Send + Sync + 'static> Future for ValueRecvRefFuture<'a, T> {
    type Output = Result<ValueRef<'a, T>, RecvError>;

    /// # Panics
    /// When it is polled after it was ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { look, key } = self.get_mut();
        for _ in 0..ATTEMPTS {
            let waiting = look
                .as_deref()
                .expect("a ValueRecvRefFuture was polled after it was ready");
            ready!(waiting.cursor.poll_in_turn(key, cx));
            let ready = look.take().expect("it was there a line ago");
            match ready.lend() {
                Ok(lent) => return Poll::Ready(Ok(lent)),
                Err((TryRecvError::Closed, _)) => return Poll::Ready(Err(RecvError)),
                Err((TryRecvError::Lagged { .. } | TryRecvError::Empty, again)) => {
                    *look = Some(again);
                }
            }
        }
        // Overtaken each time: others may run before the next attempts.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<T> Drop for ValueRecvRefFuture<'_, T> {
    fn drop(&mut self) {
        // Once it is ready, `poll_in_turn` has taken the waker back.
        if let Some(look) = &self.look {
            look.cursor.cancel(&mut self.key);
        }
    }
}

impl<T> fmt::Debug for ValueRecvRefFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueRecvRefFuture")
            .field("is_ready", &self.look.is_none())
            .finish_non_exhaustive()
    }
}

/// Waits until there is something to receive; see [`ValueSubscriber::wait_async`].
#[must_use = "futures do nothing unless polled"]
pub struct ValueWaitFuture<'a, T: 'static> {
    subscriber: &'a ValueSubscriber<T>,
    key: TaskKey,
}

impl<T: Send + Sync + 'static> Future for ValueWaitFuture<'_, T> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self { subscriber, key } = self.get_mut();
        subscriber.poll_in_turn(key, cx)
    }
}

impl<T> Drop for ValueWaitFuture<'_, T> {
    fn drop(&mut self) {
        self.subscriber.cancel(&mut self.key);
    }
}

impl<T> fmt::Debug for ValueWaitFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueWaitFuture")
            .field("subscriber", &self.subscriber)
            .finish_non_exhaustive()
    }
}
