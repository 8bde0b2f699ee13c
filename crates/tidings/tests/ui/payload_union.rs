//! A union may hold bytes that nobody wrote.
use tidings::ring::Payload;

#[derive(Clone, Copy, Payload)]
#[repr(C)]
union Number {
    whole: u64,
    half: u32,
}

fn main() {}
