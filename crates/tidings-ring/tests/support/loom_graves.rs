//! Memory that is kept when it is freed, until the model's execution is over: so a mutant that reads what is gone reads what
//! was left there, and the checker tells. Kept is what is aligned to 256 bytes.
#![allow(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

/// Nothing else is aligned like this.
pub const ALIGNMENT: usize = 256;

// All coroutines of a model are one thread of the operating system.
thread_local! {
    /// The block that was freed last, which leads to the one before.
    static FREED: Cell<*mut Block> = const { Cell::new(ptr::null_mut()) };
}

struct Block {
    before: *mut Self,
    start: *mut u8,
    layout: Layout,
}

struct Graves;

#[global_allocator]
static GRAVES: Graves = Graves;

// SAFETY: the system's allocator does the work; what is kept is not handed out.
unsafe impl GlobalAlloc for Graves {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's duty.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        if layout.align() == ALIGNMENT {
            let before = FREED.get();
            let block = Box::new(Block {
                before,
                start,
                layout,
            });
            FREED.set(Box::into_raw(block));
        } else {
            // SAFETY: the caller's duty.
            unsafe { System.dealloc(start, layout) };
        }
    }
}

/// Frees what was kept, when the execution that used it is over.
pub fn empty() {
    let mut freed = FREED.replace(ptr::null_mut());
    while !freed.is_null() {
        // SAFETY: `dealloc` put a box there.
        let block = unsafe { Box::from_raw(freed) };
        // SAFETY: the system's allocator gave the block out, and it was given away.
        unsafe { System.dealloc(block.start, block.layout) };
        freed = block.before;
    }
}
