//! A ring as a whole: the slots, and what every handle of it shares.

pub(crate) mod kept;

use crate::{
    shared::Shared,
    slot::place::{Place, Store},
};
use core::fmt;
use tidings_core::Sequence;

/// See the module.
pub struct Ring<S> {
    pub(crate) shared: Shared,
    pub(crate) slots: S,
}

impl<S: Store> Ring<S> {
    /// The place of message `sequence`.
    pub(crate) fn place_of(&self, sequence: Sequence) -> Place {
        Place::at(&self.slots, &self.shared, sequence)
    }
}

impl<S> fmt::Debug for Ring<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ring")
            .field("capacity", &self.shared.capacity)
            .field("published", &self.shared.published().get())
            .field("closed", &self.shared.is_closed())
            .finish_non_exhaustive()
    }
}
