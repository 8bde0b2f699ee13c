//! Values of any type, lossy: cloned out by `Values`, looked at where they lie by `ValuesLent`.

use tidings::ring::{TryRecvError, ValuePublisher, ValueSubscriber, value_channel};

use crate::engine::ring::{Engine, Publish, Sink, Subscribe};
use crate::message::Message;

impl<T: Message> Publish<T> for ValuePublisher<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        ValuePublisher::publish(self, message.clone());
    }
}

fn open<T: Message>(
    capacity: usize,
    subscribers: usize,
) -> (ValuePublisher<T>, Vec<ValueSubscriber<T>>) {
    let (publisher, subscribable) = value_channel(capacity);
    (
        publisher,
        (0..subscribers).map(|_| subscribable.subscribe()).collect(),
    )
}

/// `value_channel`, `try_recv` and `recv`.
pub struct Values;

/// Clones out.
pub struct Cloning<T: 'static>(ValueSubscriber<T>);

impl<T: Message> Subscribe<T> for Cloning<T> {
    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        self.0.wait();
        self.sweep(sink);
    }

    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        match &self.0.try_recv() {
            Ok(message) => sink.message(message),
            Err(TryRecvError::Lagged { skipped }) => sink.skipped(*skipped),
            Err(TryRecvError::Empty | TryRecvError::Closed) => {}
        }
    }
}

impl<T: Message> Engine<T> for Values {
    type Publisher = ValuePublisher<T>;
    type Subscriber = Cloning<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = open(capacity, subscribers);
        (publisher, subscribers.into_iter().map(Cloning).collect())
    }
}

/// `value_channel`, `try_recv_ref`.
pub struct ValuesLent;

/// Looks.
pub struct Looking<T: 'static>(ValueSubscriber<T>);

impl<T: Message> Subscribe<T> for Looking<T> {
    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        self.0.wait();
        self.sweep(sink);
    }

    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        match self.0.try_recv_ref() {
            Ok(message) => sink.message(&message),
            Err(TryRecvError::Lagged { skipped }) => sink.skipped(skipped),
            Err(TryRecvError::Empty | TryRecvError::Closed) => {}
        }
    }
}

impl<T: Message> Engine<T> for ValuesLent {
    type Publisher = ValuePublisher<T>;
    type Subscriber = Looking<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let (publisher, subscribers) = open(capacity, subscribers);
        (publisher, subscribers.into_iter().map(Looking).collect())
    }
}
