//! The command `tidings`.
fn main() {}
