//! How a cursor takes messages out of slots: as its contract allows.

#![allow(unsafe_code)] // one call, whose duty the cursor fulfils

use super::{Payload, Place, Slots};
use crate::{contract::Contract, cursor::Cursor, error::TryRecvError, ring::Store, stamp::Stamp};

impl<T: Payload, C: Contract> Cursor<Slots<T>, C> {
    /// The next message, and a step further; or what is there instead.
    #[inline]
    pub(crate) fn receive(&mut self) -> Result<T, TryRecvError> {
        let place = self.place;
        match self.look_at(&place) {
            Ok(value) => {
                self.step_to(place.next(Slots::<T>::STRIDE));
                Ok(value)
            }
            Err(seen) => Err(self.missed(seen)),
        }
    }

    /// The message at `place`, which is this cursor's.
    #[inline]
    fn look_at(&self, place: &Place) -> Result<T, Stamp> {
        if C::GATING {
            // SAFETY: `self` owns a count of the ring, and its gate stands at its place (I2 of cursor.rs).
            unsafe { Slots::read::<true>(place) }
        } else {
            // SAFETY: `self` owns a count of the ring; nothing else is promised.
            unsafe { Slots::read::<false>(place) }
        }
    }
}
