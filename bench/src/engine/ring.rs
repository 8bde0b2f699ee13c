//! What a ring can be asked to do. One implementation a rival and way of waiting, in `engines/ring/`.

use std::future::Future;

/// A one-to-many channel.
pub trait Engine<T> {
    /// The end that publishes.
    type Publisher: Publish<T>;
    /// The end that receives; each sees every message.
    type Subscriber: Subscribe<T>;
    /// A channel of `capacity` messages with `subscribers` subscribers on it.
    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>);
}

/// The publishing end.
pub trait Publish<T>: Send + 'static {
    /// Publishes; where the contract is lossless, waits for room as this engine waits.
    /// By reference, so that the harness adds no copy of its own to what the engine's call needs.
    fn publish(&mut self, message: &T);
    /// Publishes what is still held back; only those that gather a batch hold anything back.
    #[inline(always)]
    fn flush(&mut self) {}
}

/// Where an engine hands over what it received.
pub trait Sink<T> {
    /// A message.
    fn message(&mut self, message: &T);
    /// So many messages were overwritten before the next one.
    fn skipped(&mut self, skipped: u64);
}

/// The receiving end.
pub trait Subscribe<T>: Send + 'static {
    /// Waits as this engine waits, then hands over one message or a batch.
    fn step(&mut self, sink: &mut impl Sink<T>);
    /// Hands over what is there, one message or a batch, without waiting.
    fn sweep(&mut self, sink: &mut impl Sink<T>);
}

/// A publishing end that takes many messages at once.
pub trait PublishBatch<T>: Publish<T> {
    /// Publishes all of them.
    fn publish_batch(&mut self, messages: &[T]);
}

/// Batches in and out.
pub trait Batch<T>: Engine<T, Publisher: PublishBatch<T>> {
    /// Hands over everything that is there, through the engine's draining iterator.
    fn drain(subscriber: &mut Self::Subscriber, each: impl FnMut(T));
    /// Copies what is there into `into` and returns how many.
    fn recv_batch(subscriber: &mut Self::Subscriber, into: &mut [T]) -> usize;
}

/// Jumping to the newest message.
pub trait Latest<T>: Engine<T> {
    /// The newest message, if any was published.
    fn latest(subscriber: &mut Self::Subscriber) -> Option<T>;
}

/// A channel that can run without any subscriber, and be looked into afterwards.
pub trait Unheard<T> {
    /// The end that publishes.
    type Publisher: Publish<T>;
    /// The end that looks into the ring afterwards.
    type Subscriber: Subscribe<T>;
    /// A channel that nobody reads, and a way to begin at the oldest message it still holds.
    fn open(capacity: usize) -> (Self::Publisher, impl FnOnce() -> Self::Subscriber);
}

/// A receiving end that a task can await.
pub trait AwaitEach<T>: Subscribe<T> {
    /// Awaits one message and hands it over.
    fn next(&mut self, sink: &mut (impl Sink<T> + Send)) -> impl Future<Output = ()> + Send;
}

/// A publishing end that a task can await.
pub trait AwaitRoom<T>: Publish<T> {
    /// Publishes; where the contract is lossless, awaits room.
    fn publish_async(&mut self, message: &T) -> impl Future<Output = ()> + Send;
}

/// An engine that owns its consumer threads and calls a handler on them.
pub trait Managed<T> {
    /// The end that publishes; dropping it ends the threads.
    type Publisher: Publish<T>;
    /// Starts one thread a handler.
    fn start<H: FnMut(&T) + Send + 'static>(capacity: usize, handlers: Vec<H>) -> Self::Publisher;
}

/// A ring whose slots are edited in place.
pub trait InPlace<T> {
    /// The end that publishes.
    type Publisher: Edit<T>;
    /// The end that looks.
    type Subscriber: Look<T>;
    /// A ring of `capacity` values, one subscriber on it.
    fn open(capacity: usize) -> (Self::Publisher, Self::Subscriber);
}

/// Publishes by editing a slot.
pub trait Edit<T> {
    /// Edits the next slot and publishes it.
    fn publish(&mut self, edit: impl FnOnce(&mut T));
}

/// Reads a slot in place.
pub trait Look<T> {
    /// Looks at the next message if there is one.
    fn look<R>(&mut self, f: impl FnOnce(&T) -> R) -> Option<R>;
}
