//! Where a handle stands: a sequence, and the slot that goes with it.
//!
//! The two move together, so a step needs no division, and the capacity need not be a power of two.

use crate::shared::Shared;
use tidings_core::Sequence;

/// See the module. The index is below the capacity of the ring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) sequence: Sequence,
    pub(crate) index: usize,
}

impl Place {
    pub(crate) fn at(shared: &Shared, sequence: Sequence) -> Self {
        Self {
            sequence,
            index: shared.index_of(sequence),
        }
    }

    /// To the next message.
    #[inline]
    pub(crate) fn step(&mut self, shared: &Shared) {
        self.sequence = self.sequence.next();
        self.index += 1;
        if self.index == shared.capacity {
            self.index = 0;
        }
    }
}
