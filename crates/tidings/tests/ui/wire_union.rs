//! Of a union nobody knows which field is valid.
use tidings::ring::Wire;

#[derive(Clone, Copy, Wire)]
union Number {
    whole: u64,
    half: u32,
}

fn main() {}
