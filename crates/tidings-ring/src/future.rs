//! The futures of a copying ring. Each takes its waker back when it is dropped.

use crate::{
    contract::{Contract, Lossy},
    cursor::ATTEMPTS,
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
pub struct RecvFuture<'a, T: 'static, C: Contract = Lossy> {
    subscriber: &'a mut Subscriber<T, C>,
    key: TaskKey,
}

impl<T: Payload, C: Contract> Subscriber<T, C> {
    /// The task's form of `recv`, on any runtime. A waiting task costs nothing.
    ///
    /// It is ready at once while messages are there, but after 128 in a row it is pending once, so that other tasks of its thread
    /// run. (To take what is there, and no more, use [`try_recv`](Self::try_recv) or [`drain`](Self::drain).)
    ///
    /// # Errors
    /// [`RecvError`] once every message was received and the publisher is gone.
    ///
    /// # Cancel safety
    /// Dropping the future loses no message: one is taken only when it is returned.
    pub fn recv_async(&mut self) -> RecvFuture<'_, T, C> {
        RecvFuture {
            subscriber: self,
            key: TaskKey::default(),
        }
    }

    /// The task's form of `wait`.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    pub fn wait_async(&self) -> WaitFuture<'_, T, C> {
        WaitFuture {
            subscriber: self,
            key: TaskKey::default(),
        }
    }
}

impl<T: Payload, C: Contract> Future for RecvFuture<'_, T, C> {
    type Output = Result<T, RecvError>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        if this.subscriber.is_turn_over(cx) {
            return Poll::Pending;
        }
        match this.subscriber.try_recv() {
            Ok(value) => Poll::Ready(Ok(value)),
            Err(error) => this.poll_after(error, cx),
        }
    }
}

impl<T: Payload, C: Contract> RecvFuture<'_, T, C> {
    /// Goes on from a first attempt that failed.
    #[cold]
    fn poll_after(
        &mut self,
        mut error: TryRecvError,
        cx: &mut Context<'_>,
    ) -> Poll<Result<T, RecvError>> {
        let Self { subscriber, key } = self;
        for _ in 0..ATTEMPTS {
            match error {
                TryRecvError::Closed => return Poll::Ready(Err(RecvError)),
                TryRecvError::Empty if subscriber.poll_ready(key, cx).is_pending() => {
                    return Poll::Pending;
                }
                TryRecvError::Lagged { .. } | TryRecvError::Empty => {}
            }
            match subscriber.try_recv() {
                Ok(value) => return Poll::Ready(Ok(value)),
                Err(again) => error = again,
            }
        }
        // Overtaken each time: others may run before the next attempts.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<T, C: Contract> Drop for RecvFuture<'_, T, C> {
    #[inline]
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
pub struct WaitFuture<'a, T: 'static, C: Contract = Lossy> {
    subscriber: &'a Subscriber<T, C>,
    key: TaskKey,
}

impl<T: Payload, C: Contract> Future for WaitFuture<'_, T, C> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self { subscriber, key } = self.get_mut();
        subscriber.poll_in_turn(key, cx)
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
pub struct PublishFuture<'a, T: 'static, C: Contract = Lossy> {
    publisher: &'a mut Publisher<T, C>,
    value: Option<T>,
    key: TaskKey,
}

// The value is plain data, never pinned.
impl<T, C: Contract> Unpin for PublishFuture<'_, T, C> {}

impl<T: Payload, C: Contract> Publisher<T, C> {
    /// The task's form of [`publish`](Self::publish). It is ready at once while there is room, on a lossy ring always: a task that
    /// does nothing else keeps its thread from other tasks, unless it yields to the runtime now and then.
    ///
    /// # Cancel safety
    /// A future that is dropped before it is ready has published nothing.
    pub fn publish_async(&mut self, value: T) -> PublishFuture<'_, T, C> {
        PublishFuture {
            publisher: self,
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
