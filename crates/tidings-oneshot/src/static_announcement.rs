//! A channel without an allocation, for a `static` or a field.

use crate::board::Board;
use crate::cell::Cell;
use crate::error::{AnnounceError, ListenError};
use crate::state::CloseCause;
use crate::trace;
use crate::wait::Wait;
use core::fmt;
use core::future::IntoFuture;
use core::ops::Deref;

/// A channel that is its own announcer and its own listener: whoever can borrow it may announce, once, and anybody may wait.
///
/// It counts nobody, so nobody is missed, and nothing but [`close`](Self::close) closes it: where a value may fail to come,
/// see that somebody calls that. Dropping it, where that happens, drops the value.
///
/// # Progress and cost
/// No allocation, unless more than two tasks wait at once.
///
/// # Examples
///
/// ```
/// use tidings_oneshot::StaticAnnouncement;
///
/// static SHUTDOWN: StaticAnnouncement<&str> = StaticAnnouncement::new();
///
/// let worker = std::thread::spawn(|| SHUTDOWN.wait_blocking());
/// SHUTDOWN.announce("end of the day").unwrap();
/// assert_eq!(worker.join().unwrap(), Ok(&"end of the day"));
/// ```
pub struct StaticAnnouncement<T> {
    board: Board<T>,
}

impl<T> StaticAnnouncement<T> {
    /// A channel on which nothing has been announced yet.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::StaticAnnouncement;
    ///
    /// #[derive(Default)]
    /// struct Connection {
    ///     greeting: StaticAnnouncement<String>, // a field, no allocation of its own
    /// }
    ///
    /// let connection = Connection::default();
    /// connection.greeting.announce(String::from("hello")).unwrap();
    /// assert_eq!(connection.greeting.get().unwrap(), "hello");
    /// ```
    #[cfg(not(any(loom, shuttle)))]
    #[must_use]
    pub const fn new() -> Self {
        Self {
            board: Board { cell: Cell::new() },
        }
    }

    /// A channel on which nothing has been announced yet.
    #[cfg(any(loom, shuttle))]
    #[must_use]
    pub fn new() -> Self {
        Self {
            board: Board { cell: Cell::new() },
        }
    }

    /// Announces `value` to everybody who waits, now or later, unless somebody was first.
    ///
    /// # Progress and cost
    /// As [`SharedAnnouncer::announce`](crate::SharedAnnouncer::announce).
    ///
    /// # Errors
    /// [`AnnounceError`], with the value: somebody has announced, or is doing so at this moment, or has closed.
    ///
    /// # Panics
    /// When a waker does, after everybody else was woken. The value is announced then.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::{AnnounceError, StaticAnnouncement};
    ///
    /// static ANSWER: StaticAnnouncement<u8> = StaticAnnouncement::new();
    /// assert_eq!(ANSWER.announce(42), Ok(()));
    /// assert_eq!(ANSWER.announce(43), Err(AnnounceError::AlreadyAnnounced(43)));
    /// ```
    pub fn announce(&self, value: T) -> Result<(), AnnounceError<T>> {
        self.cell.announce_first(value)?;
        trace::announced_statically();
        Ok(())
    }

    /// Closes without a value, unless somebody was first; whether it did.
    ///
    /// # Panics
    /// When a waker does, after everybody else was woken.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::StaticAnnouncement;
    ///
    /// static NEVER: StaticAnnouncement<u8> = StaticAnnouncement::new();
    /// assert!(NEVER.close());
    /// assert!(NEVER.wait_blocking().is_err());
    /// ```
    pub fn close(&self) -> bool {
        let won = self.cell.close_first(CloseCause::Closed);
        if won {
            trace::closed(CloseCause::Closed);
        }
        won
    }

    /// The value itself, if it was announced.
    ///
    /// # Examples
    ///
    /// ```
    /// let announcement = tidings_oneshot::StaticAnnouncement::new();
    /// announcement.announce(vec![1, 2, 3]).unwrap();
    /// assert_eq!(announcement.into_inner(), Some(vec![1, 2, 3]));
    /// ```
    #[must_use]
    pub fn into_inner(self) -> Option<T> {
        self.board.cell.into_inner()
    }
}

impl<T> Default for StaticAnnouncement<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for StaticAnnouncement<T> {
    type Target = Board<T>;

    #[inline(always)]
    fn deref(&self) -> &Board<T> {
        &self.board
    }
}

impl<'a, T> IntoFuture for &'a StaticAnnouncement<T> {
    type Output = Result<&'a T, ListenError>;
    type IntoFuture = Wait<'a, T>;

    /// [`Board::wait`].
    fn into_future(self) -> Wait<'a, T> {
        self.wait()
    }
}

impl<T> fmt::Debug for StaticAnnouncement<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticAnnouncement")
            .field("state", &self.state())
            .finish()
    }
}
