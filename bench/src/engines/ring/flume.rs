//! flume 0.11, one bounded queue a subscriber: lossless fan-out by sending N times; threads and tasks.

use flume::{Receiver, Sender, bounded};

use crate::engine::ring::{AwaitEach, Engine, Publish, Sink, Subscribe};
use crate::message::Message;

/// One sender a subscriber.
pub struct Senders<T>(Vec<Sender<T>>);

impl<T: Message> Publish<T> for Senders<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        for sender in &self.0 {
            // A receiver that is gone is found by the count.
            let _ = sender.send(*message);
        }
    }
}

impl<T: Message> Subscribe<T> for Receiver<T> {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        if let Ok(message) = &self.try_recv() {
            sink.message(message);
        }
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        sink.message(
            &self
                .recv()
                .expect("the sender went before the last message"),
        );
    }
}

impl<T: Message> AwaitEach<T> for Receiver<T> {
    async fn next(&mut self) -> T {
        self.recv_async()
            .await
            .expect("the sender went before the last message")
    }
}

/// N bounded channels.
pub struct Queues;

impl<T: Message> Engine<T> for Queues {
    type Publisher = Senders<T>;
    type Subscriber = Receiver<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (senders, receivers) = (0..subscribers).map(|_| bounded(capacity)).unzip();
        (Senders(senders), receivers)
    }
}
