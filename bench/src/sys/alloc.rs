//! A global allocator that counts, per thread, what the system allocator is asked for.
//!
//! A count is a plain cell of the thread, so an engine that allocates pays no shared cache line for being counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counted;

#[global_allocator]
static COUNTED: Counted = Counted;

thread_local! {
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// Allocations of this thread so far.
pub fn count() -> u64 {
    CALLS.get()
}

fn note() {
    // A thread that is ending has no cells any more; what it allocates then is nobody's steady flow.
    let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
}

// SAFETY: every call goes to the system allocator unchanged; `note` neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_allocation_is_counted() {
        let before = super::count();
        std::hint::black_box(vec![1u8; 100]);
        assert_eq!(super::count(), before + 1);
    }
}
