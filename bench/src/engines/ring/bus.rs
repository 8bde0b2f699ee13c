//! bus 2: a lossless broadcast ring whose ends block.

use bus::{Bus, BusReader};

use super::channels::{ByCalls, Channel};
use crate::message::Message;

/// `Bus::new`.
pub type Broadcast = ByCalls<Calls>;

/// The calls.
pub struct Calls;

impl<T: Message> Channel<T> for Calls {
    type Sender = Bus<T>;
    type Receiver = BusReader<T>;

    fn open(capacity: usize, subscribers: usize) -> (Self::Sender, Vec<Self::Receiver>) {
        let mut bus = Bus::new(capacity);
        let readers = (0..subscribers).map(|_| bus.add_rx()).collect();
        (bus, readers)
    }

    #[inline(always)]
    fn send(bus: &mut Self::Sender, message: &T) {
        bus.broadcast(message.clone());
    }

    #[inline(always)]
    fn recv(reader: &mut Self::Receiver) -> Option<T> {
        reader.recv().ok()
    }

    #[inline(always)]
    fn try_recv(reader: &mut Self::Receiver) -> Option<T> {
        reader.try_recv().ok()
    }
}
