//! async-broadcast 0.7, overflow off: lossless, threads through its blocking calls, tasks through its futures.

use async_broadcast::{Receiver, Sender, broadcast};

use super::channels::{AsyncChannel, ByCalls, Channel};
use crate::message::Message;

/// `broadcast`.
pub type Broadcast = ByCalls<AsyncBroadcast>;

/// The calls.
pub struct AsyncBroadcast;

impl<T: Message> Channel<T> for AsyncBroadcast {
    type Sender = Sender<T>;
    type Receiver = Receiver<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Sender, Vec<Self::Receiver>) {
        let (sender, first) = broadcast(capacity);
        let mut receivers: Vec<_> = (1..subscribers).map(|_| first.new_receiver()).collect();
        receivers.insert(0, first);
        (sender, receivers)
    }

    #[inline(always)]
    fn send(sender: &mut Self::Sender, message: &T) {
        // A receiver that is gone is found by the count.
        let _ = sender.broadcast_blocking(message.clone());
    }

    #[inline(always)]
    fn recv(receiver: &mut Self::Receiver) -> Option<T> {
        receiver.recv_blocking().ok()
    }

    #[inline(always)]
    fn try_recv(receiver: &mut Self::Receiver) -> Option<T> {
        receiver.try_recv().ok()
    }
}

impl<T: Message> AsyncChannel<T> for AsyncBroadcast {
    async fn send_async(sender: &mut Self::Sender, message: &T) {
        let _ = sender.broadcast_direct(message.clone()).await;
    }

    async fn recv_async(receiver: &mut Self::Receiver) -> Option<T> {
        receiver.recv_direct().await.ok()
    }
}
