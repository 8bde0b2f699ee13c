//! What one thread at a time may look at is not lent to several.
use std::cell::Cell;

fn main() {
    let _ = tidings_ring::event_channel(4, || Cell::new(1));
}
