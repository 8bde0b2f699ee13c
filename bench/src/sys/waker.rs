//! The cheapest waker there is: it counts, in a plain cell of the thread that wakes.
//!
//! Cloning and dropping it does nothing, so what an engine does with wakers is all that is measured. Wakers with
//! different numbers are different wakers, as those of different tasks are.

use std::cell::Cell;
use std::ptr::without_provenance;
use std::task::{RawWaker, RawWakerVTable, Waker};

thread_local! {
    static WOKEN: Cell<u64> = const { Cell::new(0) };
}

static TABLE: RawWakerVTable = RawWakerVTable::new(
    |number| RawWaker::new(number, &TABLE),
    |_| note(),
    |_| note(),
    |_| {},
);

fn note() {
    WOKEN.set(WOKEN.get() + 1);
}

/// Wakes by this thread so far.
pub fn woken() -> u64 {
    WOKEN.get()
}

/// A waker of that number.
#[inline(always)]
pub fn counting(number: usize) -> Waker {
    // SAFETY: the table's functions ignore the pointer, own nothing and may be called on any thread, which is all that
    // the contract of a waker asks for.
    unsafe { Waker::new(without_provenance(number), &TABLE) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wake_counts() {
        let (before, waker) = (woken(), counting(1));
        waker.wake_by_ref();
        assert!(!waker.will_wake(&counting(2)));
        waker.wake();
        assert_eq!(woken(), before + 2);
    }
}
