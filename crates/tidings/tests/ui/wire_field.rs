//! A field that has no plain-data form.
use tidings::ring::Wire;

#[derive(Wire)]
struct Named {
    number: u64,
    text: String,
}

#[derive(Wire)]
struct Tuple([Option<&'static str>; 2]);

#[derive(Wire)]
enum Event {
    Trade { price: Vec<u8> },
    Halt,
}

fn main() {}
