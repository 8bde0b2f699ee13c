//! The cells that gates live in: a list of blocks that only grows, so that a gate never moves.
//!
//! ```text
//! States    a link is null, or points to a block for good
//! Grow      G1 make a block   G2 link := block if it is still null, Release; else give the block up and follow
//! Walk      W1 load the link, Acquire; null ends the walk
//! I1        a linked block stays linked, and the list owns it, until the list is dropped
//! I2        the list is dropped only when nobody walks it (`&mut self`)
//! I3        a `GateCell` is kept only by a handle that owns a count of the list's ring, and dropped before that count
//! Pairs     G2↔W1 publishes the new block's words
//! Progress  walk wait-free; grow lock-free but for the allocation, one per 8 gates that are open at the same time
//! Source    a list that is only appended to, as R. K. Treiber's stack (1986) without a pop
//! ```

#![allow(unsafe_code)] // the links are shared raw pointers; I1 and I2 make them references

use alloc::boxed::Box;
use core::ptr::{self, NonNull};
use tidings_core::{
    CachePadded,
    sync::atomic::{AtomicPtr, AtomicU64, Ordering::*},
};

/// Gates in a block. A constant of taste: one block serves nearly every ring.
const GATES: usize = 8;

struct Block {
    words: [CachePadded<AtomicU64>; GATES],
    next: Link,
}

struct Link(AtomicPtr<Block>);

/// All the gates of a ring. Empty until the first one is asked for.
pub(crate) struct GateCells {
    first: Link,
}

/// One gate's word.
pub(crate) struct GateCell(NonNull<AtomicU64>);

// SAFETY: by I3 it is a shared reference to an atomic.
unsafe impl Send for GateCell {}
// SAFETY: as above.
unsafe impl Sync for GateCell {}

impl GateCells {
    pub(crate) fn new() -> Self {
        Self {
            first: Link::empty(),
        }
    }

    /// Every gate's word that exists by now.
    #[inline]
    pub(crate) fn words(&self) -> impl Iterator<Item = &AtomicU64> {
        let mut link = &self.first;
        core::iter::from_fn(move || {
            let block = link.follow()?;
            link = &block.next;
            Some(block.words.iter().map(|word| &**word))
        })
        .flatten()
    }

    /// The first gate that `claim` takes, growing the list until there is one.
    pub(crate) fn claim(&self, claim: impl Fn(&AtomicU64) -> bool) -> GateCell {
        let mut link = &self.first;
        loop {
            let block = link.follow_or_grow();
            if let Some(word) = block.words.iter().find(|word| claim(word)) {
                return GateCell(NonNull::from(&**word));
            }
            link = &block.next;
        }
    }
}

impl GateCell {
    #[inline]
    pub(crate) fn word(&self) -> &AtomicU64 {
        // SAFETY: by I3 the list is alive, and by I1 the word's block with it.
        unsafe { self.0.as_ref() }
    }
}

impl Block {
    fn new() -> Box<Self> {
        Box::new(Self {
            words: core::array::from_fn(|_| CachePadded::new(AtomicU64::new(0))),
            next: Link::empty(),
        })
    }
}

impl Link {
    fn empty() -> Self {
        Self(AtomicPtr::new(ptr::null_mut()))
    }

    #[inline]
    fn follow(&self) -> Option<&Block> {
        // ORDERING: W1, Acquire pairs with G2, so the block's words are there.
        let block = self.0.load(Acquire);
        // SAFETY: by I1 a pointer that is not null leads to a block that lives as long as the list,
        // which `self` borrows.
        unsafe { block.as_ref() }
    }

    fn follow_or_grow(&self) -> &Block {
        if let Some(block) = self.follow() {
            return block;
        }
        let made = Box::into_raw(Block::new());
        // ORDERING: G2, Release publishes the block to W1. On failure Acquire stands in for W1.
        let block = match self
            .0
            .compare_exchange(ptr::null_mut(), made, Release, Acquire)
        {
            Ok(_) => made,
            Err(linked) => {
                // SAFETY: `made` came from `into_raw` above and was not linked.
                drop(unsafe { Box::from_raw(made) });
                linked
            }
        };
        // SAFETY: not null, and linked: by I1 it lives as long as the list.
        unsafe { &*block }
    }
}

impl Drop for GateCells {
    fn drop(&mut self) {
        let mut block = self.first.take();
        while let Some(linked) = block {
            block = linked.next.take();
        }
    }
}

impl Link {
    /// Ends I1 for one block. Only for the list's destructor.
    fn take(&self) -> Option<Box<Block>> {
        // ORDERING: Relaxed: by I2 nobody else walks, and whoever grew the list gave up its handle
        // before, which orders its stores before this.
        let block = self.0.swap(ptr::null_mut(), Relaxed);
        // SAFETY: by I1 the list owned it, and by I3 no gate is left; the swap leaves nobody else to take it.
        (!block.is_null()).then(|| unsafe { Box::from_raw(block) })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn take(word: &AtomicU64) -> bool {
        word.compare_exchange(0, 1, Relaxed, Relaxed).is_ok()
    }

    #[test]
    fn claimed_gates_are_distinct_and_a_freed_one_is_used_again() {
        let cells = GateCells::new();
        assert_eq!(cells.words().count(), 0);
        let held: Vec<_> = (0..GATES * 2 + 1).map(|_| cells.claim(take)).collect();
        assert_eq!(cells.words().count(), GATES * 3);
        assert_eq!(
            cells.words().filter(|word| word.load(Relaxed) == 1).count(),
            held.len()
        );

        held[3].word().store(0, Relaxed);
        let again = cells.claim(take);
        assert!(ptr::eq(again.word(), held[3].word()));
    }

    #[test]
    fn threads_that_grow_the_list_at_once_lose_no_gate() {
        let cells = GateCells::new();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..GATES).map(|_| cells.claim(take)).collect::<Vec<_>>());
            }
        });
        assert_eq!(
            cells.words().filter(|word| word.load(Relaxed) == 1).count(),
            GATES * 4
        );
    }
}
