//! A fault on purpose: memory that nobody gives back.
//!
//! `cargo xtask sanitize` runs this and fails unless LeakSanitizer reports it.

fn main() {
    for size in 1..64 {
        std::mem::forget(std::hint::black_box(vec![1_u8; size]));
    }
}
