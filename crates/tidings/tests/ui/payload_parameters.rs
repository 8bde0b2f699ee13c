//! Padding that depends on what the parameters are.
use tidings::ring::Payload;

#[derive(Clone, Copy, Payload)]
#[repr(C)]
struct Pair<A, B> {
    first: A,
    second: B,
}

#[derive(Clone, Copy, Payload)]
#[repr(C)]
struct Text<const N: usize> {
    length: u32,
    bytes: [u8; N],
}

#[derive(Clone, Copy, Payload)]
#[repr(C, align(16))]
struct Aligned<T>(T);

#[derive(Clone, Copy, Payload)]
#[repr(u8)]
enum Either<T> {
    This(T),
    That(T),
}

fn main() {}
