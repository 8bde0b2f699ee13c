//! Padding in the variants of an enum.
use tidings::ring::Payload;

#[derive(Clone, Copy, Payload)]
#[repr(u8)]
enum Event {
    Trade { price: u32 },
    Quote([u8; 6]),
    Halt,
}

fn main() {}
