//! crossbeam-channel 0.5, one bounded queue a subscriber: lossless fan-out by sending N times.

mod graph;

use crossbeam_channel::{Receiver, Sender, bounded};

pub use graph::ByHand;

use super::channels::{ByCalls, Channel};
use crate::message::Message;

/// N bounded channels.
pub type Queues = ByCalls<Crossbeam>;

/// The calls.
pub struct Crossbeam;

impl<T: Message> Channel<T> for Crossbeam {
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
