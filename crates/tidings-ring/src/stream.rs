//! The traits of `futures`: a subscriber as a `Stream`, a publisher as a `Sink`.

mod sink;

pub use sink::PublishSink;

use crate::{
    contract::{Contract, Lossy},
    cursor::ATTEMPTS,
    error::{Lagged, TryRecvError},
    slot::Payload,
    subscriber::Subscriber,
    value::ValueSubscriber,
};
use core::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};
use futures_core::{FusedStream, Stream};
use tidings_core::wait::TaskKey;

impl<T: Payload, C: Contract> Subscriber<T, C> {
    /// The subscriber as a [`Stream`] of its messages, which ends when the ring has. Messages that were lost are passed over and
    /// counted: [`get_ref`](RecvStream::get_ref) has the count. It lets other tasks run as [`recv_async`](Self::recv_async)
    /// does.
    ///
    /// Messages that are lent in place cannot be streamed: a stream may be asked for the next one while the last is still used.
    ///
    /// # Cancel safety
    /// A message is taken only when it is given out; the waker is taken back when the stream is dropped.
    ///
    /// # Examples
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use futures_util::StreamExt;
    /// let (mut publisher, subscribable) = tidings_ring::channel::<u64>(2);
    /// let mut stream = subscribable.subscribe().into_stream();
    /// publisher.publish_batch(&[1, 2, 3]);
    /// drop(publisher);
    /// assert_eq!(stream.next().await, Some(2));
    /// assert_eq!(stream.get_ref().total_lagged(), 1);
    /// assert_eq!(stream.collect::<Vec<_>>().await, [3]);
    /// # });
    /// ```
    pub fn into_stream(self) -> RecvStream<T, C> {
        RecvStream(Waiting::new(self))
    }

    /// The same, with each loss in its place among the messages. A loss ends nothing.
    ///
    /// # Cancel safety
    /// As [`into_stream`](Self::into_stream).
    ///
    /// # Examples
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// use futures_util::StreamExt;
    /// use tidings_ring::{Lagged, channel};
    /// let (mut publisher, subscribable) = channel::<u64>(2);
    /// let stream = subscribable.subscribe().into_lag_stream();
    /// publisher.publish_batch(&[1, 2, 3]);
    /// drop(publisher);
    /// let all: Vec<_> = stream.collect().await;
    /// assert_eq!(all, [Err(Lagged { skipped: 1 }), Ok(2), Ok(3)]);
    /// # });
    /// ```
    pub fn into_lag_stream(self) -> LagStream<T, C> {
        LagStream(Waiting::new(self))
    }
}

impl<T: Clone + Send + Sync + 'static> ValueSubscriber<T> {
    /// The subscriber as a [`Stream`] of clones of its messages; as [`Subscriber::into_stream`].
    ///
    /// # Cancel safety
    /// As there.
    pub fn into_stream(self) -> ValueStream<T> {
        ValueStream(Waiting::new(self))
    }

    /// The same, with each loss in its place among the messages. A loss ends nothing.
    ///
    /// # Cancel safety
    /// As [`into_stream`](Self::into_stream).
    pub fn into_lag_stream(self) -> ValueLagStream<T> {
        ValueLagStream(Waiting::new(self))
    }
}

/// What a stream takes its messages from.
trait Source {
    type Message;

    fn try_recv(&mut self) -> Result<Self::Message, TryRecvError>;
    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()>;
    fn is_turn_over(&self, cx: &Context<'_>) -> bool;
    fn cancel(&self, key: &mut TaskKey);
}

macro_rules! source {
    ([$($generic:tt)*] $subscriber:ty) => {
        impl<$($generic)*> Source for $subscriber {
            type Message = T;

            #[inline]
            fn try_recv(&mut self) -> Result<T, TryRecvError> {
                <$subscriber>::try_recv(self)
            }

            fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
                <$subscriber>::poll_ready(self, key, cx)
            }

            #[inline]
            fn is_turn_over(&self, cx: &Context<'_>) -> bool {
                <$subscriber>::is_turn_over(self, cx)
            }

            #[inline]
            fn cancel(&self, key: &mut TaskKey) {
                <$subscriber>::cancel(self, key);
            }
        }
    };
}

source!([T: Payload, C: Contract] Subscriber<T, C>);
source!([T: Clone + Send + Sync + 'static] ValueSubscriber<T>);

/// A subscriber with a waker's place of its own.
struct Waiting<S: Source> {
    subscriber: S,
    key: TaskKey,
    ended: bool,
}

impl<S: Source> Waiting<S> {
    fn new(subscriber: S) -> Self {
        Self {
            subscriber,
            key: TaskKey::default(),
            ended: false,
        }
    }

    /// The next message or loss; `None` at the end, for ever.
    fn poll_any(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<S::Message, Lagged>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        if self.subscriber.is_turn_over(cx) {
            return Poll::Pending;
        }
        let next = loop {
            match self.subscriber.try_recv() {
                Ok(message) => break Some(Ok(message)),
                Err(TryRecvError::Lagged { skipped }) => break Some(Err(Lagged { skipped })),
                Err(TryRecvError::Closed) => break None,
                Err(TryRecvError::Empty) => {
                    ready!(self.subscriber.poll_ready(&mut self.key, cx));
                }
            }
        };
        self.ended = next.is_none();
        self.subscriber.cancel(&mut self.key);
        Poll::Ready(next)
    }

    /// The next message; losses are counted.
    fn poll_message(&mut self, cx: &mut Context<'_>) -> Poll<Option<S::Message>> {
        for _ in 0..ATTEMPTS {
            match ready!(self.poll_any(cx)) {
                Some(Ok(message)) => return Poll::Ready(Some(message)),
                Some(Err(_counted)) => {}
                None => return Poll::Ready(None),
            }
        }
        // Overtaken each time: others may run before the next attempts.
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<S: Source> Drop for Waiting<S> {
    fn drop(&mut self) {
        self.subscriber.cancel(&mut self.key);
    }
}

/// A subscriber as a stream of messages; see [`Subscriber::into_stream`].
#[must_use = "streams do nothing unless polled"]
pub struct RecvStream<T: Payload, C: Contract = Lossy>(Waiting<Subscriber<T, C>>);

/// A subscriber as a stream of messages and losses; see [`Subscriber::into_lag_stream`].
#[must_use = "streams do nothing unless polled"]
pub struct LagStream<T: Payload, C: Contract = Lossy>(Waiting<Subscriber<T, C>>);

/// A subscriber as a stream of values; see [`ValueSubscriber::into_stream`].
#[must_use = "streams do nothing unless polled"]
pub struct ValueStream<T: Clone + Send + Sync + 'static>(Waiting<ValueSubscriber<T>>);

/// A subscriber as a stream of values and losses; see [`ValueSubscriber::into_lag_stream`].
#[must_use = "streams do nothing unless polled"]
pub struct ValueLagStream<T: Clone + Send + Sync + 'static>(Waiting<ValueSubscriber<T>>);

macro_rules! stream {
    ([$($generic:tt)*] $stream:ty, $name:literal, $subscriber:ty, $poll:ident -> $item:ty) => {
        impl<$($generic)*> Stream for $stream {
            type Item = $item;

            fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<$item>> {
                self.get_mut().0.$poll(cx)
            }
        }

        impl<$($generic)*> FusedStream for $stream {
            fn is_terminated(&self) -> bool {
                self.0.ended
            }
        }

        impl<$($generic)*> $stream {
            /// The subscriber, with its counts.
            pub fn get_ref(&self) -> &$subscriber {
                &self.0.subscriber
            }
        }

        // Neither the subscriber nor a message is ever pinned.
        impl<$($generic)*> Unpin for $stream {}

        impl<$($generic)*> fmt::Debug for $stream {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple($name).field(&self.0.subscriber).finish()
            }
        }
    };
}

stream!([T: Payload, C: Contract] RecvStream<T, C>, "RecvStream", Subscriber<T, C>, poll_message -> T);
stream!([T: Payload, C: Contract] LagStream<T, C>, "LagStream", Subscriber<T, C>, poll_any -> Result<T, Lagged>);
stream!(
    [T: Clone + Send + Sync + 'static] ValueStream<T>, "ValueStream",
    ValueSubscriber<T>, poll_message -> T
);
stream!(
    [T: Clone + Send + Sync + 'static] ValueLagStream<T>, "ValueLagStream",
    ValueSubscriber<T>, poll_any -> Result<T, Lagged>
);
