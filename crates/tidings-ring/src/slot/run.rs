//! A run of messages taken one after the other, with the place in registers.
//!
//! A cursor's place is behind a reference, where every step has to be stored, because the accesses to the slots
//! order memory. A lossy run keeps a copy and gives it back at its end. A gating one does not: its gate has to
//! move with every message.
//!
//! ```text
//! I1  `place` is one of the cursor's ring, at or after the cursor's own
//! I2  leaking a run moves no cursor: a lossy subscriber is given those messages again
//! ```

#![allow(unsafe_code)] // the duties of `Slots::take`

use super::{
    Payload, Slots,
    place::{Place, Store},
};
use crate::{contract::Contract, cursor::Cursor, error::TryRecvError};
use tidings_core::Sequence;

/// See the module.
pub(crate) struct Run<'a, T: 'static, C: Contract> {
    cursor: &'a mut Cursor<Slots<T>, C>,
    place: Place,
}

impl<'a, T, C: Contract> Run<'a, T, C> {
    pub(crate) fn new(cursor: &'a mut Cursor<Slots<T>, C>) -> Self {
        Self {
            place: cursor.place,
            cursor,
        }
    }

    /// The message to take next.
    pub(crate) fn sequence(&self) -> Sequence {
        self.place.sequence
    }
}

impl<T: Payload, C: Contract> Run<'_, T, C> {
    /// The next message, and a step further; or what is there instead.
    #[inline]
    pub(crate) fn receive(&mut self) -> Result<T, TryRecvError> {
        if C::GATING {
            return self.cursor.receive();
        }
        // SAFETY: by I1, and the cursor owns a count of the ring; nothing else is promised.
        match unsafe { Slots::take::<false>(&self.place) } {
            Ok(value) => {
                self.place.step(Slots::<T>::STRIDE);
                Ok(value)
            }
            Err(seen) => {
                self.cursor.place = self.place;
                let missed = self.cursor.missed(seen);
                self.place = self.cursor.place;
                Err(missed)
            }
        }
    }
}

impl<T, C: Contract> Drop for Run<'_, T, C> {
    #[inline]
    fn drop(&mut self) {
        if !C::GATING {
            self.cursor.place = self.place;
        }
    }
}
