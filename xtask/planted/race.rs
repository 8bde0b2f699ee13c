//! A fault on purpose: a message published by a Relaxed store, so that reading it is a data race.
//!
//! `cargo xtask sanitize` runs this and fails unless ThreadSanitizer reports it. It is the ring's most likely
//! mistake in small: the payload is plain memory, and the flag that publishes it lacks Release.
#![allow(unsafe_code, clippy::disallowed_types)]

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, Ordering};

struct Slot {
    payload: UnsafeCell<u64>,
    published: AtomicBool,
}

// SAFETY: untrue, and that is the point: the sanitizer has to find out.
unsafe impl Sync for Slot {}

impl Slot {
    fn publish(&self, value: u64) {
        // SAFETY: the only writer; the reader's half of the bargain is the planted fault.
        unsafe { *self.payload.get() = value };
        self.published.store(true, Ordering::Relaxed);
    }

    fn receive(&self) -> u64 {
        while !self.published.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        // SAFETY: none: this read is not ordered after the write.
        unsafe { *self.payload.get() }
    }
}

fn main() {
    for round in 0..1_000 {
        let slot = Slot {
            payload: UnsafeCell::new(0),
            published: AtomicBool::new(false),
        };
        std::thread::scope(|scope| {
            scope.spawn(|| slot.publish(round));
            assert!(slot.receive() <= round);
        });
    }
}
