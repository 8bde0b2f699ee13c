//! The futures of a channel. Each takes its waker back when it is dropped, and may be polled again after it was ready.

use crate::board::Board;
use crate::error::ListenError;
use core::fmt;
use core::future::{Future, IntoFuture, poll_fn};
use core::pin::{Pin, pin};
use core::task::{Context, Poll, ready};
use tidings_core::wait::Opened;

/// The forms for tasks.
impl<T> Board<T> {
    /// Waits for the value as a task, on any executor.
    ///
    /// # Errors
    /// [`ListenError::Closed`] when there will be none.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing and gives its waker back at once.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn example() -> Result<(), tidings_oneshot::ListenError> {
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// announcer.announce(String::from("any type")).unwrap();
    /// let text: &String = announcement.wait().await?;
    /// assert_eq!(text, "any type");
    /// # Ok(()) }
    /// # assert!(std::pin::pin!(example()).poll(&mut std::task::Context::from_waker(std::task::Waker::noop())).is_ready());
    /// ```
    #[inline]
    pub fn wait(&self) -> Wait<'_, T> {
        Wait::new(self)
    }

    /// Waits for the value as a task until `timer` is ready; any runtime's timer will do.
    ///
    /// # Errors
    /// [`ListenError::Timeout`] when the timer was ready first, [`ListenError::Closed`] when there will be no value.
    ///
    /// # Cancel safety
    /// As for [`wait`](Self::wait).
    pub async fn wait_until(&self, timer: impl Future<Output = ()>) -> Result<&T, ListenError> {
        let (mut wait, mut timer) = (self.wait(), pin!(timer));
        poll_fn(|cx| match Pin::new(&mut wait).poll(cx) {
            Poll::Pending => timer.as_mut().poll(cx).map(|()| Err(ListenError::Timeout)),
            ready => ready,
        })
        .await
    }
}

/// The forms for tasks that clone.
impl<T: Clone> Board<T> {
    /// Waits as a task and clones the value; otherwise as [`wait`](Self::wait).
    ///
    /// # Errors
    /// [`ListenError::Closed`] when there will be no value.
    ///
    /// # Panics
    /// When `clone` does; nothing else is hurt by it, and a further poll tries again.
    ///
    /// # Cancel safety
    /// As for [`wait`](Self::wait).
    #[inline]
    pub fn listen(&self) -> Listen<'_, T> {
        Listen::new(self)
    }

    /// [`wait_until`](Self::wait_until), cloned.
    ///
    /// # Errors
    /// As [`wait_until`](Self::wait_until).
    pub async fn listen_until(&self, timer: impl Future<Output = ()>) -> Result<T, ListenError> {
        self.wait_until(timer).await.cloned()
    }
}

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

impl<'a, T> IntoFuture for &'a Board<T> {
    type Output = Result<&'a T, ListenError>;
    type IntoFuture = Wait<'a, T>;

    /// [`Board::wait`].
    fn into_future(self) -> Wait<'a, T> {
        self.wait()
    }
}
