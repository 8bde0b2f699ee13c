//! Awaiting a listener itself.
#![allow(unsafe_code)] // a future that owns its listener waits on memory which that keeps

use crate::announced::Announced;
use crate::error::ListenError;
use crate::listener::Listener;
use crate::wait::Wait;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use tidings_core::wait::LatchKey;

/// Waits for the value as the owner of a listener, and gives a guard; `listener.await` makes it.
///
/// Polled again after it was ready, it is ready again with another guard.
///
/// # Progress and cost
/// As [`Wait`], and one read-modify-write for the guard. Dropping it drops the listener.
///
/// # Cancel safety
/// Dropping it gives its waker back at once. To keep the listener, await a reference to it or [`Board::wait`](crate::Board::wait).
///
/// # Examples
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let (announcer, announcement) = tidings_oneshot::Announcement::new();
/// let listener = announcement.listener();
/// announcer.announce(String::from("kept")).unwrap();
/// drop(announcement);
/// let guard = listener.await.unwrap();
/// assert_eq!(*guard, "kept");
/// # });
/// ```
#[must_use = "futures do nothing unless polled"]
pub struct ListenOwned<T> {
    /// Dropped after the destructor has cancelled the key.
    listener: Listener<T>,
    key: LatchKey,
    /// Whether it was ready before.
    #[cfg(feature = "stream")]
    is_done: bool,
}

impl<T> ListenOwned<T> {
    pub(crate) fn new(listener: Listener<T>) -> Self {
        Self {
            listener,
            key: LatchKey::default(),
            #[cfg(feature = "stream")]
            is_done: false,
        }
    }

    #[cfg(feature = "stream")]
    pub(crate) const fn is_done(&self) -> bool {
        self.is_done
    }
}

impl<T> Future for ListenOwned<T> {
    type Output = Result<Announced<T>, ListenError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.get_mut();
        let latch = this.listener.cell.latch();
        // SAFETY: the key is used with this latch only. It lies in the region of the listener, which keeps it in place.
        ready!(unsafe { latch.poll(&mut this.key, cx) });
        #[cfg(feature = "stream")]
        {
            this.is_done = true;
        }
        Poll::Ready(this.listener.guard().ok_or(ListenError::Closed))
    }
}

impl<T> Drop for ListenOwned<T> {
    fn drop(&mut self) {
        // SAFETY: as in `poll`; the listener is dropped afterwards.
        unsafe { self.listener.cell.latch().cancel(&mut self.key) };
    }
}

impl<T> fmt::Debug for ListenOwned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ListenOwned").field(&self.listener).finish()
    }
}

impl<T> IntoFuture for Listener<T> {
    type Output = Result<Announced<T>, ListenError>;
    type IntoFuture = ListenOwned<T>;

    /// Waits for the value, and keeps the channel until then.
    fn into_future(self) -> ListenOwned<T> {
        ListenOwned::new(self)
    }
}

impl<'a, T> IntoFuture for &'a Listener<T> {
    type Output = Result<&'a T, ListenError>;
    type IntoFuture = Wait<'a, T>;

    /// [`Board::wait`](crate::Board::wait).
    fn into_future(self) -> Wait<'a, T> {
        self.wait()
    }
}
