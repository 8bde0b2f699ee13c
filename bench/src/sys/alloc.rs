//! A global allocator that counts, per thread, what the system allocator is asked for.
//!
//! A count is a plain cell of the thread, so an engine that allocates pays no shared cache line for being counted.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counted;

#[global_allocator]
static COUNTED: Counted = Counted;

/// What a thread has asked for so far.
#[derive(Clone, Copy)]
pub struct Tally {
    /// Allocations.
    pub calls: u64,
    /// Bytes asked for.
    pub bytes: u64,
    /// Bytes given back.
    pub freed: u64,
}

impl Tally {
    const NOTHING: Self = Self {
        calls: 0,
        bytes: 0,
        freed: 0,
    };

    /// Bytes that are held.
    pub fn held(self) -> u64 {
        self.bytes.wrapping_sub(self.freed)
    }
}

thread_local! {
    static TALLY: Cell<Tally> = const { Cell::new(Tally::NOTHING) };
}

/// Allocations of this thread so far.
pub fn count() -> u64 {
    TALLY.get().calls
}

/// All about this thread so far.
pub fn tally() -> Tally {
    TALLY.get()
}

fn note(size: usize) {
    // A thread that is ending has no cells any more; what it allocates then is nobody's steady flow.
    let _ = TALLY.try_with(|cell| {
        let tally = cell.get();
        cell.set(Tally {
            calls: tally.calls + 1,
            bytes: tally.bytes.wrapping_add(size as u64),
            ..tally
        });
    });
}

fn note_freed(size: usize) {
    let _ = TALLY.try_with(|cell| {
        let tally = cell.get();
        let freed = tally.freed.wrapping_add(size as u64);
        cell.set(Tally { freed, ..tally });
    });
}

// SAFETY: every call goes to the system allocator unchanged; `note` and `note_freed` neither allocate nor unwind.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        note_freed(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note_freed(layout.size());
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

    #[test]
    fn what_was_given_back_is_not_held() {
        let before = super::tally();
        let block = std::hint::black_box(vec![1u8; 100]);
        assert_eq!(super::tally().held(), before.held() + 100);
        drop(block);
        assert_eq!(super::tally().held(), before.held());
    }
}
