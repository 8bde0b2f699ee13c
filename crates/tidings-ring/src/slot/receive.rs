//! How messages are taken out of slots: one at a time, by a cursor, as its contract allows.

#![allow(unsafe_code)] // the duties of `Slots::read`, and values made of validated copies

use super::{Payload, Slots, place::Place};
use crate::{contract::Contract, cursor::Cursor, error::TryRecvError, stamp::Stamp};
use core::mem::MaybeUninit;

impl<T: Payload> Slots<T> {
    /// The message at `place`, by value.
    ///
    /// # Safety
    /// As [`read`](Self::read).
    #[inline]
    pub(super) unsafe fn take<const HELD: bool>(place: &Place) -> Result<T, Stamp> {
        let mut copy = MaybeUninit::uninit();
        // SAFETY: the caller's duty.
        unsafe { Self::read::<HELD>(place, &mut copy) }?;
        // SAFETY: I3 and I4 of slot.rs: it was copied, and validated.
        Ok(unsafe { copy.assume_init() })
    }
}

impl<T: Payload, C: Contract> Cursor<Slots<T>, C> {
    /// The next message, and a step further; or what is there instead.
    #[inline]
    pub(crate) fn receive(&mut self) -> Result<T, TryRecvError> {
        let taken = if C::GATING {
            // SAFETY: the cursor owns a count of the ring, and its gate stands at its place (I2 of cursor.rs).
            unsafe { Slots::take::<true>(&self.place) }
        } else {
            // SAFETY: the cursor owns a count of the ring; nothing else is promised.
            unsafe { Slots::take::<false>(&self.place) }
        };
        self.after(taken)
    }

    /// [`receive`](Self::receive), to where the caller wants it.
    #[inline]
    pub(crate) fn receive_to<'a>(
        &mut self,
        to: &'a mut MaybeUninit<T>,
    ) -> Result<&'a mut T, TryRecvError> {
        let read = if C::GATING {
            // SAFETY: as in `receive`.
            unsafe { Slots::read::<true>(&self.place, to) }
        } else {
            // SAFETY: as in `receive`.
            unsafe { Slots::read::<false>(&self.place, to) }
        };
        self.after(read)?;
        // SAFETY: I3 and I4 of slot.rs: it was copied, and validated.
        Ok(unsafe { to.assume_init_mut() })
    }

    #[inline]
    fn after<R>(&mut self, read: Result<R, Stamp>) -> Result<R, TryRecvError> {
        match read {
            Ok(message) => {
                self.step();
                Ok(message)
            }
            Err(seen) => Err(self.missed(seen)),
        }
    }
}
