//! How a cursor takes a message out of a slot: as its contract allows.

#![allow(unsafe_code)] // one call, whose duty the cursor's gate fulfils

use super::{Payload, Slots};
use crate::{contract::Contract, cursor::Cursor, error::TryRecvError};

impl<T: Payload, C: Contract> Cursor<Slots<T>, C> {
    /// The next message, and a step further; or what is there instead.
    #[inline]
    pub(crate) fn receive(&mut self) -> Result<T, TryRecvError> {
        let (place, slots) = (self.place, &self.ring.slots);
        let read = if C::GATING {
            // SAFETY: the cursor's gate stands at its place (I2 of cursor.rs).
            unsafe { slots.read::<true>(place.index, place.sequence) }
        } else {
            // SAFETY: nothing is promised.
            unsafe { slots.read::<false>(place.index, place.sequence) }
        };
        match read {
            Ok(value) => {
                self.step();
                Ok(value)
            }
            Err(seen) => Err(self.missed(seen)),
        }
    }
}
