//! What became of a channel, and the codes that stand for it in its latch.

use core::fmt;

/// What a channel is at a moment. `Pending` may be over when you look at it; the others are for good.
///
/// # Examples
///
/// ```
/// use tidings_oneshot::{Announcement, CloseCause, State};
///
/// let (announcer, announcement) = Announcement::<u8>::new();
/// assert_eq!(announcement.state(), State::Pending);
/// announcer.close();
/// assert_eq!(announcement.state(), State::Closed(CloseCause::Closed));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum State {
    /// Neither announced nor closed.
    Pending,
    /// The value is there.
    Announced,
    /// There is no value and there will be none.
    Closed(CloseCause),
}

/// How a channel was closed without a value.
///
/// # Examples
///
/// ```
/// use tidings_oneshot::{Announcement, CloseCause};
///
/// let (announcer, announcement) = Announcement::<u8>::new();
/// let worker = std::thread::spawn(move || {
///     let _announcer = announcer;
///     panic!("bad luck");
/// });
/// assert!(announcement.wait_blocking().is_err());
/// assert_eq!(announcement.close_cause(), Some(CloseCause::Panicked));
/// # assert!(worker.join().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CloseCause {
    /// By a call of `close`.
    Closed,
    /// The announcer was dropped.
    Dropped,
    /// The announcer was dropped while its thread unwound from a panic. Without feature `std` this is reported as `Dropped`.
    Panicked,
}

impl CloseCause {
    /// The cause to report for an announcer that is dropped now.
    pub(crate) fn of_a_drop() -> Self {
        #[cfg(feature = "std")]
        if std::thread::panicking() {
            return Self::Panicked;
        }
        Self::Dropped
    }
}

impl State {
    /// The codes with which a latch is opened; readers compare with the first directly.
    pub(crate) const ANNOUNCED: u32 = 2;
    const CLOSED: u32 = 3;
    const DROPPED: u32 = 4;
    const PANICKED: u32 = 5;

    /// The code that says that the channel is closed.
    pub(crate) const fn closed(cause: CloseCause) -> u32 {
        match cause {
            CloseCause::Closed => Self::CLOSED,
            CloseCause::Dropped => Self::DROPPED,
            CloseCause::Panicked => Self::PANICKED,
        }
    }

    pub(crate) const fn from_code(code: Option<u32>) -> Self {
        match code {
            None => Self::Pending,
            Some(Self::ANNOUNCED) => Self::Announced,
            Some(Self::CLOSED) => Self::Closed(CloseCause::Closed),
            Some(Self::PANICKED) => Self::Closed(CloseCause::Panicked),
            // DROPPED; there is no other.
            Some(_) => Self::Closed(CloseCause::Dropped),
        }
    }
}

impl fmt::Display for CloseCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Closed => "closed by a call",
            Self::Dropped => "the announcer was dropped",
            Self::Panicked => "the announcer was dropped by a panic",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{CloseCause, State};

    #[test]
    fn every_cause_survives_its_code() {
        for cause in [
            CloseCause::Closed,
            CloseCause::Dropped,
            CloseCause::Panicked,
        ] {
            assert_eq!(
                State::from_code(Some(State::closed(cause))),
                State::Closed(cause)
            );
        }
        assert_eq!(State::from_code(Some(State::ANNOUNCED)), State::Announced);
        assert_eq!(State::from_code(None), State::Pending);
    }
}
