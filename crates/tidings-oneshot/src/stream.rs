//! Feature `stream`: the traits of `futures-core`.

use crate::announced::Announced;
use crate::announcer::Abandoned;
use crate::listener::Listener;
use crate::wait::{Listen, Wait};
use crate::wait_owned::ListenOwned;
use core::fmt;
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use futures_core::future::FusedFuture;
use futures_core::stream::{FusedStream, Stream};

/// The announcement as a stream: one guard, then the end; only the end when the channel is closed.
/// [`Listener::into_stream`] makes it, and has an example.
///
/// # Cancel safety
/// Dropping it gives its waker back at once. Dropping the future of a `next` loses nothing.
#[must_use = "streams do nothing unless polled"]
pub struct ListenStream<T> {
    /// `None` at the end.
    listen: Option<ListenOwned<T>>,
}

impl<T> Listener<T> {
    /// The announcement as a stream of at most one guard.
    ///
    /// # Examples
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use futures_util::StreamExt;
    ///
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let mut stream = announcement.listener().into_stream();
    /// announcer.announce("once").unwrap();
    /// assert_eq!(stream.next().await.as_deref(), Some(&"once"));
    /// assert!(stream.next().await.is_none());
    /// # });
    /// ```
    pub fn into_stream(self) -> ListenStream<T> {
        ListenStream {
            listen: Some(ListenOwned::new(self)),
        }
    }
}

impl<T> Stream for ListenStream<T> {
    type Item = Announced<T>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Announced<T>>> {
        let Some(listen) = &mut self.listen else {
            return Poll::Ready(None);
        };
        let heard = ready!(Pin::new(listen).poll(cx));
        self.listen = None;
        Poll::Ready(heard.ok())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(usize::from(self.listen.is_some())))
    }
}

impl<T> FusedStream for ListenStream<T> {
    fn is_terminated(&self) -> bool {
        self.listen.is_none()
    }
}

impl<T> fmt::Debug for ListenStream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ListenStream").field(&self.listen).finish()
    }
}

// Terminated once they were ready, though polling them again does no harm: `select!` then passes them over.
impl<T> FusedFuture for Wait<'_, T> {
    fn is_terminated(&self) -> bool {
        self.is_done()
    }
}

impl<T: Clone> FusedFuture for Listen<'_, T> {
    fn is_terminated(&self) -> bool {
        self.is_done()
    }
}

impl<T> FusedFuture for ListenOwned<T> {
    fn is_terminated(&self) -> bool {
        self.is_done()
    }
}

impl FusedFuture for Abandoned<'_> {
    fn is_terminated(&self) -> bool {
        self.is_done()
    }
}
