//! The futures of a channel. Each takes its waker back when it is dropped, and may be polled again after it was ready.
#![allow(unsafe_code)] // a future that owns its listener waits on memory which that keeps

use crate::announced::Announced;
use crate::board::Board;
use crate::error::ListenError;
use crate::listener::Listener;
use core::fmt;
use core::future::{Future, IntoFuture};
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use tidings_core::wait::{LatchKey, Opened};

/// Waits for the value and lends it; see [`Board::wait`].
///
/// Polled again after it was ready, it is ready again with the same.
#[must_use = "futures do nothing unless polled"]
pub struct Wait<'a, T> {
    board: &'a Board<T>,
    opened: Opened<'a>,
    /// Whether it was ready before.
    is_done: bool,
}

impl<'a, T> Wait<'a, T> {
    #[inline]
    pub(crate) fn new(board: &'a Board<T>) -> Self {
        Self {
            board,
            opened: board.cell.latch().opened(),
            is_done: false,
        }
    }

    #[cfg(feature = "stream")]
    pub(crate) const fn is_done(&self) -> bool {
        self.is_done
    }
}

impl<'a, T> Future for Wait<'a, T> {
    type Output = Result<&'a T, ListenError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let code = ready!(Pin::new(&mut self.opened).poll(cx));
        self.is_done = true;
        Poll::Ready(self.board.outcome(Some(code)))
    }
}

impl<T> fmt::Debug for Wait<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Wait").field(self.board).finish()
    }
}

/// Waits for the value and clones it; see [`Board::listen`].
///
/// Polled again after it was ready, it is ready again with another clone.
#[must_use = "futures do nothing unless polled"]
pub struct Listen<'a, T> {
    wait: Wait<'a, T>,
}

impl<'a, T> Listen<'a, T> {
    #[inline]
    pub(crate) fn new(board: &'a Board<T>) -> Self {
        Self {
            wait: Wait::new(board),
        }
    }

    #[cfg(feature = "stream")]
    pub(crate) const fn is_done(&self) -> bool {
        self.wait.is_done
    }
}

impl<T: Clone> Future for Listen<'_, T> {
    type Output = Result<T, ListenError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.wait).poll(cx).map_ok(T::clone)
    }
}

impl<T> fmt::Debug for Listen<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Listen").field(self.wait.board).finish()
    }
}

/// Waits for the value as the owner of a listener, and gives a guard; `listener.await` makes it.
///
/// Polled again after it was ready, it is ready again with another guard.
#[must_use = "futures do nothing unless polled"]
pub struct ListenOwned<T> {
    /// Dropped after the destructor has cancelled the key.
    listener: Listener<T>,
    key: LatchKey,
    /// Whether it was ready before.
    is_done: bool,
}

impl<T> ListenOwned<T> {
    pub(crate) fn new(listener: Listener<T>) -> Self {
        Self {
            listener,
            key: LatchKey::default(),
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
        let Self {
            listener,
            key,
            is_done,
        } = self.get_mut();
        // SAFETY: the key is used with this latch only. It lies in the region of the listener, which keeps it in place.
        ready!(unsafe { listener.cell.latch().poll(key, cx) });
        *is_done = true;
        Poll::Ready(listener.guard().ok_or(ListenError::Closed))
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

    /// [`Board::wait`].
    fn into_future(self) -> Wait<'a, T> {
        self.wait()
    }
}

impl<'a, T> IntoFuture for &'a Board<T> {
    type Output = Result<&'a T, ListenError>;
    type IntoFuture = Wait<'a, T>;

    /// [`Board::wait`].
    fn into_future(self) -> Wait<'a, T> {
        self.wait()
    }
}
