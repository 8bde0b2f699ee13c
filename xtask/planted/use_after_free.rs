//! A fault on purpose: a slot that is read after it was given back.
//!
//! `cargo xtask sanitize` runs this and fails unless AddressSanitizer reports it.
#![allow(unsafe_code)]

fn main() {
    let slot = Box::into_raw(Box::new(std::hint::black_box(7_u64)));
    // SAFETY: `slot` came from `Box::into_raw` and is given back once.
    drop(unsafe { Box::from_raw(slot) });
    // SAFETY: none: this is the planted fault.
    println!("read after free: {}", unsafe {
        std::hint::black_box(slot).read_volatile()
    });
}
