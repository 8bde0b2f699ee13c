//! A ring as a whole: the slots, and what every handle of it shares.

use crate::{shared::Shared, stamp::Stamp};
use core::fmt;

/// Slots of one kind.
pub trait Store: 'static {
    /// What a slot holds.
    type Value;

    /// The stamp of the slot at `index`; with a published stamp comes the message itself.
    fn stamp(&self, index: usize) -> Stamp;

    /// Where the slot at `index` holds its value.
    fn value(&self, index: usize) -> core::ptr::NonNull<Self::Value>;
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
