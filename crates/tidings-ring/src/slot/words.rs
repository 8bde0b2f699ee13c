//! The memory of the slots: a run of shared 64-bit words, aligned for any payload.
//!
//! I1  `base` leads to `len` words that are initialised, and owned by this value until it is dropped
//! I2  only `Drop` ends that, and it has `&mut self`
//!
//! Under loom a word is an object of loom's and has no bytes to point into; there the words are a
//! plain boxed slice and payloads are copied word by word.

#![allow(unsafe_code)] // one allocation, reached through a raw pointer that covers all of it

use tidings_core::sync::atomic::AtomicU64;

pub(super) type Word = AtomicU64;

/// Bytes in a word.
pub(super) const WORD: usize = size_of::<u64>();
/// The alignment of the first word, in bytes; two lines, which is what some cores fetch at once.
pub(super) const ALIGN: usize = 128;

#[cfg(not(loom))]
pub(super) use plain::Words;

#[cfg(not(loom))]
mod plain {
    use super::{ALIGN, WORD, Word};
    use alloc::alloc::{alloc_zeroed, dealloc};
    use core::{alloc::Layout, ptr::NonNull};

    /// See the module above.
    pub(in crate::slot) struct Words {
        base: NonNull<Word>,
        layout: Layout,
    }

    impl Words {
        /// `len` words of 0; `None` when there is no memory for them.
        pub(in crate::slot) fn new(len: usize) -> Option<Self> {
            let layout = Layout::from_size_align(len.checked_mul(WORD)?.max(ALIGN), ALIGN).ok()?;
            // SAFETY: the layout's size is not 0.
            let memory = unsafe { alloc_zeroed(layout) };
            // Zeroed bytes are words of 0: I1.
            Some(Self {
                base: NonNull::new(memory.cast())?,
                layout,
            })
        }

        /// # Safety
        /// `index` is below the length.
        #[inline]
        pub(in crate::slot) unsafe fn get(&self, index: usize) -> &Word {
            // SAFETY: by the caller's duty and I1 it stays inside the allocation.
            let word = unsafe { self.base.add(index) };
            // SAFETY: by I1 it is a word, and alive as long as `self` is borrowed.
            unsafe { word.as_ref() }
        }

        /// A pointer to the bytes from word `index` on, valid to the end of the words.
        ///
        /// # Safety
        /// `index` is below the length.
        #[inline]
        pub(in crate::slot) unsafe fn bytes(&self, index: usize) -> NonNull<u8> {
            // SAFETY: as in `get`.
            unsafe { self.base.add(index) }.cast()
        }
    }

    impl Drop for Words {
        fn drop(&mut self) {
            // SAFETY: allocated in `new` with this layout; words need no destructor.
            unsafe { dealloc(self.base.as_ptr().cast(), self.layout) };
        }
    }
}

#[cfg(loom)]
pub(super) struct Words(alloc::boxed::Box<[Word]>);

#[cfg(loom)]
impl Words {
    pub(super) fn new(len: usize) -> Option<Self> {
        Some(Self((0..len).map(|_| Word::new(0)).collect()))
    }

    /// # Safety
    /// None here; the plain form has one.
    pub(super) unsafe fn get(&self, index: usize) -> &Word {
        &self.0[index]
    }

    /// # Safety
    /// Not to be called: see the module.
    pub(super) unsafe fn bytes(&self, _: usize) -> core::ptr::NonNull<u8> {
        unreachable!("under loom payloads are copied by words")
    }
}
