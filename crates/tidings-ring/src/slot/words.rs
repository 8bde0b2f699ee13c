//! The memory of the slots: a run of shared 64-bit words, aligned for any payload.
//!
//! ```text
//! I1  `start` leads to a number of words that are initialised, and owned by this value until it is dropped
//! ```
//!
//! Under loom a word is an object of loom's and has no bytes to point into; there the words are a
//! plain boxed slice, and payloads are copied word by word.

#![allow(unsafe_code)] // one allocation, reached through a raw pointer that covers all of it

use tidings_core::sync::atomic::AtomicU64;

pub(super) type Word = AtomicU64;

/// The alignment of the first word, in bytes; two lines, which is what some cores fetch at once.
pub(super) const ALIGN: usize = 128;

#[cfg(not(loom))]
pub(super) use plain::Words;

#[cfg(not(loom))]
mod plain {
    use super::{ALIGN, Word};
    use alloc::alloc::{alloc_zeroed, dealloc};
    use core::{alloc::Layout, ptr::NonNull};

    /// See the module above.
    pub(in crate::slot) struct Words {
        start: NonNull<Word>,
        layout: Layout,
    }

    impl Words {
        /// `count` words of 0; `None` when there is no memory for them.
        pub(in crate::slot) fn new(count: usize) -> Option<Self> {
            let size = count.checked_mul(size_of::<Word>())?.max(ALIGN);
            let layout = Layout::from_size_align(size, ALIGN).ok()?;
            // SAFETY: the layout's size is not 0.
            let memory = unsafe { alloc_zeroed(layout) };
            // Zeroed bytes are words of 0: I1.
            Some(Self {
                start: NonNull::new(memory.cast())?,
                layout,
            })
        }

        pub(in crate::slot) fn start(&self) -> *const Word {
            self.start.as_ptr()
        }
    }

    impl Drop for Words {
        fn drop(&mut self) {
            // SAFETY: allocated in `new` with this layout; words need no destructor.
            unsafe { dealloc(self.start.as_ptr().cast(), self.layout) };
        }
    }
}

#[cfg(loom)]
pub(super) struct Words(alloc::boxed::Box<[Word]>);

#[cfg(loom)]
impl Words {
    pub(super) fn new(count: usize) -> Option<Self> {
        Some(Self((0..count).map(|_| Word::new(0)).collect()))
    }

    pub(super) fn start(&self) -> *const Word {
        self.0.as_ptr()
    }
}
