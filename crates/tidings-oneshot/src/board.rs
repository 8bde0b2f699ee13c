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
/// Looking is one load. Waiting allocates nothing while at most two tasks wait; beyond, room is made that later waits reuse. A
/// thread that waits needs no room.
///
/// # Memory ordering
/// What the announcer did before announcing is seen by whoever got the value, or saw it announced.
///
/// # Examples
///
/// ```
/// use tidings_oneshot::{Announcement, Board};
///
/// /// Works for listeners, announcements and shared and static announcers.
/// fn greet(name: &Board<String>) -> String {
///     name.get().map_or_else(|| String::from("hello"), |name| format!("hello {name}"))
/// }
///
/// let (announcer, announcement) = Announcement::new();
/// assert_eq!(greet(&announcement), "hello");
/// announcer.announce(String::from("Ada")).unwrap();
/// assert_eq!(greet(&announcement.listener()), "hello Ada");
/// ```
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

    /// Whether the value is there. It is before anybody is woken because of it. Stays false for ever when the channel is closed.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// assert!(!announcement.is_announced());
    /// announcer.announce(1).unwrap();
    /// assert!(announcement.is_announced());
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn is_announced(&self) -> bool {
        self.cell.latch().code() == Some(State::ANNOUNCED)
    }

    /// Whether the channel was closed without a value. Stays false for ever when it was announced.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// assert!(!announcement.is_closed());
    /// drop(announcer);
    /// assert!(announcement.is_closed());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.cell
            .latch()
            .code()
            .is_some_and(|code| code != State::ANNOUNCED)
    }

    /// Both at once: pending, announced, or closed and how. Pending may be over when you look at it.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::{Announcement, State};
    ///
    /// let (announcer, announcement) = Announcement::new();
    /// assert_eq!(announcement.state(), State::Pending);
    /// announcer.announce(1).unwrap();
    /// assert_eq!(announcement.state(), State::Announced);
    /// ```
    #[inline]
    #[must_use]
    pub fn state(&self) -> State {
        self.cell.state()
    }

    /// How the channel was closed; `None` while it is pending and when it was announced.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::{Announcement, CloseCause};
    ///
    /// let (announcer, announcement) = Announcement::<u8>::new();
    /// assert_eq!(announcement.close_cause(), None);
    /// announcer.close();
    /// assert_eq!(announcement.close_cause(), Some(CloseCause::Closed));
    /// ```
    #[must_use]
    pub fn close_cause(&self) -> Option<CloseCause> {
        match self.state() {
            State::Closed(cause) => Some(cause),
            State::Pending | State::Announced => None,
        }
    }

    /// Whether both belong to one channel.
    ///
    /// # Examples
    ///
    /// ```
    /// let (_announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let (_announcer, other) = tidings_oneshot::Announcement::<u8>::new();
    /// assert!(announcement.same_channel(&announcement.listener()));
    /// assert!(!announcement.same_channel(&other));
    /// ```
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
    /// A clone of the value, if it was announced; [`try_get`](Self::try_get) says why there is none.
    ///
    /// # Panics
    /// When `clone` does; the value stays.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// assert_eq!(announcement.try_listen(), None);
    /// announcer.announce(String::from("now")).unwrap();
    /// assert_eq!(announcement.try_listen(), Some(String::from("now")));
    /// ```
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
        /// # Progress and cost
        /// Blocks on purpose: passes the time by [`WaitStrategy::default`], then sleeps. All threads that sleep are woken by
        /// one system call.
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
        ///
        /// # Examples
        ///
        /// ```
        /// use std::time::Duration;
        /// use tidings_oneshot::{Announcement, ListenError};
        ///
        /// let (announcer, announcement) = Announcement::new();
        /// let soon = Duration::from_millis(1);
        /// assert_eq!(announcement.wait_timeout_blocking(soon), Err(ListenError::Timeout));
        /// announcer.announce(5).unwrap();
        /// assert_eq!(announcement.wait_timeout_blocking(Duration::ZERO), Ok(&5));
        /// ```
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
        ///
        /// # Examples
        ///
        /// ```
        /// use std::time::Duration;
        /// use tidings_core::wait::Deadline;
        ///
        /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
        /// let end = Deadline::after(Duration::from_millis(1)); // for all waits together
        /// assert!(announcement.wait_deadline_blocking(end).is_err());
        /// assert!(announcement.wait_deadline_blocking(end).is_err());
        /// # drop(announcer);
        /// ```
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
        ///
        /// # Examples
        ///
        /// ```
        /// use tidings_core::wait::{Deadline, WaitStrategy};
        ///
        /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
        /// announcer.announce(5).unwrap();
        /// let sleepy = WaitStrategy::Park; // does not spin
        /// assert_eq!(announcement.wait_blocking_with(&sleepy, Deadline::NEVER), Ok(&5));
        /// ```
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
        /// Waits as a thread and clones the value; otherwise as [`wait_blocking`](Self::wait_blocking).
        ///
        /// # Errors
        /// [`ListenError::Closed`] when there will be no value.
        ///
        /// # Panics
        /// When `clone` does; the value stays.
        ///
        /// # Examples
        ///
        /// ```
        /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
        /// let thread = std::thread::spawn(move || announcement.listen_blocking());
        /// announcer.announce(5).unwrap();
        /// assert_eq!(thread.join().unwrap(), Ok(5));
        /// ```
        pub fn listen_blocking(&self) -> Result<T, ListenError> {
            self.wait_blocking().cloned()
        }

        /// Waits as a thread, for so long at most, and clones; otherwise as
        /// [`wait_timeout_blocking`](Self::wait_timeout_blocking).
        ///
        /// # Errors
        /// As [`wait_timeout_blocking`](Self::wait_timeout_blocking).
        ///
        /// # Panics
        /// When `clone` does; the value stays.
        ///
        /// # Examples
        ///
        /// ```
        /// use std::time::Duration;
        ///
        /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
        /// announcer.announce(5).unwrap();
        /// assert_eq!(announcement.listen_timeout_blocking(Duration::MAX), Ok(5));
        /// ```
        pub fn listen_timeout_blocking(&self, timeout: Duration) -> Result<T, ListenError> {
            self.wait_timeout_blocking(timeout).cloned()
        }

        /// Waits as a thread until a moment and clones; otherwise as
        /// [`wait_deadline_blocking`](Self::wait_deadline_blocking).
        ///
        /// # Errors
        /// As [`wait_timeout_blocking`](Self::wait_timeout_blocking).
        ///
        /// # Panics
        /// When `clone` does; the value stays.
        ///
        /// # Examples
        ///
        /// ```
        /// use tidings_core::wait::Deadline;
        ///
        /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
        /// announcer.announce(5).unwrap();
        /// assert_eq!(announcement.listen_deadline_blocking(Deadline::NEVER), Ok(5));
        /// ```
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
