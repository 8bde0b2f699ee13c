//! Padding between fields, and behind the last one.
use tidings::ring::Payload;

#[derive(Clone, Copy, Payload)]
#[repr(C)]
struct Between {
    live: bool,
    price: u64,
    code: [u8; 3],
    size: u32,
}

#[derive(Clone, Copy, Payload)]
#[repr(C)]
struct Behind(u64, [u8; 2]);

#[derive(Clone, Copy, Payload)]
#[repr(C, align(16))]
struct Aligned {
    r#type: u64,
}

fn main() {}
