//! A static channel, too, is read by many threads.
use std::cell::Cell;
use tidings_oneshot::StaticAnnouncement;

static CHANNEL: StaticAnnouncement<Cell<u8>> = StaticAnnouncement::new();

fn main() {
    let _ = CHANNEL.announce(Cell::new(1));
}
