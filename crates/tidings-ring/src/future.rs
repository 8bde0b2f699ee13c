//! The futures of a copying ring. Each takes its waker back when it is dropped or ready.

use crate::{
    contract::Contract,
    error::{RecvError, TryRecvError},
    publisher::Publisher,
    slot::Payload,
    subscriber::Subscriber,
};
use core::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use tidings_core::wait::TaskKey;

/// Waits for a message; see [`Subscriber::recv_async`].
#[must_use = "futures do nothing unless polled"]
pub struct RecvFuture<'a, T: 'static, C: Contract> {
    subscriber: &'a mut Subscriber<T, C>,
    key: TaskKey,
}

impl<'a, T, C: Contract> RecvFuture<'a, T, C> {
    pub(crate) fn new(subscriber: &'a mut Subscriber<T, C>) -> Self {
        Self {
            subscriber,
            key: TaskKey::default(),
        }
    }
}

impl<T: Payload, C: Contract> Future for RecvFuture<'_, T, C> {
    type Output = Result<T, RecvError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { subscriber, key } = self.get_mut();
        loop {
            match subscriber.try_recv() {
                Ok(value) => return Poll::Ready(Ok(value)),
                Err(TryRecvError::Closed) => return Poll::Ready(Err(RecvError)),
                Err(TryRecvError::Lagged { .. }) => {}
                Err(TryRecvError::Empty) if subscriber.poll_ready(key, cx).is_pending() => {
                    return Poll::Pending;
                }
                Err(TryRecvError::Empty) => {}
            }
        }
    }
}

impl<T, C: Contract> Drop for RecvFuture<'_, T, C> {
    fn drop(&mut self) {
        self.subscriber.cancel(&mut self.key);
    }
}

impl<T, C: Contract> fmt::Debug for RecvFuture<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecvFuture")
            .field("subscriber", &self.subscriber)
            .finish_non_exhaustive()
    }
}

/// Waits until there is something to receive; see [`Subscriber::wait_async`].
#[must_use = "futures do nothing unless polled"]
pub struct WaitFuture<'a, T: 'static, C: Contract> {
    subscriber: &'a Subscriber<T, C>,
    key: TaskKey,
}

impl<'a, T, C: Contract> WaitFuture<'a, T, C> {
    pub(crate) fn new(subscriber: &'a Subscriber<T, C>) -> Self {
        Self {
            subscriber,
            key: TaskKey::default(),
        }
    }
}

impl<T: Payload, C: Contract> Future for WaitFuture<'_, T, C> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self { subscriber, key } = self.get_mut();
        subscriber.poll_ready(key, cx)
    }
}

impl<T, C: Contract> Drop for WaitFuture<'_, T, C> {
    fn drop(&mut self) {
        self.subscriber.cancel(&mut self.key);
    }
}

impl<T, C: Contract> fmt::Debug for WaitFuture<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WaitFuture")
            .field("subscriber", &self.subscriber)
            .finish_non_exhaustive()
    }
}

/// Waits for room and publishes; see [`Publisher::publish_async`].
#[must_use = "futures do nothing unless polled"]
pub struct PublishFuture<'a, T: 'static, C: Contract> {
    publisher: &'a mut Publisher<T, C>,
    value: Option<T>,
    key: TaskKey,
}

// The value is plain data, never pinned.
impl<T, C: Contract> Unpin for PublishFuture<'_, T, C> {}

impl<'a, T, C: Contract> PublishFuture<'a, T, C> {
    pub(crate) fn new(publisher: &'a mut Publisher<T, C>, value: T) -> Self {
        Self {
            publisher,
            value: Some(value),
            key: TaskKey::default(),
        }
    }
}

impl<T: Payload, C: Contract> Future for PublishFuture<'_, T, C> {
    type Output = ();

    /// # Panics
    /// When it is polled after it was ready: the message was published then, once.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self {
            publisher,
            value,
            key,
        } = self.get_mut();
        let pending = value
            .as_ref()
            .expect("a PublishFuture was polled after it was ready");
        core::task::ready!(publisher.poll_publish(pending, key, cx));
        *value = None;
        Poll::Ready(())
    }
}

impl<T, C: Contract> Drop for PublishFuture<'_, T, C> {
    fn drop(&mut self) {
        self.publisher.cancel(&mut self.key);
    }
}

impl<T, C: Contract> fmt::Debug for PublishFuture<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublishFuture")
            .field("publisher", &self.publisher)
            .finish_non_exhaustive()
    }
}
