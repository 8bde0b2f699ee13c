//! The cells that gates live in: a list of blocks that only grows, so that a gate never moves.
//!
//! ```text
//! States    a link is null, or points to a block for good; `owners` of a cell: how many `GateCell`s lead to it
//! Grow      G1 make a block   G2 link := block if it is still null, Release; else give the block up and follow
//! Walk      W1 load the link, Acquire; null ends the walk
//! Own       O1 owners 0 → 1, Acquire   O2 another of the same cell: owners += 1   O3 dropped: owners -= 1, Release
//! I1        a linked block stays linked, and the list owns it, until the list is dropped
//! I2        the list is dropped only when nobody walks it (`&mut self`)
//! I3        a `GateCell` is kept only by a handle that owns a count of the list's ring, and dropped before that count
//! I4        whoever did O1 is the one that writes the cell's word, and leaves it free; others of O2 look at it, and
//!           while there is one, nobody else does O1
//! Pairs     G2↔W1 publishes the new block's words; O3↔O1 hands on what the last owner did
//! Progress  walk wait-free; grow lock-free but for the allocation, one per 8 gates that are open at the same time
//! Source    a list that is only appended to, as R. K. Treiber's stack (1986) without a pop
//! ```

#![allow(unsafe_code)] // the links are shared raw pointers; I1 and I2 make them references

use alloc::boxed::Box;
use core::ptr::{self, NonNull};
use tidings_core::{
    CachePadded,
    sync::{
        atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering::*},
        ordering,
    },
};

/// Gates in a block. A constant of taste: one block serves nearly every ring.
const GATES: usize = 8;

struct Block {
    cells: [CachePadded<Cell>; GATES],
    next: Link,
}

pub(crate) struct Cell {
    pub(crate) word: AtomicU64,
    /// How many others its owner comes after (after.rs); for observers.
    pub(crate) upstreams: AtomicUsize,
    owners: AtomicUsize,
}

struct Link(AtomicPtr<Block>);

/// All the gates of a ring. Empty until the first one is asked for.
pub(crate) struct GateCells {
    first: Link,
}

/// One gate's word, owned or looked at.
pub(crate) struct GateCell(NonNull<Cell>);

// SAFETY: by I3 it is a shared reference to atomics.
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
        self.cells().map(|cell| &cell.word)
    }

    /// Every cell that exists by now. Each keeps its number in this order.
    #[inline]
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Cell> {
        let mut link = &self.first;
        core::iter::from_fn(move || {
            let block = link.follow()?;
            link = &block.next;
            Some(block.cells.iter().map(|cell| &**cell))
        })
        .flatten()
    }

    /// O1: the first cell that nobody owns, growing the list until there is one. Its word is free.
    pub(crate) fn claim(&self) -> GateCell {
        let mut link = &self.first;
        loop {
            let block = link.follow_or_grow();
            if let Some(cell) = block.cells.iter().find(|cell| cell.claim()) {
                return GateCell(NonNull::from(&**cell));
            }
            link = &block.next;
        }
    }
}

impl Cell {
    fn new() -> Self {
        Self {
            word: AtomicU64::new(0),
            upstreams: AtomicUsize::new(0),
            owners: AtomicUsize::new(0),
        }
    }

    fn claim(&self) -> bool {
        // ORDERING: O1, Acquire pairs with O3: what the last owner did to the word, and read before, comes first.
        self.owners.compare_exchange(0, 1, Acquire, Relaxed).is_ok()
    }
}

impl GateCell {
    #[inline]
    fn cell(&self) -> &Cell {
        // SAFETY: by I3 the list is alive, and by I1 the cell's block with it.
        unsafe { self.0.as_ref() }
    }

    #[inline]
    pub(crate) fn word(&self) -> &AtomicU64 {
        &self.cell().word
    }

    /// O2: leads to the same cell, to look at its word.
    pub(crate) fn share(&self) -> Self {
        // ORDERING: Relaxed: `self` is counted, so the cell stays owned.
        self.cell().owners.fetch_add(1, Relaxed);
        Self(self.0)
    }

    /// Says of how many others this cell's owner comes after.
    pub(crate) fn set_upstreams(&self, count: usize) {
        // ORDERING: Relaxed: for observers, who read a number.
        self.cell().upstreams.store(count, Relaxed);
    }

    /// The number of this cell among `cells`.
    pub(crate) fn number(&self, cells: &GateCells) -> Option<usize> {
        cells.cells().position(|cell| ptr::eq(cell, self.cell()))
    }
}

impl Drop for GateCell {
    fn drop(&mut self) {
        // ORDERING: O3, Release pairs with O1.
        self.cell()
            .owners
            .fetch_sub(1, ordering("gate/cell O3", Release));
    }
}

impl Block {
    fn new() -> Box<Self> {
        Box::new(Self {
            cells: core::array::from_fn(|_| CachePadded::new(Cell::new())),
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
    extern crate std;

    use super::*;
    use alloc::vec::Vec;

    impl GateCell {
        fn is_same(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }

    #[test]
    fn claimed_cells_are_distinct_and_one_given_up_is_used_again() {
        let cells = GateCells::new();
        assert_eq!(cells.words().count(), 0);
        let mut held: Vec<_> = (0..GATES * 2 + 1).map(|_| cells.claim()).collect();
        assert_eq!(cells.words().count(), GATES * 3);
        for (n, cell) in held.iter().enumerate() {
            assert!(held[..n].iter().all(|other| !cell.is_same(other)));
        }

        let (freed, word) = (3, held[3].word() as *const AtomicU64);
        drop(held.remove(freed));
        assert!(ptr::eq(cells.claim().word(), word));
    }

    #[test]
    fn a_cell_that_somebody_looks_at_is_not_used_again() {
        let cells = GateCells::new();
        let owner = cells.claim();
        let look = owner.share();
        drop(owner);
        assert!(!cells.claim().is_same(&look));
    }

    #[test]
    fn threads_that_grow_the_list_at_once_lose_no_cell() {
        let cells = GateCells::new();
        let held: Vec<_> = std::thread::scope(|scope| {
            let claim = || (0..GATES).map(|_| cells.claim()).collect::<Vec<_>>();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(claim)).collect();
            threads
                .into_iter()
                .flat_map(|thread| thread.join().unwrap())
                .collect()
        });
        assert_eq!(held.len(), GATES * 4);
        for (n, cell) in held.iter().enumerate() {
            assert!(held[..n].iter().all(|other| !cell.is_same(other)));
        }
    }
}
