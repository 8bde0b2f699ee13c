//! Where a handle stands: a sequence, and the slot that goes with it; and what slots of either kind are.
//!
//! The two move together, so a step needs no division, and the capacity need not be a power of two.
//! The slot is an address, so a read or a write begins without asking the ring where its slots are.
//!
//! ```text
//! I1  `slot` is the address of the slot of `sequence`, in the slots of the ring that the handle owns a count of;
//!     `start` and `end` are the ends of those slots
//! ```

#![allow(unsafe_code)] // addresses that go from thread to thread with their handle

use crate::{shared::Shared, stamp::Stamp};
use core::ptr::NonNull;
use tidings_core::{
    Sequence,
    sync::atomic::{AtomicU64, Ordering::Acquire},
};

/// Slots of one kind, one after the other.
pub trait Store: 'static {
    /// Bytes from one slot to the next.
    const STRIDE: usize;

    /// The address of the first slot.
    fn start(&self) -> *const u8;

    /// The word that holds the stamp of the slot at `place`, which is one of this ring's.
    fn stamp_word(&self, place: &Place) -> &AtomicU64;

    /// The stamp of the slot at `place`; with a published stamp comes the message itself.
    #[inline]
    fn stamp(&self, place: &Place) -> Stamp {
        // ORDERING: C1 of slot.rs, cell.rs and value/cell.rs: Acquire pairs with `mark`.
        Stamp::from_bits(self.stamp_word(place).load(Acquire))
    }

    /// Sets the stamp of the slot at `place`, after all that was written to it.
    ///
    /// # Safety
    /// The caller has claimed `place`, which is one of a ring that is alive.
    unsafe fn mark(place: &Place, stamp: Stamp);
}

/// Slots whose messages can be read where they lie, as long as a gate stands there.
pub trait InPlace: Store {
    /// What a slot holds.
    type Value;

    /// Where the slot at `place` holds its value.
    fn value(&self, place: &Place) -> NonNull<Self::Value>;
}

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) sequence: Sequence,
    slot: *const u8,
    start: *const u8,
    end: *const u8,
}

// SAFETY: an address; what may be done with the slot is for the user of `slot` to say.
unsafe impl Send for Place {}
// SAFETY: as above.
unsafe impl Sync for Place {}

impl Place {
    pub(crate) fn at<S: Store>(slots: &S, shared: &Shared, sequence: Sequence) -> Self {
        let start = slots.start();
        let at = |index: usize| start.wrapping_add(index * S::STRIDE);
        let slot = at(shared.index_of(sequence));
        Self {
            sequence,
            slot,
            start,
            end: at(shared.capacity),
        }
    }

    /// The slot, as what it is made of.
    #[inline]
    pub(crate) fn slot<U>(&self) -> *const U {
        self.slot.cast()
    }

    /// Goes to the next message; slots are `stride` bytes apart.
    #[inline]
    pub(crate) fn step(&mut self, stride: usize) {
        let slot = self.slot.wrapping_add(stride);
        self.slot = if slot == self.end { self.start } else { slot };
        self.sequence = self.sequence.next();
    }

    /// How many steps of `stride` bytes there are to the end of the slots, at least 1.
    pub(crate) fn steps_to_end(&self, stride: usize) -> usize {
        (self.end.addr() - self.slot.addr()) / stride
    }

    /// A step that is not the last before the end of the slots.
    #[inline]
    pub(crate) fn step_within(&mut self, stride: usize) {
        self.slot = self.slot.wrapping_add(stride);
        self.sequence = self.sequence.next();
    }
}
