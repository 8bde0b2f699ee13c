//! flume 0.11, one bounded queue a subscriber: lossless fan-out by sending N times; threads and tasks.

use flume::{Receiver, Sender, bounded};

use super::channels::{AsyncChannel, ByCalls, Channel};
use crate::message::Message;

/// N bounded channels.
pub type Queues = ByCalls<Flume>;

/// The calls.
pub struct Flume;

impl<T: Message> Channel<T> for Flume {
    type Sender = Vec<Sender<T>>;
    type Receiver = Receiver<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Sender, Vec<Self::Receiver>) {
        (0..subscribers).map(|_| bounded(capacity)).unzip()
    }

    #[inline(always)]
    fn send(senders: &mut Self::Sender, message: &T) {
        for sender in senders {
            // A receiver that is gone is found by the count.
            let _ = sender.send(message.clone());
        }
    }

    #[inline(always)]
    fn recv(receiver: &mut Self::Receiver) -> Option<T> {
        receiver.recv().ok()
    }

    #[inline(always)]
    fn try_recv(receiver: &mut Self::Receiver) -> Option<T> {
        receiver.try_recv().ok()
    }
}

impl<T: Message> AsyncChannel<T> for Flume {
    async fn send_async(senders: &mut Self::Sender, message: &T) {
        for sender in senders {
            let _ = sender.send_async(message.clone()).await;
        }
    }

    async fn recv_async(receiver: &mut Self::Receiver) -> Option<T> {
        receiver.recv_async().await.ok()
    }
}
