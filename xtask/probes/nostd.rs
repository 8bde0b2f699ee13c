//! The library crates linked into a program without a standard library.
//!
//! `cargo xtask nostd` builds this for the host as a static library with its own panic handler. Should any crate
//! below bring `std` in after all, that handler is defined twice and the build fails (E0152).
#![no_std]

extern crate alloc;

use core::alloc::{GlobalAlloc, Layout};
use core::panic::PanicInfo;

use tidings as _;
use tidings_core as _;
use tidings_ring as _;

struct Nothing;

// SAFETY: never hands memory out, so there is no block whose validity it could break.
unsafe impl GlobalAlloc for Nothing {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: Nothing = Nothing;

#[panic_handler]
fn halt(_: &PanicInfo<'_>) -> ! {
    loop {}
}
