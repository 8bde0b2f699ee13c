//! bus 2: a lossless broadcast ring whose ends block.

use bus::{Bus, BusReader};

use crate::engine::ring::{Engine, Publish, Sink, Subscribe};
use crate::message::Message;

/// The bus with its sending side; a wrapper because its methods have our names.
pub struct Sending<T>(Bus<T>);

impl<T: Message> Publish<T> for Sending<T> {
    #[inline(always)]
    fn publish(&mut self, message: &T) {
        self.0.broadcast(*message);
    }
}

impl<T: Message> Subscribe<T> for BusReader<T> {
    #[inline(always)]
    fn sweep(&mut self, sink: &mut impl Sink<T>) {
        if let Ok(message) = &self.try_recv() {
            sink.message(message);
        }
    }

    #[inline(always)]
    fn step(&mut self, sink: &mut impl Sink<T>) {
        sink.message(&self.recv().expect("the bus went before the last message"));
    }
}

/// `Bus::new`.
pub struct Broadcast;

impl<T: Message> Engine<T> for Broadcast {
    type Publisher = Sending<T>;
    type Subscriber = BusReader<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Publisher, Vec<Self::Subscriber>) {
        let mut bus = Bus::new(capacity);
        let readers = (0..subscribers).map(|_| bus.add_rx()).collect();
        (Sending(bus), readers)
    }
}
