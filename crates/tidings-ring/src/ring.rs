//! A ring as a whole: the slots, and what every handle of it shares.

use crate::{shared::Shared, slot::place::Place, stamp::Stamp};
use core::{fmt, ptr::NonNull};

/// Slots of one kind, one after the other.
pub trait Store: 'static {
    /// What a slot holds.
    type Value;
    /// Bytes from one slot to the next.
    const STRIDE: usize;

    /// The address of the first slot.
    fn start(&self) -> *const u8;

    /// The stamp of the slot at `place`, which is one of this ring's; with a published stamp comes
    /// the message itself.
    fn stamp(&self, place: &Place) -> Stamp;

    /// Where the slot at `place` holds its value.
    fn value(&self, place: &Place) -> NonNull<Self::Value>;
}

/// See the module.
pub struct Ring<S> {
    pub(crate) shared: Shared,
    pub(crate) slots: S,
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
