//! What every handle of a channel reads.

use crate::cell::Cell;
use crate::error::{ListenError, TryListenError};
use crate::state::{CloseCause, State};
use core::fmt;

/// The value of a channel, once it is there, and all the ways to wait for it.
///
/// Listeners, announcements, shared announcers and static announcements dereference to a board. Each method comes as
/// `wait…`, which lends the value, and as `listen…`, which clones it.
///
/// | | never waits | task | thread | thread, with an end |
/// |---|---|---|---|---|
/// | `&T` | [`get`](Self::get), [`try_get`](Self::try_get) | [`wait`](Self::wait), [`wait_until`](Self::wait_until) | [`wait_blocking`](Self::wait_blocking) | [`wait_timeout_blocking`](Self::wait_timeout_blocking), [`wait_deadline_blocking`](Self::wait_deadline_blocking) |
/// | `T: Clone` | [`try_listen`](Self::try_listen) | [`listen`](Self::listen), [`listen_until`](Self::listen_until) | [`listen_blocking`](Self::listen_blocking) | [`listen_timeout_blocking`](Self::listen_timeout_blocking), [`listen_deadline_blocking`](Self::listen_deadline_blocking) |
///
/// # Progress and cost
/// Looking is one load. Waiting allocates nothing while at most two tasks wait; beyond, room is made that later waits reuse.
///
/// # Memory ordering
/// What the announcer did before announcing is seen by whoever got the value.
#[repr(transparent)]
pub struct Board<T> {
    pub(crate) cell: Cell<T>,
}

impl<T> Board<T> {
    /// The value, if it was announced.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// assert_eq!(announcement.get(), None);
    /// announcer.announce("now").unwrap();
    /// assert_eq!(announcement.get(), Some(&"now"));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn get(&self) -> Option<&T> {
        self.cell.get()
    }

    /// The value, or why there is none.
    ///
    /// # Errors
    /// [`TryListenError::Pending`] while it may still come, [`TryListenError::Closed`] when it never will.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::{Announcement, TryListenError};
    /// let (announcer, announcement) = Announcement::<u8>::new();
    /// assert_eq!(announcement.try_get(), Err(TryListenError::Pending));
    /// drop(announcer);
    /// assert_eq!(announcement.try_get(), Err(TryListenError::Closed));
    /// ```
    #[inline]
    pub fn try_get(&self) -> Result<&T, TryListenError> {
        match self.state() {
            State::Closed(_) => Err(TryListenError::Closed),
            State::Pending | State::Announced => self.get().ok_or(TryListenError::Pending),
        }
    }

    /// Whether the value is there. It is before anybody is woken because of it.
    #[inline(always)]
    #[must_use]
    pub fn is_announced(&self) -> bool {
        self.cell.latch().code() == Some(State::ANNOUNCED)
    }

    /// Whether the channel was closed without a value.
    #[inline]
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.cell
            .latch()
            .code()
            .is_some_and(|code| code != State::ANNOUNCED)
    }

    /// Both at once: pending, announced, or closed and how.
    #[inline]
    #[must_use]
    pub fn state(&self) -> State {
        self.cell.state()
    }

    /// How the channel was closed; `None` while it is pending and when it was announced.
    #[must_use]
    pub fn close_cause(&self) -> Option<CloseCause> {
        match self.state() {
            State::Closed(cause) => Some(cause),
            State::Pending | State::Announced => None,
        }
    }

    /// Whether both belong to one channel.
    #[must_use]
    pub fn same_channel(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }

    /// What a wait that ended with `code` returns; `None` is a deadline that passed.
    #[inline]
    pub(crate) fn outcome(&self, code: Option<u32>) -> Result<&T, ListenError> {
        match code {
            None => Err(ListenError::Timeout),
            Some(_) => self.get().ok_or(ListenError::Closed),
        }
    }
}

/// The forms that clone.
impl<T: Clone> Board<T> {
    /// A clone of the value, if it was announced.
    #[inline(always)]
    #[must_use]
    pub fn try_listen(&self) -> Option<T> {
        self.get().cloned()
    }
}

#[cfg(feature = "std")]
mod blocking {
    use super::{Board, ListenError};
    use core::time::Duration;
    use tidings_core::wait::{Deadline, Strategy, WaitStrategy};

    /// The forms that block a thread. Inside an asynchronous runtime use the ones for tasks: a thread that blocks there runs
    /// no other task, and if the announcement is to come from one of those, none ever will.
    impl<T> Board<T> {
        /// Waits for the value as a thread.
        ///
        /// # Errors
        /// [`ListenError::Closed`] when there will be none.
        ///
        /// # Examples
        ///
        /// ```
        /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
        /// let thread = std::thread::spawn(move || announcer.announce(5));
        /// assert_eq!(announcement.wait_blocking(), Ok(&5));
        /// # thread.join().unwrap().unwrap();
        /// ```
        pub fn wait_blocking(&self) -> Result<&T, ListenError> {
            self.wait_deadline_blocking(Deadline::NEVER)
        }

        /// Waits for the value as a thread, for so long at most; a time that the clock cannot express is for ever.
        ///
        /// # Errors
        /// [`ListenError::Timeout`] when the time is over, [`ListenError::Closed`] when there will be no value. A value that is
        /// there is returned also when the time is zero.
        pub fn wait_timeout_blocking(&self, timeout: Duration) -> Result<&T, ListenError> {
            // A value that is there needs no clock.
            match self.get() {
                Some(value) => Ok(value),
                None => self.wait_deadline_blocking(Deadline::after(timeout)),
            }
        }

        /// Waits for the value as a thread until a moment.
        ///
        /// # Errors
        /// As [`wait_timeout_blocking`](Self::wait_timeout_blocking).
        pub fn wait_deadline_blocking(&self, deadline: Deadline) -> Result<&T, ListenError> {
            self.wait_blocking_with(&WaitStrategy::default(), deadline)
        }

        /// Waits for the value as a thread that passes the time by `strategy`, until a moment.
        ///
        /// # Errors
        /// As [`wait_timeout_blocking`](Self::wait_timeout_blocking).
        ///
        /// # Panics
        /// When the strategy does.
        pub fn wait_blocking_with(
            &self,
            strategy: &(impl Strategy + ?Sized),
            deadline: Deadline,
        ) -> Result<&T, ListenError> {
            self.outcome(self.cell.latch().wait(strategy, deadline))
        }
    }

    /// The forms that block a thread and clone.
    impl<T: Clone> Board<T> {
        /// [`wait_blocking`](Self::wait_blocking), cloned.
        ///
        /// # Errors
        /// As [`wait_blocking`](Self::wait_blocking).
        pub fn listen_blocking(&self) -> Result<T, ListenError> {
            self.wait_blocking().cloned()
        }

        /// [`wait_timeout_blocking`](Self::wait_timeout_blocking), cloned.
        ///
        /// # Errors
        /// As [`wait_timeout_blocking`](Self::wait_timeout_blocking).
        pub fn listen_timeout_blocking(&self, timeout: Duration) -> Result<T, ListenError> {
            self.wait_timeout_blocking(timeout).cloned()
        }

        /// [`wait_deadline_blocking`](Self::wait_deadline_blocking), cloned.
        ///
        /// # Errors
        /// As [`wait_timeout_blocking`](Self::wait_timeout_blocking).
        pub fn listen_deadline_blocking(&self, deadline: Deadline) -> Result<T, ListenError> {
            self.wait_deadline_blocking(deadline).cloned()
        }
    }
}

impl<T> fmt::Debug for Board<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board")
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}
