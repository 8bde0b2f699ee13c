//! An enum is a payload with an integer representation, and without padding.
use tidings::ring::Payload;

#[derive(Clone, Copy, Payload)]
enum Side {
    Buy,
    Sell,
}

#[derive(Clone, Copy, Payload)]
#[repr(C, u8)]
enum Event {
    Trade([u8; 3]),
    Quote([u8; 3]),
}

#[derive(Clone, Copy, Payload)]
#[repr(u8, align(4))]
enum Aligned {
    Only,
}

#[derive(Clone, Copy, Payload)]
enum Nothing {}

fn main() {}
