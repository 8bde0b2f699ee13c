//! Without `repr(C)` nobody knows where the fields lie.
use tidings::ring::Payload;

#[derive(Clone, Copy, Payload)]
struct Order {
    price: u64,
    size: u64,
}

#[derive(Clone, Copy, Payload)]
#[repr(packed)]
struct Packed {
    price: u64,
    size: u32,
}

fn main() {}
