//! The memory of the slots: a run of shared 64-bit words, aligned for any payload.
//!
//! ```text
//! I1  `start` leads to a number of words that are initialised, and owned by this value until it is dropped
//! ```
//!
//! They come from the allocator, or, when something was asked of them, from a mapping (sys.rs).
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
    #[cfg(feature = "platform")]
    use {
        crate::platform::{Memory, MemoryReport},
        crate::sys::Mapping,
    };

    /// See the module above.
    pub(in crate::slot) struct Words {
        start: NonNull<Word>,
        owner: Owner,
    }

    enum Owner {
        Allocator(Layout),
        #[cfg(feature = "platform")]
        Mapping(#[expect(dead_code, reason = "it gives the memory back")] Mapping),
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
                owner: Owner::Allocator(layout),
            })
        }

        /// The same in a mapping, with what came of the wishes; from the allocator where there are no mappings.
        #[cfg(feature = "platform")]
        pub(in crate::slot) fn mapped(
            count: usize,
            memory: &Memory,
        ) -> Option<(Self, Option<MemoryReport>)> {
            let size = count.checked_mul(size_of::<Word>())?.max(ALIGN);
            let Some((mapping, report)) = Mapping::new(size, memory) else {
                return Some((Self::new(count)?, None));
            };
            // A page is aligned for any word, and zeroed: I1.
            let start = mapping.start().cast();
            let owner = Owner::Mapping(mapping);
            Some((Self { start, owner }, Some(report)))
        }

        pub(in crate::slot) fn start(&self) -> *const Word {
            self.start.as_ptr()
        }
    }

    impl Drop for Words {
        fn drop(&mut self) {
            match self.owner {
                // SAFETY: allocated in `new` with this layout; words need no destructor.
                Owner::Allocator(layout) => unsafe { dealloc(self.start.as_ptr().cast(), layout) },
                #[cfg(feature = "platform")]
                Owner::Mapping(_) => {}
            }
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

    #[cfg(feature = "platform")]
    pub(super) fn mapped(
        count: usize,
        _memory: &crate::platform::Memory,
    ) -> Option<(Self, Option<crate::platform::MemoryReport>)> {
        Some((Self::new(count)?, None))
    }

    pub(super) fn start(&self) -> *const Word {
        self.0.as_ptr()
    }
}
