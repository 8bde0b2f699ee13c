//! The forms for tasks. The futures with a name take their waker back when they are dropped, and may be polled again after
//! they were ready.
#![allow(unsafe_code)] // a key is used with the latch of the board that the future borrows

use crate::board::Board;
use crate::error::ListenError;
use core::fmt;
use core::future::{Future, IntoFuture, poll_fn};
use core::pin::{Pin, pin};
use core::task::{Context, Poll, ready};
use tidings_core::wait::LatchKey;

/// The forms for tasks.
impl<T> Board<T> {
    /// Waits for the value as a task, on any executor.
    ///
    /// # Progress and cost
    /// Ready at once when the value is there or never will be. Otherwise the first poll is two read-modify-writes and a clone of
    /// the waker, and allocates only where more than two tasks wait and no place is left from earlier ones.
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
    /// # Panics
    /// When polling the timer does.
    ///
    /// # Cancel safety
    /// As for [`wait`](Self::wait).
    ///
    /// # Examples
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// use std::time::Duration;
    /// use tidings_oneshot::{Announcement, ListenError};
    ///
    /// let (announcer, announcement) = Announcement::new();
    /// let timer = tokio::time::sleep(Duration::from_millis(1));
    /// assert_eq!(announcement.wait_until(timer).await, Err(ListenError::Timeout));
    /// announcer.announce(5).unwrap();
    /// let timer = std::future::ready(()); // the value wins
    /// assert_eq!(announcement.wait_until(timer).await, Ok(&5));
    /// # });
    /// ```
    pub async fn wait_until(&self, timer: impl Future) -> Result<&T, ListenError> {
        let (mut wait, mut timer) = (self.wait(), pin!(timer));
        poll_fn(|cx| match Pin::new(&mut wait).poll(cx) {
            Poll::Pending => timer.as_mut().poll(cx).map(|_| Err(ListenError::Timeout)),
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
    ///
    /// # Examples
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// announcer.announce(5).unwrap();
    /// assert_eq!(announcement.listen().await, Ok(5));
    /// # });
    /// ```
    #[inline]
    pub fn listen(&self) -> Listen<'_, T> {
        Listen::new(self)
    }

    /// Waits as a task until `timer` is ready, and clones; otherwise as [`wait_until`](Self::wait_until).
    ///
    /// # Errors
    /// As [`wait_until`](Self::wait_until).
    ///
    /// # Panics
    /// When `clone` does, or polling the timer.
    ///
    /// # Cancel safety
    /// As for [`wait`](Self::wait).
    ///
    /// # Examples
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use tidings_oneshot::{Announcement, ListenError};
    ///
    /// let (_announcer, announcement) = Announcement::<u8>::new();
    /// let over = std::future::ready(());
    /// assert_eq!(announcement.listen_until(over).await, Err(ListenError::Timeout));
    /// # });
    /// ```
    pub async fn listen_until(&self, timer: impl Future) -> Result<T, ListenError> {
        self.wait_until(timer).await.cloned()
    }
}

/// Waits for the value and lends it; [`Board::wait`] makes it.
///
/// Polled again after it was ready, it is ready again with the same. So it can be made once and polled by reference in each
/// round of a loop, and is registered once.
///
/// # Cancel safety
/// Dropping it loses nothing and gives its waker back at once.
///
/// # Examples
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let (announcer, shutdown) = tidings_oneshot::Announcement::new();
/// let mut announcer = Some(announcer);
/// let mut told = shutdown.wait();
/// let mut rounds = 0;
/// let reason = loop {
///     tokio::select! {
///         biased;
///         reason = &mut told => break reason,
///         () = tokio::task::yield_now() => rounds += 1, // the work of a round
///     }
///     if rounds == 3 {
///         announcer.take().unwrap().announce("enough").unwrap();
///     }
/// };
/// assert_eq!(reason, Ok(&"enough"));
/// # });
/// ```
#[must_use = "futures do nothing unless polled"]
pub struct Wait<'a, T> {
    board: &'a Board<T>,
    key: LatchKey,
    /// Whether it was ready before.
    #[cfg(feature = "stream")]
    is_done: bool,
}

impl<'a, T> Wait<'a, T> {
    #[inline]
    pub(crate) fn new(board: &'a Board<T>) -> Self {
        Self {
            board,
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

impl<'a, T> Future for Wait<'a, T> {
    type Output = Result<&'a T, ListenError>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let board = self.board;
        // SAFETY: the key is used with this latch only, which the borrow of the board keeps in place.
        let code = ready!(unsafe { board.cell.latch().poll(&mut self.key, cx) });
        #[cfg(feature = "stream")]
        {
            self.is_done = true;
        }
        Poll::Ready(board.outcome(Some(code)))
    }
}

impl<T> Drop for Wait<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: as in `poll`.
        unsafe { self.board.cell.latch().cancel(&mut self.key) };
    }
}

impl<T> fmt::Debug for Wait<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Wait").field(self.board).finish()
    }
}

/// Waits for the value and clones it; [`Board::listen`] makes it, and has an example.
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
