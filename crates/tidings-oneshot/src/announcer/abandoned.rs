//! Waiting until nobody can hear any more.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use tidings_core::wait::{Latch, Opened};

/// Waits until nobody can hear; [`Announcer::abandoned`](super::Announcer::abandoned) makes it, and has an example.
///
/// Polled again after it was ready, it is ready again.
#[must_use = "futures do nothing unless polled"]
pub struct Abandoned<'a> {
    /// `None` when nobody could hear to begin with.
    opened: Option<Opened<'a>>,
    /// Whether it was ready before.
    #[cfg(feature = "stream")]
    is_done: bool,
}

impl<'a> Abandoned<'a> {
    pub(super) fn new(watch: Option<&'a Latch>) -> Self {
        Self {
            opened: watch.map(Latch::opened),
            #[cfg(feature = "stream")]
            is_done: false,
        }
    }

    #[cfg(feature = "stream")]
    pub(crate) const fn is_done(&self) -> bool {
        self.is_done
    }
}

impl Future for Abandoned<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(opened) = &mut self.opened {
            ready!(Pin::new(opened).poll(cx));
        }
        #[cfg(feature = "stream")]
        {
            self.is_done = true;
        }
        Poll::Ready(())
    }
}

impl fmt::Debug for Abandoned<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Abandoned").finish_non_exhaustive()
    }
}
