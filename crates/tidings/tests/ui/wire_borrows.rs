//! What is borrowed here does not exist on the other side.
use tidings::ring::Wire;

#[derive(Wire)]
struct Name<'a> {
    length: u8,
    text: &'a str,
}

fn main() {}
