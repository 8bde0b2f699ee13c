//! The arguments of a type with parameters have to be payloads.
use tidings::ring::{Payload, channel};

#[derive(Clone, Copy, Payload)]
#[repr(C)]
struct Pair<T> {
    both: [T; 2],
}

fn main() {
    drop(channel::<Pair<&'static str>>(4));
}
