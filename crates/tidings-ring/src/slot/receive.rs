//! How messages are taken out of slots: one at a time, by a cursor, as its contract allows.

#![allow(unsafe_code)] // the duties of `Slots::read`, and values made of validated copies

use super::{Payload, Slots, place::Place, word, words::Word};
use crate::{contract::Contract, cursor::Cursor, error::TryRecvError, gate::Hold, stamp::Stamp};
use core::mem::MaybeUninit;
use tidings_core::sync::{atomic::Ordering::*, fence};

impl<T: Payload> Slots<T> {
    /// The message at `place`, by value.
    ///
    /// # Safety
    /// As [`read`](Self::read).
    #[inline]
    pub(super) unsafe fn take<const HELD: bool, const KNOWN: bool>(
        place: &Place,
    ) -> Result<T, Stamp> {
        let mut copy = MaybeUninit::uninit();
        // SAFETY: the caller's duty.
        unsafe { Self::read::<HELD, KNOWN>(place, &mut copy) }?;
        // SAFETY: I3 and I4 of slot.rs: it was copied, and validated.
        Ok(unsafe { copy.assume_init() })
    }
}

/// Messages that are validated together.
pub(super) const CHUNK: usize = if cfg!(loom) { 2 } else { 8 };

impl<T: Payload> Slots<T> {
    /// The messages at `place` and after it, by value; `None` when they are being overwritten.
    ///
    /// One look at the oldest slot's stamp validates all: the publisher overwrites in order, so whoever
    /// copied a byte of a later lap from any of them sees, by P2↔C3, the oldest one marked as well.
    ///
    /// # Safety
    /// The place is one of a ring that is alive; so many messages are known to be published, and their
    /// slots follow each other in memory.
    #[inline]
    pub(super) unsafe fn take_chunk(place: &Place) -> Option<[T; CHUNK]> {
        let first = place.slot::<Word>();
        let copies: [MaybeUninit<T>; CHUNK] = core::array::from_fn(|n| {
            let mut copy = MaybeUninit::uninit();
            Self::copy_out(first.wrapping_add(n * Self::WORDS), &mut copy);
            copy
        });
        fence(Acquire, "slot C3");
        // SAFETY: by I5.
        let stamp = unsafe { word(first, 0) };
        // ORDERING: C4, Relaxed: C3 orders it after the copies.
        let now = Stamp::from_bits(stamp.load(Relaxed));
        // SAFETY: I3 and I4 of slot.rs: they were copied, and are validated.
        (now == Stamp::published(place.sequence))
            .then(|| copies.map(|copy| unsafe { copy.assume_init() }))
    }
}

impl<T: Payload, C: Contract> Cursor<Slots<T>, C> {
    /// The next message, and a step further; or what is there instead.
    #[inline(always)]
    pub(crate) fn receive(&mut self) -> Result<T, TryRecvError> {
        if self.hold.admits(self.place.sequence) {
            match self.take() {
                Ok(message) => {
                    self.step();
                    return Ok(message);
                }
                Err(seen) if !seen.concerns(self.place.sequence) => return Err(self.nothing()),
                Err(_) => {}
            }
        }
        self.receive_past()
    }

    /// The same where there may be something to get past.
    #[cold]
    #[inline(never)]
    fn receive_past(&mut self) -> Result<T, TryRecvError> {
        self.admit()?;
        loop {
            match self.take() {
                Ok(message) => {
                    self.step();
                    return Ok(message);
                }
                Err(seen) => self.get_past(seen)?,
            }
        }
    }

    /// The message at the cursor, by value.
    #[inline]
    fn take(&self) -> Result<T, Stamp> {
        if C::GATING {
            // SAFETY: the cursor owns a count of the ring, and its gate stands at its place (I2 of cursor.rs).
            unsafe { Slots::take::<true, false>(&self.place) }
        } else {
            // SAFETY: the cursor owns a count of the ring; nothing else is promised.
            unsafe { Slots::take::<false, false>(&self.place) }
        }
    }

    /// [`receive`](Self::receive), to where the caller wants it.
    #[inline]
    pub(crate) fn receive_to<'a>(
        &mut self,
        to: &'a mut MaybeUninit<T>,
    ) -> Result<&'a mut T, TryRecvError> {
        self.admit()?;
        while let Err(seen) = self.copy(to) {
            self.get_past(seen)?;
        }
        self.step();
        // SAFETY: I3 and I4 of slot.rs: it was copied, and validated.
        Ok(unsafe { to.assume_init_mut() })
    }

    /// Copies the message at the cursor, which is one after `Ok`.
    #[inline]
    fn copy(&self, to: &mut MaybeUninit<T>) -> Result<(), Stamp> {
        if C::GATING {
            // SAFETY: as in `take`.
            unsafe { Slots::read::<true, false>(&self.place, to) }
        } else {
            // SAFETY: as in `take`.
            unsafe { Slots::read::<false, false>(&self.place, to) }
        }
    }
}
