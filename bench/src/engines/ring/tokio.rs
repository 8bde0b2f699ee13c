//! tokio's `sync::broadcast`: any number of receivers on one ring, always lossy.

use tokio::sync::broadcast::{Receiver, Sender, channel, error::RecvError, error::TryRecvError};

use crate::engine::ring::{AwaitEach, AwaitRoom, Engine, Publish, Sink, Subscribe};
use crate::message::Message;

impl<T: Message> Publish<T> for Sender<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        // Without a receiver the message comes back; every workload has one.
        let _ = self.send(message.clone());
    }
}

impl<T: Message> Subscribe<T> for Receiver<T> {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        match &self.try_recv() {
            Ok(message) => sink.message(message),
            Err(TryRecvError::Lagged(skipped)) => sink.skipped(*skipped),
            Err(TryRecvError::Empty | TryRecvError::Closed) => {}
        }
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        hand_over(self.blocking_recv(), sink);
    }
}

impl<T: Message> AwaitRoom<T> for Sender<T> {
    /// It never waits.
    async fn publish_async(&mut self, message: &T) {
        self.publish(message);
    }
}

impl<T: Message> AwaitEach<T> for Receiver<T> {
    async fn next(&mut self, sink: &mut (impl Sink<T> + Send)) {
        hand_over(self.recv().await, sink);
    }
}

/// A message, or the news of a gap.
#[inline(always)]
fn hand_over<T>(received: Result<T, RecvError>, sink: &mut impl Sink<T>) {
    match received {
        Ok(message) => sink.message(&message),
        Err(RecvError::Lagged(skipped)) => sink.skipped(skipped),
        Err(RecvError::Closed) => panic!("the sender went before the last message"),
    }
}

/// `broadcast::channel`.
pub struct Broadcast;

impl<T: Message> Engine<T> for Broadcast {
    type Publisher = Sender<T>;
    type Subscriber = Receiver<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (sender, first) = channel(capacity);
        let mut receivers: Vec<_> = (1..subscribers).map(|_| sender.subscribe()).collect();
        receivers.insert(0, first);
        (sender, receivers)
    }
}
