//! The forms that block a thread, for both kinds of announcers.

use super::{Announcer, SharedAnnouncer};
use core::time::Duration;
use tidings_core::wait::{Deadline, Latch, WaitStrategy};

fn wait(watch: Option<&Latch>, deadline: Deadline) -> bool {
    watch.is_none_or(|latch| latch.wait(&WaitStrategy::default(), deadline).is_some())
}

impl<T> Announcer<T> {
    /// Waits as a thread until nobody can hear any more.
    ///
    /// # Progress and cost
    /// Blocks on purpose. The first wait in a channel allocates once; the last listener to go pays for the wake.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let worker = std::thread::spawn(move || drop(announcement));
    /// announcer.abandoned_blocking();
    /// # worker.join().unwrap();
    /// ```
    pub fn abandoned_blocking(&self) {
        wait(self.watch(), Deadline::NEVER);
    }

    /// Waits as a thread until nobody can hear any more, for at most `timeout`; returns whether that happened. A time that the clock
    /// cannot express is for ever.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// assert!(!announcer.abandoned_timeout_blocking(Duration::from_millis(1)));
    /// drop(announcement);
    /// assert!(announcer.abandoned_timeout_blocking(Duration::ZERO));
    /// ```
    pub fn abandoned_timeout_blocking(&self, timeout: Duration) -> bool {
        wait(self.watch(), Deadline::after(timeout))
    }

    /// Waits as a thread until nobody can hear any more, until `deadline`; returns whether that happened.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_core::wait::Deadline;
    ///
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// drop(announcement);
    /// assert!(announcer.abandoned_deadline_blocking(Deadline::NEVER));
    /// ```
    pub fn abandoned_deadline_blocking(&self, deadline: Deadline) -> bool {
        wait(self.watch(), deadline)
    }
}

impl<T> SharedAnnouncer<T> {
    /// Waits as a thread until nobody can hear any more; see [`Announcer::abandoned_blocking`].
    pub fn abandoned_blocking(&self) {
        wait(self.watch(), Deadline::NEVER);
    }

    /// Waits as a thread until nobody can hear any more, for so long at most; see [`Announcer::abandoned_timeout_blocking`].
    pub fn abandoned_timeout_blocking(&self, timeout: Duration) -> bool {
        wait(self.watch(), Deadline::after(timeout))
    }

    /// Waits as a thread until nobody can hear any more, until a moment; see [`Announcer::abandoned_deadline_blocking`].
    pub fn abandoned_deadline_blocking(&self, deadline: Deadline) -> bool {
        wait(self.watch(), deadline)
    }
}
