//! What can go wrong, by operation. Every error that refuses a value gives it back.

use core::error::Error;
use core::fmt;

/// Why a wait ended without a value.
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

/// Why there is no value at this moment.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AnnounceError<T> {
    /// Somebody else has announced, or is doing so.
    AlreadyAnnounced(T),
    /// The channel was closed.
    Closed(T),
}

impl<T> AnnounceError<T> {
    /// The value that was not announced.
    pub fn into_inner(self) -> T {
        match self {
            Self::AlreadyAnnounced(value) | Self::Closed(value) => value,
        }
    }
}

impl<T> fmt::Debug for AnnounceError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AlreadyAnnounced(_) => "AlreadyAnnounced(..)",
            Self::Closed(_) => "Closed(..)",
        })
    }
}

impl<T> fmt::Display for AnnounceError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AlreadyAnnounced(_) => "another value was announced before",
            Self::Closed(_) => "the channel was closed before",
        })
    }
}

impl<T> Error for AnnounceError<T> {}

/// Nobody could hear any more; the value is given back.
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
