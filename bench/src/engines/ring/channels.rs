//! What the rivals have in common whose calls are those of a channel: send, receive, receive without waiting.
//!
//! `ByCalls` makes an engine of each; their files only say how the calls are named.

use std::marker::PhantomData;

use crate::engine::ring::{AwaitEach, AwaitRoom, Engine, Publish, Sink, Subscribe};
use crate::message::Message;

/// A lossless channel of several subscribers, or as many queues as there are subscribers.
pub trait Channel<T>: 'static {
    /// Sends.
    type Sender: Send + 'static;
    /// Receives.
    type Receiver: Send + 'static;
    /// Room for `capacity` messages and one receiver a subscriber.
    fn open(capacity: usize, subscribers: usize) -> (Self::Sender, Vec<Self::Receiver>);
    /// Sends to all, waiting for room.
    fn send(sender: &mut Self::Sender, message: &T);
    /// Waits for a message; `None` when the sender is gone.
    fn recv(receiver: &mut Self::Receiver) -> Option<T>;
    /// Takes a message if there is one.
    fn try_recv(receiver: &mut Self::Receiver) -> Option<T>;
}

/// The same calls for tasks.
pub trait AsyncChannel<T>: Channel<T> {
    /// Sends to all, awaiting room.
    fn send_async(sender: &mut Self::Sender, message: &T) -> impl Future<Output = ()> + Send;
    /// Awaits a message; `None` when the sender is gone.
    fn recv_async(receiver: &mut Self::Receiver) -> impl Future<Output = Option<T>> + Send;
}

/// The engine.
pub struct ByCalls<C>(PhantomData<C>);

/// Its sending end.
pub struct Sending<C: Channel<T>, T>(C::Sender);

impl<C: Channel<T, Sender: Clone>, T> Clone for Sending<C, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Its receiving end.
pub struct Receiving<C: Channel<T>, T>(C::Receiver);

impl<C: Channel<T>, T: Message> Engine<T> for ByCalls<C> {
    type Publisher = Sending<C, T>;
    type Subscriber = Receiving<C, T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (sender, receivers) = C::open(capacity, subscribers);
        (
            Sending(sender),
            receivers.into_iter().map(Receiving).collect(),
        )
    }
}

impl<C: Channel<T>, T: Message> Publish<T> for Sending<C, T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        C::send(&mut self.0, message);
    }
}

impl<C: Channel<T>, T: Message> Subscribe<T> for Receiving<C, T> {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        if let Some(message) = &C::try_recv(&mut self.0) {
            sink.message(message);
        }
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        sink.message(&expect(C::recv(&mut self.0)));
    }
}

impl<C: AsyncChannel<T>, T: Message> AwaitRoom<T> for Sending<C, T> {
    async fn publish_async(&mut self, message: &T) {
        C::send_async(&mut self.0, message).await;
    }
}

impl<C: AsyncChannel<T>, T: Message> AwaitEach<T> for Receiving<C, T> {
    async fn next(&mut self, sink: &mut (impl Sink<T> + Send)) {
        sink.message(&expect(C::recv_async(&mut self.0).await));
    }
}

#[inline(always)]
fn expect<T>(message: Option<T>) -> T {
    message.expect("the sender went before the last message")
}
