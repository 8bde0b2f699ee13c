//! What can go wrong, by operation. Every error that refuses a value gives it back.

use core::error::Error;
use core::fmt;

/// Why a wait ended without a value.
///
/// # Examples
///
/// ```
/// use tidings_oneshot::{Announcement, ListenError};
///
/// let (announcer, announcement) = Announcement::<u8>::new();
/// drop(announcer);
/// assert_eq!(announcement.wait_blocking(), Err(ListenError::Closed));
/// assert_eq!(ListenError::Closed.to_string(), "closed without an announcement");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ListenError {
    /// The deadline passed, or the timer was ready first; the value may still come. Waits without either never say this.
    Timeout,
    /// The channel was closed without a value; [`Board::close_cause`](crate::Board::close_cause) says how.
    Closed,
}

impl fmt::Display for ListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Timeout => "no announcement within the time given",
            Self::Closed => "closed without an announcement",
        })
    }
}

impl Error for ListenError {}

/// Why there is no value at this moment; see [`Board::try_get`](crate::Board::try_get), which has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TryListenError {
    /// Nothing was announced yet.
    Pending,
    /// The channel was closed without a value, so there will be none.
    Closed,
}

impl fmt::Display for TryListenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pending => "nothing was announced yet",
            Self::Closed => "closed without an announcement",
        })
    }
}

impl Error for TryListenError {}

/// Why a value was not announced; it is given back.
///
/// An [`Announcer`](crate::Announcer), which alone can announce, never meets this. The ones that can be overtaken do.
/// `Debug` does not show the value, which need not be `Debug` itself.
///
/// # Examples
///
/// ```
/// use tidings_oneshot::{AnnounceError, StaticAnnouncement};
///
/// let announcement = StaticAnnouncement::new();
/// announcement.announce("first").unwrap();
/// let error = announcement.announce("second").unwrap_err();
/// assert_eq!(error, AnnounceError::AlreadyAnnounced("second"));
/// assert_eq!(error.into_inner(), "second");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AnnounceError<T> {
    /// Somebody else was first: has announced, is doing so at this moment, or has closed.
    /// [`Board::state`](crate::Board::state) tells which.
    AlreadyAnnounced(T),
}

impl<T> AnnounceError<T> {
    /// The value that was not announced.
    pub fn into_inner(self) -> T {
        let Self::AlreadyAnnounced(value) = self;
        value
    }
}

impl<T> fmt::Debug for AnnounceError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AlreadyAnnounced(..)")
    }
}

impl<T> fmt::Display for AnnounceError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the channel was already announced or closed")
    }
}

impl<T> Error for AnnounceError<T> {}

/// Nobody could hear any more; the value is given back. See [`Announcer::announce_heard`](crate::Announcer::announce_heard).
///
/// # Examples
///
/// ```
/// use tidings_oneshot::{Announcement, UnheardError};
///
/// let (announcer, announcement) = Announcement::new();
/// drop(announcement);
/// assert_eq!(announcer.announce_heard(5), Err(UnheardError(5)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct UnheardError<T>(pub T);

impl<T> UnheardError<T> {
    /// The value that was not announced.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> fmt::Debug for UnheardError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("UnheardError(..)")
    }
}

impl<T> fmt::Display for UnheardError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody can hear the announcement any more")
    }
}

impl<T> Error for UnheardError<T> {}
