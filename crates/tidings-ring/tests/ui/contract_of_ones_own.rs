//! The contracts are the crate's own.
enum Mine {}

impl tidings_ring::Contract for Mine {}

fn main() {}
