//! The numbers of variants, and the room for their fields.
use tidings::ring::Wire;

#[derive(Wire)]
enum Nothing {}

#[derive(Wire)]
enum Numbered {
    One = 1,
    Many = 1000,
}

#[derive(Wire)]
#[repr(i128)]
enum Huge {
    Only = -1,
}

#[derive(Wire)]
enum Either<A, B> {
    This(A),
    That(B),
}

fn main() {}
