//! Waking the others after a waker has panicked.

#[cfg(feature = "std")]
use core::mem;
use core::task::Waker;

/// Wakes while a panic is under way; a second one is swallowed, the first goes on.
#[cfg(feature = "std")]
pub(super) fn wake_quietly(waker: Waker) {
    use core::panic::AssertUnwindSafe;
    use std::panic::catch_unwind;

    let Err(payload) = catch_unwind(AssertUnwindSafe(|| waker.wake())) else {
        return;
    };
    // The destructor of what was thrown is a user's too; what it throws in turn is let go unexamined.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        mem::forget(again);
    }
}

/// Wakes while a panic is under way; without `std` a second one ends the program, as it does everywhere.
#[cfg(not(feature = "std"))]
pub(super) fn wake_quietly(waker: Waker) {
    waker.wake();
}
