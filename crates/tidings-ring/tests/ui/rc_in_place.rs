//! What may not leave its thread is not published to others.
use std::rc::Rc;

fn main() {
    let _ = tidings_ring::event_channel(4, || Rc::new(1));
}
