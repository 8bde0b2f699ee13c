//! Where a handle stands: a sequence, and the slot that goes with it.
//!
//! The two move together, so a step needs no division, and the capacity need not be a power of two.
//! The slot is an address, so a read or a write begins without asking the ring where its slots are.
//!
//! I1  `slot` is the address of the slot of `sequence`, in the slots of the ring that the handle owns a count of;
//!     `start` and `end` are the ends of those slots

#![allow(unsafe_code)] // addresses that go from thread to thread with their handle

use crate::ring::{Ring, Store};
use tidings_core::Sequence;

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
    pub(crate) fn at<S: Store>(ring: &Ring<S>, sequence: Sequence) -> Self {
        let start = ring.slots.start();
        let at = |index: usize| start.wrapping_add(index * S::STRIDE);
        let shared = &ring.shared;
        Self {
            sequence,
            slot: at(shared.index_of(sequence)),
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
}
