//! The traits of `futures`: a subscriber as a `Stream`, a publisher as a `Sink`.

mod sink;

pub use sink::PublishSink;

use crate::{
    contract::{Contract, Lossy},
    cursor::ATTEMPTS,
    error::{Lagged, TryRecvError},
    slot::Payload,
    subscriber::Subscriber,
};
use core::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};
use futures_core::{FusedStream, Stream};
use tidings_core::wait::TaskKey;

/// A subscriber as a stream of messages; see [`Subscriber::into_stream`].
#[must_use = "streams do nothing unless polled"]
pub struct RecvStream<T: 'static, C: Contract = Lossy>(Waiting<T, C>);

/// A subscriber as a stream of messages and losses; see [`Subscriber::into_lag_stream`].
#[must_use = "streams do nothing unless polled"]
pub struct LagStream<T: 'static, C: Contract = Lossy>(Waiting<T, C>);

/// A subscriber with a waker's place of its own.
struct Waiting<T: 'static, C: Contract> {
    subscriber: Subscriber<T, C>,
    key: TaskKey,
    ended: bool,
}

impl<T: Payload, C: Contract> Subscriber<T, C> {
    /// The subscriber as a [`Stream`] of its messages, which ends when the ring has. Messages that were lost are passed over and
    /// counted: [`get_ref`](RecvStream::get_ref) has the count. It gives other tasks their turn as
    /// [`recv_async`](Self::recv_async) does.
    ///
    /// Messages that are lent in place cannot be streamed: a stream may be asked for the next while the last is still used.
    ///
    /// # Cancel safety
    /// A message is taken only when it is given out; the waker is taken back when the stream is dropped, or given up.
    pub fn into_stream(self) -> RecvStream<T, C> {
        RecvStream(Waiting::new(self))
    }

    /// The same, with each loss in its place among the messages. A loss ends nothing.
    ///
    /// # Cancel safety
    /// As [`into_stream`](Self::into_stream).
    pub fn into_lag_stream(self) -> LagStream<T, C> {
        LagStream(Waiting::new(self))
    }
}

impl<T: Payload, C: Contract> Waiting<T, C> {
    fn new(subscriber: Subscriber<T, C>) -> Self {
        Self {
            subscriber,
            key: TaskKey::default(),
            ended: false,
        }
    }

    /// The next message or loss; `None` at the end, for ever.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<T, Lagged>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        if self.subscriber.is_turn_over(cx) {
            return Poll::Pending;
        }
        loop {
            match self.subscriber.try_recv() {
                Ok(message) => {
                    self.subscriber.cancel(&mut self.key);
                    return Poll::Ready(Some(Ok(message)));
                }
                Err(TryRecvError::Lagged { skipped }) => {
                    return Poll::Ready(Some(Err(Lagged { skipped })));
                }
                Err(TryRecvError::Closed) => {
                    self.ended = true;
                    return Poll::Ready(None);
                }
                Err(TryRecvError::Empty) => {
                    core::task::ready!(self.subscriber.poll_ready(&mut self.key, cx));
                }
            }
        }
    }
}

impl<T: Payload, C: Contract> Stream for RecvStream<T, C> {
    type Item = T;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<T>> {
        let waiting = &mut self.get_mut().0;
        for _ in 0..ATTEMPTS {
            match core::task::ready!(waiting.poll(cx)) {
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

impl<T: Payload, C: Contract> Stream for LagStream<T, C> {
    type Item = Result<T, Lagged>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().0.poll(cx)
    }
}

impl<T: Payload, C: Contract> FusedStream for RecvStream<T, C> {
    fn is_terminated(&self) -> bool {
        self.0.ended
    }
}

impl<T: Payload, C: Contract> FusedStream for LagStream<T, C> {
    fn is_terminated(&self) -> bool {
        self.0.ended
    }
}

macro_rules! around {
    ($stream:ident) => {
        impl<T, C: Contract> $stream<T, C> {
            /// The subscriber, with its counts.
            pub fn get_ref(&self) -> &Subscriber<T, C> {
                &self.0.subscriber
            }
        }

        impl<T, C: Contract> fmt::Debug for $stream<T, C> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_tuple(stringify!($stream))
                    .field(&self.0.subscriber)
                    .finish()
            }
        }
    };
}

around!(RecvStream);
around!(LagStream);

impl<T, C: Contract> Drop for Waiting<T, C> {
    fn drop(&mut self) {
        self.subscriber.cancel(&mut self.key);
    }
}
