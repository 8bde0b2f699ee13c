//! async-broadcast 0.7, overflow off: lossless, threads through its blocking calls, tasks through its futures.

use async_broadcast::{Receiver, Sender, broadcast};

use crate::engine::ring::{AwaitEach, Engine, Publish, Sink, Subscribe};
use crate::message::Message;

impl<T: Message> Publish<T> for Sender<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        // A receiver that is gone is found by the count.
        let _ = self.broadcast_blocking(*message);
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
                .recv_blocking()
                .expect("the sender went before the last message"),
        );
    }
}

impl<T: Message> AwaitEach<T> for Receiver<T> {
    async fn next(&mut self) -> T {
        self.recv_direct()
            .await
            .expect("the sender went before the last message")
    }
}

/// `broadcast`.
pub struct Broadcast;

impl<T: Message> Engine<T> for Broadcast {
    type Publisher = Sender<T>;
    type Subscriber = Receiver<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (sender, first) = broadcast(capacity);
        let mut receivers: Vec<_> = (1..subscribers).map(|_| first.new_receiver()).collect();
        receivers.insert(0, first);
        (sender, receivers)
    }
}
