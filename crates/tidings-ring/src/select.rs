//! Waiting for one of several: rings, and the word that ends it all.

#[cfg(feature = "std")]
mod waiting;

#[cfg(feature = "std")]
pub use waiting::{select, select_deadline, select_timeout};

use crate::{
    contract::{Contract, GatingContract},
    event::EventSubscriber,
    shutdown::Shutdown,
    slot::Payload,
    subscriber::Subscriber,
    value::ValueSubscriber,
};
use core::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use tidings_core::{sync::unique_id, wait::TaskKey};

/// What can be waited for among others: a subscriber of any kind, which is ready when a receive has an answer other than `Empty`
/// (a message, a loss, or the end), or a [`Shutdown`], which is when it was triggered. Sealed.
///
/// One that has come to its end stays ready: leave it out of the next call.
pub trait Selectable: sealed::Selectable {}

impl<S: sealed::Selectable + ?Sized> Selectable for S {}

mod sealed {
    use super::{Context, Poll, TaskKey};

    /// See [`super::Selectable`].
    pub trait Selectable: Sync {
        /// Ready, or else its waker is registered under `key`.
        fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()>;

        /// Takes the waker back.
        fn cancel(&self, key: &mut TaskKey);
    }
}

impl<T: Payload, C: Contract> sealed::Selectable for Subscriber<T, C> {
    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        Self::poll_ready(self, key, cx)
    }

    fn cancel(&self, key: &mut TaskKey) {
        Self::cancel(self, key);
    }
}

impl<T: Send + Sync + 'static, C: GatingContract> sealed::Selectable for EventSubscriber<T, C> {
    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.cursor.poll_ready(key, cx)
    }

    fn cancel(&self, key: &mut TaskKey) {
        self.cursor.cancel(key);
    }
}

impl<T: Send + Sync + 'static> sealed::Selectable for ValueSubscriber<T> {
    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.look.cursor.poll_ready(key, cx)
    }

    fn cancel(&self, key: &mut TaskKey) {
        self.look.cursor.cancel(key);
    }
}

impl sealed::Selectable for Shutdown {
    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.poll(key, cx)
    }

    fn cancel(&self, key: &mut TaskKey) {
        Shutdown::cancel(self, key);
    }
}

/// Several things to wait for, and the places of one waiter among each of them.
struct Among<'a, const N: usize> {
    things: [&'a dyn Selectable; N],
    keys: [TaskKey; N],
    /// Which one is looked at first: another one each time, so that none starves.
    first: usize,
}

impl<'a, const N: usize> Among<'a, N> {
    fn new(things: [&'a dyn Selectable; N]) -> Self {
        const { assert!(N > 0, "there is nothing to select from") };
        Self {
            things,
            keys: core::array::from_fn(|_| TaskKey::default()),
            first: unique_id().get() % N,
        }
    }

    /// The index of one that is ready; otherwise the waker is registered with each.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<usize> {
        for index in (0..N).map(|n| (self.first + n) % N) {
            if self.things[index]
                .poll_ready(&mut self.keys[index], cx)
                .is_ready()
            {
                return Poll::Ready(index);
            }
        }
        Poll::Pending
    }
}

impl<const N: usize> Drop for Among<'_, N> {
    fn drop(&mut self) {
        for (thing, key) in self.things.iter().zip(&mut self.keys) {
            thing.cancel(key);
        }
    }
}

/// The task's form of [`select`](crate::select()), on any runtime.
///
/// # Cancel safety
/// Nothing is received by it, so dropping the future loses nothing.
///
/// # Examples
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// use tidings_ring::{channel, select_async, value_channel};
/// let (mut ticks, subscribable) = channel::<u64>(8);
/// let mut numbers = subscribable.subscribe();
/// let (_lines, subscribable) = value_channel::<String>(8);
/// let lines = subscribable.subscribe();
/// ticks.publish(7);
/// assert_eq!(select_async([&lines, &numbers]).await, 1);
/// assert_eq!(numbers.try_recv(), Ok(7));
/// # });
/// ```
pub fn select_async<'a, const N: usize>(among: [&'a dyn Selectable; N]) -> SelectFuture<'a, N> {
    SelectFuture(Among::new(among))
}

/// Waits for one of several; see [`select_async`].
#[must_use = "futures do nothing unless polled"]
pub struct SelectFuture<'a, const N: usize>(Among<'a, N>);

impl<const N: usize> Future for SelectFuture<'_, N> {
    type Output = usize;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<usize> {
        self.get_mut().0.poll(cx)
    }
}

impl<const N: usize> fmt::Debug for SelectFuture<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SelectFuture")
            .field("among", &N)
            .finish_non_exhaustive()
    }
}
