//! How a cursor takes messages out of slots: as its contract allows.

#![allow(unsafe_code)] // the duties of `Slots::read`, and a value made of a validated copy

use super::{Payload, Slots};
use crate::{contract::Contract, cursor::Cursor, error::TryRecvError, stamp::Stamp};
use core::mem::MaybeUninit;

impl<T: Payload, C: Contract> Cursor<Slots<T>, C> {
    /// The next message, and a step further; or what is there instead.
    #[inline]
    pub(crate) fn receive(&mut self) -> Result<T, TryRecvError> {
        let mut copy = MaybeUninit::uninit();
        self.receive_into(&mut copy)?;
        // SAFETY: I3 and I4 of slot.rs: it was copied, and validated.
        Ok(unsafe { copy.assume_init() })
    }

    /// [`receive`](Self::receive), to where the caller wants it. Only after `Ok` is `copy` a value.
    #[inline]
    fn receive_into(&mut self, copy: &mut MaybeUninit<T>) -> Result<(), TryRecvError> {
        match self.copy_message(copy) {
            Ok(()) => {
                self.step();
                Ok(())
            }
            Err(seen) => Err(self.missed(seen)),
        }
    }

    /// [`receive_into`](Self::receive_into), with the value.
    #[inline]
    pub(crate) fn receive_to<'a>(
        &mut self,
        place: &'a mut MaybeUninit<T>,
    ) -> Result<&'a mut T, TryRecvError> {
        self.receive_into(place)?;
        // SAFETY: as in `receive`.
        Ok(unsafe { place.assume_init_mut() })
    }

    #[inline]
    fn copy_message(&self, copy: &mut MaybeUninit<T>) -> Result<(), Stamp> {
        if C::GATING {
            // SAFETY: `self` owns a count of the ring, and its gate stands at its place (I2 of cursor.rs).
            unsafe { Slots::read::<true>(&self.place, copy) }
        } else {
            // SAFETY: `self` owns a count of the ring; nothing else is promised.
            unsafe { Slots::read::<false>(&self.place, copy) }
        }
    }
}
