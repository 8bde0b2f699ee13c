//! Announcers of which the first wins.

use super::Abandoned;
use crate::board::Board;
use crate::error::{AnnounceError, ListenError};
use crate::region::{Sharing, Strong};
use crate::state::CloseCause;
use crate::trace;
use crate::wait::Wait;
use core::fmt;
use core::future::IntoFuture;
use core::ops::Deref;
use tidings_core::sync::Arc;
use tidings_core::wait::Latch;

/// One of several announcers of one channel: the first to announce or close wins, the others get their value back.
///
/// Dropping the last one closes the channel. What became of it can be read through [`Board`].
///
/// # Examples
///
/// ```
/// use tidings_oneshot::{AnnounceError, Announcement};
///
/// let (announcer, announcement) = Announcement::new();
/// let first = announcer.into_shared();
/// let second = first.clone();
/// assert!(second.announce("second").is_ok());
/// assert_eq!(first.announce("first"), Err(AnnounceError::AlreadyAnnounced("first")));
/// assert_eq!(announcement.get(), Some(&"second"));
/// ```
#[must_use = "dropping the last announcer closes the channel"]
pub struct SharedAnnouncer<T> {
    last: Arc<Last<T>>,
}

/// What all announcers hold together; its end closes the channel.
struct Last<T> {
    strong: Strong<T, Sharing>,
}

impl<T> SharedAnnouncer<T> {
    pub(super) fn new(strong: Strong<T, Sharing>) -> Self {
        Self {
            last: Arc::new(Last { strong }),
        }
    }

    /// Announces `value`, unless somebody was first.
    ///
    /// Otherwise as [`Announcer::announce`](super::Announcer::announce), with one more read-modify-write.
    ///
    /// # Errors
    /// [`AnnounceError`], with the value: another announcer has announced, or is doing so at this moment, or has closed.
    ///
    /// # Panics
    /// When a waker does, after everybody else was woken. The value is announced then.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::{AnnounceError, Announcement};
    ///
    /// let (announcer, _announcement) = Announcement::new();
    /// let shared = announcer.into_shared();
    /// assert_eq!(shared.announce(1), Ok(()));
    /// assert_eq!(shared.announce(2), Err(AnnounceError::AlreadyAnnounced(2)));
    /// ```
    pub fn announce(&self, value: T) -> Result<(), AnnounceError<T>> {
        let listeners = self.listener_count();
        self.cell.announce_first(value)?;
        trace::announced(listeners);
        Ok(())
    }

    /// Closes the channel without a value, unless somebody was first; whether it did.
    ///
    /// # Panics
    /// When a waker does, after everybody else was woken.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let shared = announcer.into_shared();
    /// assert!(shared.close());
    /// assert!(!shared.close()); // was closed before
    /// assert!(announcement.is_closed());
    /// ```
    pub fn close(&self) -> bool {
        self.last.close(CloseCause::Closed)
    }

    /// Whether nobody can hear any more; see [`Announcer::is_abandoned`](super::Announcer::is_abandoned).
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let shared = announcer.into_shared();
    /// drop(announcement);
    /// assert!(shared.is_abandoned());
    /// ```
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        !self.last.strong.is_heard()
    }

    /// Waits as a task until nobody can hear any more; see [`Announcer::abandoned`](super::Announcer::abandoned).
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing and gives its waker back at once.
    ///
    /// # Examples
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let shared = announcer.into_shared();
    /// drop(announcement);
    /// shared.abandoned().await;
    /// # });
    /// ```
    pub fn abandoned(&self) -> Abandoned<'_> {
        Abandoned::new(self.watch())
    }

    pub(super) fn watch(&self) -> Option<&Latch> {
        self.last.strong.watch()
    }

    /// How many listeners and guards there are; another number by the time you look at it.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let listener = announcement.listener();
    /// assert_eq!(announcer.into_shared().listener_count(), 1);
    /// # drop(listener);
    /// ```
    #[must_use]
    pub fn listener_count(&self) -> usize {
        self.last.strong.listener_count()
    }
}

impl<T> Last<T> {
    fn close(&self, cause: CloseCause) -> bool {
        let won = self.strong.cell.close_first(cause);
        if won {
            trace::closed(cause);
        }
        won
    }
}

impl<T> Drop for Last<T> {
    fn drop(&mut self) {
        self.close(CloseCause::of_a_drop());
    }
}

impl<T> Clone for SharedAnnouncer<T> {
    fn clone(&self) -> Self {
        Self {
            last: Arc::clone(&self.last),
        }
    }
}

impl<T> Deref for SharedAnnouncer<T> {
    type Target = Board<T>;

    fn deref(&self) -> &Board<T> {
        &self.last.strong
    }
}

impl<'a, T> IntoFuture for &'a SharedAnnouncer<T> {
    type Output = Result<&'a T, ListenError>;
    type IntoFuture = Wait<'a, T>;

    /// [`Board::wait`].
    fn into_future(self) -> Wait<'a, T> {
        self.wait()
    }
}

impl<T> fmt::Debug for SharedAnnouncer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedAnnouncer")
            .field("state", &self.state())
            .field("listeners", &self.listener_count())
            .finish()
    }
}
