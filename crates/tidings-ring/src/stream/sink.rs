//! A publisher as a `Sink`.

use crate::{
    claim::many::Keys,
    contract::{Contract, Lossy},
    publisher::{MpPublisher, Publisher},
    slot::Payload,
};
use core::{
    convert::Infallible,
    fmt,
    marker::PhantomData,
    pin::Pin,
    task::{Context, Poll, ready},
};
use futures_sink::Sink;
use tidings_core::wait::TaskKey;

/// A publisher as a [`Sink`]; see [`Publisher::into_sink`] and [`MpPublisher::into_sink`].
///
/// It is ready when there is room, and publishes what it is sent at once. Only one of many publishers may find that another
/// was quicker: it keeps that one message until it is asked again, flushed or closed; dropped before that, it loses it.
/// Closing drops the publisher. Publishing does not fail. What [`publish_async`](Publisher::publish_async) says of fairness
/// holds here too.
///
/// # Cancel safety
/// Every poll can be given up and repeated.
///
/// # Examples
/// ```
/// use futures_util::{SinkExt, StreamExt, stream};
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let (publisher, subscribable) = tidings_ring::channel_bounded::<u64>(4, 0);
/// let messages = subscribable.subscribe().into_stream();
/// let numbers = stream::iter(1..=10).map(Ok).forward(publisher.into_sink());
/// let (sent, sum) = tokio::join!(numbers, messages.fold(0, |sum, n| async move { sum + n }));
/// assert_eq!((sent, sum), (Ok(()), 55));
/// # });
/// ```
#[must_use = "sinks do nothing unless polled"]
pub struct PublishSink<T: 'static, C: Contract = Lossy, P: Put<T> = Publisher<T, C>> {
    /// Gone once it was closed.
    publisher: Option<P>,
    /// Sent, and not published yet: another publisher took the room.
    pending: Option<T>,
    keys: P::Keys,
    contract: PhantomData<fn() -> C>,
}

/// What a sink publishes through: [`Publisher`] or [`MpPublisher`]; sealed.
pub trait Put<T>: sealed::Put<T> {}

impl<T, P: sealed::Put<T>> Put<T> for P {}

mod sealed {
    use super::{Context, Poll};

    /// See [`super::Put`].
    pub trait Put<T>: Sized {
        /// What a waiting task is known by.
        type Keys: Default + Unpin;

        /// Whether there is room, or else the waker is registered.
        fn poll_room(&mut self, keys: &mut Self::Keys, cx: &mut Context<'_>) -> Poll<()>;

        /// Publishes, if there is room.
        fn put(&mut self, message: &T) -> bool;

        /// Publishes, or registers the waker.
        fn poll_put(
            &mut self,
            message: &T,
            keys: &mut Self::Keys,
            cx: &mut Context<'_>,
        ) -> Poll<()>;

        /// Takes the waker back.
        fn cancel(&self, keys: &mut Self::Keys);
    }
}

impl<T: Payload, C: Contract> sealed::Put<T> for Publisher<T, C> {
    type Keys = TaskKey;

    fn poll_room(&mut self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        Publisher::poll_room(self, key, cx)
    }

    fn put(&mut self, message: &T) -> bool {
        self.try_publish(*message).is_ok()
    }

    fn poll_put(&mut self, message: &T, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.poll_publish(message, key, cx)
    }

    fn cancel(&self, key: &mut TaskKey) {
        Publisher::cancel(self, key);
    }
}

impl<T: Payload, C: Contract> sealed::Put<T> for MpPublisher<T, C> {
    type Keys = Keys;

    fn poll_room(&mut self, keys: &mut Keys, cx: &mut Context<'_>) -> Poll<()> {
        MpPublisher::poll_room(self, keys, cx)
    }

    fn put(&mut self, message: &T) -> bool {
        self.try_publish(*message).is_ok()
    }

    fn poll_put(&mut self, message: &T, keys: &mut Keys, cx: &mut Context<'_>) -> Poll<()> {
        self.poll_publish(message, keys, cx)
    }

    fn cancel(&self, keys: &mut Keys) {
        MpPublisher::cancel(self, keys);
    }
}

impl<T: Payload, C: Contract> Publisher<T, C> {
    /// The publisher as a [`Sink`] of messages.
    pub fn into_sink(self) -> PublishSink<T, C> {
        PublishSink::new(self)
    }
}

impl<T: Payload, C: Contract> MpPublisher<T, C> {
    /// The publisher as a [`Sink`] of messages.
    pub fn into_sink(self) -> PublishSink<T, C, Self> {
        PublishSink::new(self)
    }
}

impl<T, C: Contract, P: Put<T>> PublishSink<T, C, P> {
    fn new(publisher: P) -> Self {
        Self {
            publisher: Some(publisher),
            pending: None,
            keys: P::Keys::default(),
            contract: PhantomData,
        }
    }

    fn poll_pending(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        if let (Some(message), Some(publisher)) = (&self.pending, &mut self.publisher) {
            ready!(publisher.poll_put(message, &mut self.keys, cx));
            self.pending = None;
        }
        Poll::Ready(Ok(()))
    }
}

// Neither the message nor the publisher is ever pinned.
impl<T, C: Contract, P: Put<T>> Unpin for PublishSink<T, C, P> {}

impl<T, C: Contract, P: Put<T>> Sink<T> for PublishSink<T, C, P> {
    type Error = Infallible;

    fn poll_ready(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        let this = self.get_mut();
        let published = ready!(this.poll_pending(cx));
        if let Some(publisher) = &mut this.publisher {
            ready!(publisher.poll_room(&mut this.keys, cx));
        }
        Poll::Ready(published)
    }

    /// # Panics
    /// When it was closed, or was not ready.
    fn start_send(self: Pin<&mut Self>, message: T) -> Result<(), Infallible> {
        let this = self.get_mut();
        assert!(
            this.pending.is_none(),
            "a PublishSink was sent to before it was ready"
        );
        let publisher = this.publisher.as_mut();
        let publisher = publisher.expect("a PublishSink was sent to after it was closed");
        if !publisher.put(&message) {
            this.pending = Some(message);
        }
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.get_mut().poll_pending(cx)
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        let this = self.get_mut();
        let published = ready!(this.poll_pending(cx));
        if let Some(publisher) = this.publisher.take() {
            publisher.cancel(&mut this.keys);
        }
        Poll::Ready(published)
    }
}

impl<T, C: Contract, P: Put<T>> Drop for PublishSink<T, C, P> {
    fn drop(&mut self) {
        if let Some(publisher) = &self.publisher {
            publisher.cancel(&mut self.keys);
        }
    }
}

impl<T, C: Contract, P: Put<T> + fmt::Debug> fmt::Debug for PublishSink<T, C, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublishSink")
            .field("publisher", &self.publisher)
            .field("is_pending", &self.pending.is_some())
            .finish_non_exhaustive()
    }
}
