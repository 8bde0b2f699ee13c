//! The slots of a ring of values: each a pointer guarded by a stamp, to a value that subscribers may hold on to.
//!
//! ```text
//! States    of a stamp: as in slot.rs · a pointer: null, or a node of message n · a hazard: free, or the message that its
//!           subscriber looks at (a word as a gate has, gate/cell.rs) · `retired`: a stack of nodes that were replaced
//! Publish   P1 stamp := writing(n), Relaxed   P2 old := the pointer; pointer := new, Release   P3 stamp := published(n), Release
//!           P4 wake (claim/batch.rs)   P5 push `old` on `retired`, Release
//! Receive   H1 hazard := n, Relaxed   H2 fence SeqCst   C1 stamp published(n)? Acquire   C2 load the pointer, Relaxed
//!           C3 fence Acquire   C4 stamp unchanged? Relaxed; else H3   H3 (when done with the value) hazard := free, Release
//! Reclaim   R1 take all of `retired`, Acquire   R2 fence SeqCst   R3 read every hazard, Acquire   R4 free the nodes of messages
//!           that no hazard names; push the others back
//! I1        a slot is written by whoever claimed its message (claim/many.rs)
//! I2        a pointer that C1 and C4 agree on is that of message n
//! I3        a node is freed by whoever took it in R1, after nobody can look at it: of H2 and R2 one comes first in the order of
//!           fences. If H2 does, R3 sees H1. If R2 does, C4 sees P1, which came before P5 and R1, and the subscriber goes away
//! I4        a hazard has one owner (gate/cell.rs I4), who looks at one message at a time
//! I5        the address in a `Place` is that of a slot (place.rs I1)
//! Pairs     P3↔C1, P2↔C3 as in slot.rs; P5↔R1 hands the node on; H3↔R3 orders the last look before the freeing
//! Progress  publish and receive wait-free but for the allocator and the claim; a reclaim once in RETIRED_UP_TO publications
//! Source    M. Michael, Hazard Pointers, IEEE TPDS 2004, with sequences for pointers, since a subscriber knows before it
//!           looks which message it wants
//! ```

#![allow(unsafe_code)] // nodes are shared by the protocol above, not by a count

pub(crate) mod lent;
mod node;
mod retired;

pub(crate) use node::Node;

use crate::{
    claim::batch::Batch,
    error::BuildError,
    gate::cell::{GateCell, GateCells},
    slot::place::{Place, Store},
    stamp::Stamp,
};
use alloc::{boxed::Box, vec::Vec};
use core::ptr::{self, NonNull};
use retired::{List, Stack};
use tidings_core::{
    Sequence,
    sync::{
        atomic::{AtomicPtr, AtomicU64, Ordering::*},
        fence, mutant, ordering,
    },
};

/// Publications from one look which of the replaced values can go to the next; a power of two.
const RETIRED_UP_TO: u64 = if cfg!(loom) { 1 } else { 32 };

struct Cell<T> {
    stamp: AtomicU64,
    node: AtomicPtr<Node<T>>,
}

/// See the module.
pub(crate) struct Values<T> {
    cells: Box<[Cell<T>]>,
    hazards: GateCells,
    retired: Stack<T>,
}

// SAFETY: it owns values, which any thread may drop.
unsafe impl<T: Send> Send for Values<T> {}
// SAFETY: values are read from many threads at once, and dropped by whichever thread publishes.
unsafe impl<T: Send + Sync> Sync for Values<T> {}

const FREE: u64 = 0;

const fn looks_at(sequence: Sequence) -> u64 {
    sequence.get() << 1 | 1
}

impl<T: 'static> Values<T> {
    pub(crate) fn new(capacity: usize, first: Sequence) -> Result<Self, BuildError> {
        let mut cells = Vec::new();
        let memory = BuildError::Memory {
            capacity,
            slot_bytes: size_of::<Cell<T>>(),
        };
        cells.try_reserve_exact(capacity).map_err(|_| memory)?;
        cells.extend((0..capacity).map(|index| {
            let lap_before = first.after(index as u64).before(capacity as u64);
            Cell {
                stamp: AtomicU64::new(Stamp::published(lap_before).bits()),
                node: AtomicPtr::new(ptr::null_mut()),
            }
        }));
        Ok(Self {
            cells: cells.into_boxed_slice(),
            hazards: GateCells::new(),
            retired: Stack::new(),
        })
    }

    /// A hazard of one's own, free.
    pub(crate) fn hazard(&self) -> GateCell {
        self.hazards.claim()
    }

    /// P1 to P5 for the one message of `batch`: a node, or nothing, in place of what was there; and a reclaim now and then. Runs
    /// wakers and destructors of values, which may panic; everything is in order then.
    pub(crate) fn put(&self, batch: Batch<'_, Self>, node: Option<Box<Node<T>>>) {
        let place = batch.first();
        let published = u64::from(node.is_some());
        // SAFETY: by I5, and the batch keeps the ring alive.
        let cell = unsafe { cell::<T>(&place) };
        let node = node.map_or(ptr::null_mut(), |mut node| {
            node.sequence = place.sequence;
            Box::into_raw(node)
        });
        if !mutant("value/cell P1") {
            // ORDERING: P1, Relaxed: P2 orders it.
            cell.stamp
                .store(Stamp::writing(place.sequence).bits(), Relaxed);
        }
        // ORDERING: Relaxed: by I1 nobody else writes here, and whoever did before is ordered before the claim.
        let old = cell.node.load(Relaxed);
        // ORDERING: P2, Release pairs with C3, so that C4 sees P1.
        cell.node.store(node, ordering("value/cell P2", Release));
        let replaced = Replaced(self, NonNull::new(old));
        // SAFETY: a published message has a node.
        unsafe { batch.commit(published) };
        drop(replaced);
        if !old.is_null() && place.sequence.get().trailing_zeros() >= RETIRED_UP_TO.trailing_zeros()
        {
            self.reclaim();
        }
    }

    /// R1 to R4.
    #[cold]
    pub(crate) fn reclaim(&self) {
        let mut taken = self.retired.take();
        fence(SeqCst, "value/cell R2");
        let mut free = List::empty();
        while let Some(node) = taken.pop() {
            // SAFETY: a node on a list of ours is alive.
            let sequence = unsafe { node.as_ref() }.sequence;
            if self.is_looked_at(sequence) {
                // SAFETY: it was taken off the list above.
                unsafe { self.retired.push(node) };
            } else {
                free.push(node);
            }
        }
        drop(free);
    }

    /// R3.
    fn is_looked_at(&self, sequence: Sequence) -> bool {
        // ORDERING: R3, Acquire pairs with H3.
        let looks = |word: &AtomicU64| word.load(ordering("value/cell R3", Acquire));
        !mutant("value/cell R3")
            && self
                .hazards
                .words()
                .any(|word| looks(word) == looks_at(sequence))
    }

    /// H1 to C4: the value of the message at `place`, which stays there until the hazard is free again; or what the stamp
    /// says instead.
    ///
    /// # Safety
    /// `place` is one of this ring, and `hazard` the caller's own, free.
    pub(crate) unsafe fn look(
        &self,
        place: &Place,
        hazard: &GateCell,
    ) -> Result<NonNull<T>, Stamp> {
        // ORDERING: H1, Relaxed: H2 publishes it.
        hazard.word().store(looks_at(place.sequence), Relaxed);
        fence(SeqCst, "value/cell H2");
        // SAFETY: by I5.
        match unsafe { Self::read(place) } {
            Ok(value) => Ok(value),
            Err(seen) => {
                look_away(hazard);
                Err(seen)
            }
        }
    }

    /// C1 to C4.
    ///
    /// # Safety
    /// `place` is one of a ring that is alive, and a hazard names its message.
    unsafe fn read(place: &Place) -> Result<NonNull<T>, Stamp> {
        // SAFETY: by I5.
        let cell = unsafe { cell::<T>(place) };
        let published = Stamp::published(place.sequence);
        // ORDERING: C1, Acquire pairs with P3.
        let seen = Stamp::from_bits(cell.stamp.load(ordering("value/cell C1", Acquire)));
        if seen != published {
            return Err(seen);
        }
        // ORDERING: C2, Relaxed: between C1 and C3.
        let node = cell.node.load(Relaxed);
        fence(Acquire, "value/cell C3");
        // ORDERING: C4, Relaxed: C3 orders it after the load of the pointer.
        let now = Stamp::from_bits(cell.stamp.load(Relaxed));
        if now != published && !mutant("value/cell C4") {
            return Err(now);
        }
        // SAFETY: by I2 it is the node of this message, and by I3 it is alive.
        let value = unsafe { &raw mut (*node).value };
        // SAFETY: a published message has a node, which is not null.
        Ok(unsafe { NonNull::new_unchecked(value) })
    }
}

/// H3.
fn look_away(hazard: &GateCell) {
    // ORDERING: H3, Release pairs with R3.
    hazard
        .word()
        .store(FREE, ordering("value/cell H3", Release));
}

/// What was taken out of a slot, and is retired when this is dropped, also when a waker panics in P4.
struct Replaced<'a, T>(&'a Values<T>, Option<NonNull<Node<T>>>);

impl<T> Drop for Replaced<'_, T> {
    /// P5.
    fn drop(&mut self) {
        if let Some(node) = self.1.take() {
            // SAFETY: by I1 and P2 it was taken out of its slot once, by whoever made this.
            unsafe { self.0.retired.push(node) };
        }
    }
}

/// # Safety
/// `place` is one of a ring of values of `T` that outlives `'a`.
#[inline]
unsafe fn cell<'a, T>(place: &Place) -> &'a Cell<T> {
    // SAFETY: by the caller's duty and I5.
    unsafe { &*place.slot() }
}

impl<T: 'static> Store for Values<T> {
    const STRIDE: usize = size_of::<Cell<T>>();

    fn start(&self) -> *const u8 {
        self.cells.as_ptr().cast()
    }

    #[inline]
    fn stamp_word(&self, place: &Place) -> &AtomicU64 {
        // SAFETY: by I5, and the ring is `self`.
        let cell = unsafe { cell::<T>(place) };
        &cell.stamp
    }

    #[inline]
    unsafe fn mark(place: &Place, stamp: Stamp) {
        // SAFETY: by I5 and the caller's duty.
        let cell = unsafe { cell::<T>(place) };
        // ORDERING: P3, Release pairs with C1.
        cell.stamp
            .store(stamp.bits(), ordering("value/cell P3", Release));
    }
}

impl<T> Drop for Values<T> {
    fn drop(&mut self) {
        // Nobody looks any more: the ring's last handle is gone.
        let mut rest = self.retired.take();
        for cell in &self.cells {
            // ORDERING: Relaxed: giving up the other handles came before.
            let node = cell.node.swap(ptr::null_mut(), Relaxed);
            NonNull::new(node)
                .into_iter()
                .for_each(|node| rest.push(node));
        }
    }
}
