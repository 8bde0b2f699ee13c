//! The forms that block a thread, for both kinds of announcers.

use super::{Announcer, SharedAnnouncer};
use core::time::Duration;
use tidings_core::wait::{Deadline, Latch, WaitStrategy};

fn wait(watch: Option<&Latch>, deadline: Deadline) -> bool {
    watch.is_none_or(|latch| latch.wait(&WaitStrategy::default(), deadline).is_some())
}

impl<T> Announcer<T> {
    /// Waits as a thread until nobody can hear any more.
    pub fn abandoned_blocking(&self) {
        wait(self.watch(), Deadline::NEVER);
    }

    /// Waits as a thread until nobody can hear any more, for so long at most; whether that came about.
    pub fn abandoned_timeout_blocking(&self, timeout: Duration) -> bool {
        wait(self.watch(), Deadline::after(timeout))
    }

    /// Waits as a thread until nobody can hear any more, until a moment; whether that came about.
    pub fn abandoned_deadline_blocking(&self, deadline: Deadline) -> bool {
        wait(self.watch(), deadline)
    }
}

impl<T> SharedAnnouncer<T> {
    /// Waits as a thread until nobody can hear any more.
    pub fn abandoned_blocking(&self) {
        wait(self.watch(), Deadline::NEVER);
    }

    /// Waits as a thread until nobody can hear any more, for so long at most; whether that came about.
    pub fn abandoned_timeout_blocking(&self, timeout: Duration) -> bool {
        wait(self.watch(), Deadline::after(timeout))
    }

    /// Waits as a thread until nobody can hear any more, until a moment; whether that came about.
    pub fn abandoned_deadline_blocking(&self, deadline: Deadline) -> bool {
        wait(self.watch(), deadline)
    }
}
