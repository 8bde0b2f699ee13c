//! A payload is copied.
use tidings::ring::Payload;

#[derive(Payload)]
#[repr(C)]
struct Order {
    price: u64,
}

fn main() {}
