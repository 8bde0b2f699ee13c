//! Tasks that read in batches: they await a message and then read in place what is there.

use tidings::ring::{Gating, Publisher, Subscriber};

use super::Lossless;
use crate::engine::ring::{AwaitEach, Engine, Sink, Subscribe};
use crate::message::Plain;

/// At most so many messages are read before the task awaits again.
const BATCH: usize = 64;

/// `Lossless`, read in batches by tasks.
pub struct TaskBatches;

/// A subscriber that reads in place.
pub struct Reading<T: Plain>(Subscriber<T, Gating>);

impl<T: Plain> Subscribe<T> for Reading<T> {
    fn step(&mut self, sink: &mut impl Sink<T>) {
        self.0.wait();
        self.sweep(sink);
    }

    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        self.0.read_batch(BATCH, |message, _| sink.message(message));
    }
}

impl<T: Plain> AwaitEach<T> for Reading<T> {
    async fn next(&mut self, sink: &mut (impl Sink<T> + Send)) {
        self.0.wait_async().await;
        self.sweep(sink);
    }
}

impl<T: Plain> Engine<T> for TaskBatches {
    type Publisher = Publisher<T, Gating>;
    type Subscriber = Reading<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = <Lossless as Engine<T>>::open(capacity, subscribers);
        (publisher, subscribers.into_iter().map(Reading).collect())
    }
}
