//! The one place for assembly: a copy between memory that is shared with a racing thread, and, in [`monitor`], waiting for a
//! write to a word.
//!
//! For the crates of this workspace; no stability is promised.
//!
//! A plain copy of bytes that another thread may be writing is a data race, and relaxed atomic words
//! compile to one word at a time. `copy_shared` is an opaque block to the compiler; to the machine it
//! is a run of ordinary vector loads and stores, which x86-64 keeps in program order, loads among
//! loads and stores among stores. In the terms of the language it does what a loop of relaxed atomic
//! byte accesses on both sides would do, whose result may be a mixture of bytes, written at different
//! times, uninitialised ones included. No mixture becomes a value: the caller validates first.
//!
//! Absent under Miri, loom, shuttle, and `--cfg tidings_word_copy`, by which ThreadSanitizer gets to
//! see the accesses: there [`COPIES_SHARED`] is false.
//!
//! Source: the shape of the argument is that of Rust's RFC 3301 (byte-wise atomic copies, 2022).

#![allow(unsafe_code, reason = "assembly")]

pub mod monitor;

/// Whether this build has [`copy_shared`].
pub const COPIES_SHARED: bool = cfg!(all(
    target_arch = "x86_64",
    target_feature = "sse2",
    not(any(miri, loom, shuttle, tidings_word_copy))
));

/// Copies `length` bytes; either side may be written or read by another thread meanwhile, if that
/// thread uses this function too.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `length` bytes, they do not overlap, and
/// `length` is at least 64. [`COPIES_SHARED`] is true.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
pub unsafe fn copy_shared(from: *const u8, to: *mut u8, length: usize) {
    // The last block overlaps the one before it, which copies a few bytes twice.
    let last = length - 64;
    let mut at = 0;
    while at < last {
        // SAFETY: at + 64 is below `length`, so by the caller's duty the block is inside both.
        unsafe { copy_block(from, to, at) };
        at += 64;
    }
    // SAFETY: last + 64 is `length`.
    unsafe { copy_block(from, to, last) };
}

/// Copies the 64 bytes at offset `at`.
///
/// # Safety
/// Those bytes are valid for reads and for writes.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline]
unsafe fn copy_block(from: *const u8, to: *mut u8, at: usize) {
    // SAFETY: the block touches only the bytes that the caller answers for, and no flags or stack.
    unsafe {
        core::arch::asm!(
            "movups {a}, [{from} + {at}]",
            "movups {b}, [{from} + {at} + 16]",
            "movups {c}, [{from} + {at} + 32]",
            "movups {d}, [{from} + {at} + 48]",
            "movups [{to} + {at}], {a}",
            "movups [{to} + {at} + 16], {b}",
            "movups [{to} + {at} + 32], {c}",
            "movups [{to} + {at} + 48], {d}",
            from = in(reg) from, to = in(reg) to, at = in(reg) at,
            a = out(xmm_reg) _, b = out(xmm_reg) _, c = out(xmm_reg) _, d = out(xmm_reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// Not in this build.
///
/// # Safety
/// Not to be called: [`COPIES_SHARED`] is false.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub unsafe fn copy_shared(_: *const u8, _: *mut u8, _: usize) {
    unreachable!("the caller asks COPIES_SHARED first")
}
