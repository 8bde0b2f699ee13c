//! A run of messages taken one after the other, with the place in registers.
//!
//! A cursor's place is behind a reference, where every step has to be stored, because the accesses to the slots
//! order memory. A lossy run keeps a copy and gives it back at its end. A gating one does not: its gate has to
//! move with every message. Either looks at `published` once for many messages, and spares the stamp's first load
//! for those.
//!
//! ```text
//! I1  `place` is one of the cursor's ring, at or after the cursor's own, and the same where the cursor gates
//! I2  so many messages from `place` on as `known` says were seen to be published, and their slots follow each other in
//!     memory, with one more slot behind them
//! I3  leaking a run moves no cursor: a lossy subscriber is given those messages again
//! ```

#![allow(unsafe_code)] // the duties of `Slots::take`

use super::{
    Payload, Slots,
    place::{Place, Store},
    receive::CHUNK,
};
use crate::{contract::Contract, cursor::Cursor, error::TryRecvError, stamp::Stamp};
use tidings_core::Sequence;

/// Bytes of a message up to which several are taken at once.
const CHUNKED_UP_TO: usize = 32;

/// Stamps that one look reads ahead.
const AHEAD: usize = 64;

/// See the module.
pub(crate) struct Run<'a, T: 'static, C: Contract> {
    cursor: &'a mut Cursor<Slots<T>, C>,
    place: Place,
    /// Steps that stay within known messages, and do not reach the end of the slots.
    known: usize,
}

impl<'a, T, C: Contract> Run<'a, T, C> {
    pub(crate) fn new(cursor: &'a mut Cursor<Slots<T>, C>) -> Self {
        let place = cursor.place;
        Self {
            cursor,
            place,
            known: 0,
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
        if self.known == 0 {
            self.known = self.look();
            if self.known == 0 {
                return self.settle(|cursor| receive_one(cursor));
            }
        }
        // Where there is an order, the cursor stands here too; elsewhere this is nothing.
        if C::GATING {
            self.cursor.admit()?;
        }
        match self.take() {
            Ok(value) => {
                self.step();
                if C::GATING {
                    self.cursor.step();
                }
                Ok(value)
            }
            Err(seen) => self.settle(|cursor| {
                cursor.get_past(seen)?;
                receive_one(cursor)
            }),
        }
    }

    #[inline]
    fn look(&self) -> usize {
        if self.cursor.ring.shared.many {
            return self.look_ahead();
        }
        let (next, published) = (self.place.sequence, self.cursor.ring.shared.published());
        if published.is_before(next) {
            return 0;
        }
        let known = usize::try_from(published.since(next)).unwrap_or(usize::MAX);
        known.min(self.place.steps_to_end(Slots::<T>::STRIDE) - 1)
    }

    /// With many publishers only the stamps say what is out.
    fn look_ahead(&self) -> usize {
        let mut place = self.place;
        let within = AHEAD.min(self.place.steps_to_end(Slots::<T>::STRIDE) - 1);
        for count in 0..within {
            if self.cursor.ring.slots.stamp(&place) != Stamp::published(place.sequence) {
                return count;
            }
            place.step_within(Slots::<T>::STRIDE);
        }
        within
    }

    /// Shows the next messages to `show`, as long as several can be taken at once.
    #[inline]
    pub(crate) fn receive_chunks(&mut self, mut show: impl FnMut(T)) {
        // Where subscribers gate there is nothing to validate; large messages gain nothing; and many publishers
        // overwrite in no order.
        if C::GATING || size_of::<T>() > CHUNKED_UP_TO || self.cursor.ring.shared.many {
            return;
        }
        while self.known >= CHUNK {
            // SAFETY: by I1 and I2; the cursor owns a count of the ring.
            let Some(chunk) = (unsafe { Slots::take_chunk(&self.place) }) else {
                return;
            };
            for message in chunk {
                // Before it is shown: should `show` panic, this message was received, and the next not.
                self.step();
                show(message);
            }
        }
    }

    #[inline]
    fn step(&mut self) {
        self.known -= 1;
        self.place.step_within(Slots::<T>::STRIDE);
    }

    /// The message at `place`, which is known to be published.
    #[inline]
    fn take(&self) -> Result<T, Stamp> {
        if C::GATING {
            // SAFETY: by I1 and I2; the cursor owns a count of the ring, and its gate stands at its place.
            unsafe { Slots::take::<true, true>(&self.place) }
        } else {
            // SAFETY: by I1 and I2; the cursor owns a count of the ring.
            unsafe { Slots::take::<false, true>(&self.place) }
        }
    }

    /// Lets the cursor itself make the next step, from this place.
    #[inline]
    fn settle<R>(&mut self, step: impl FnOnce(&mut Cursor<Slots<T>, C>) -> R) -> R {
        self.cursor.place = self.place;
        let result = step(self.cursor);
        self.place = self.cursor.place;
        self.known = 0;
        result
    }
}

/// Out of line, so that the run's loop stays small.
#[cold]
fn receive_one<T: Payload, C: Contract>(
    cursor: &mut Cursor<Slots<T>, C>,
) -> Result<T, TryRecvError> {
    cursor.receive()
}

impl<T, C: Contract> Drop for Run<'_, T, C> {
    #[inline]
    fn drop(&mut self) {
        if !C::GATING {
            self.cursor.place = self.place;
        }
    }
}
