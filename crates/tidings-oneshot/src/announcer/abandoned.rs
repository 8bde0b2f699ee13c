//! Waiting until nobody can hear any more.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use tidings_core::wait::{Latch, Opened};

/// Waits until nobody can hear; see [`Announcer::abandoned`](super::Announcer::abandoned). May be polled again after it
/// was ready.
#[must_use = "futures do nothing unless polled"]
pub struct Abandoned<'a> {
    /// `None` when nobody could hear to begin with.
    opened: Option<Opened<'a>>,
}

impl<'a> Abandoned<'a> {
    pub(super) fn new(watch: Option<&'a Latch>) -> Self {
        Self {
            opened: watch.map(Latch::opened),
        }
    }
}

impl Future for Abandoned<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        match &mut self.opened {
            Some(opened) => Pin::new(opened).poll(cx).map(drop),
            None => Poll::Ready(()),
        }
    }
}

impl fmt::Debug for Abandoned<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Abandoned").finish_non_exhaustive()
    }
}

/// The forms that block a thread, for both kinds of announcers.
#[cfg(feature = "std")]
mod blocking {
    use super::super::{Announcer, SharedAnnouncer};
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
}
