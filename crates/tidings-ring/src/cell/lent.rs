//! A message read where it lies: the reference that a gating subscriber lends.
//!
//! ```text
//! I1  `value` is the message at `place`, published, and `gate` stands at `place`: by gate.rs I1 it is neither
//!     edited nor freed while this lives, since the gate moves only in `drop` and the subscriber is borrowed
//! I2  leaking this moves no gate: the message is lent again by the next call
//! ```

#![allow(unsafe_code)] // a reference whose end is a destructor: see `value`

use crate::{
    contract::GatingContract,
    cursor::Cursor,
    error::TryRecvError,
    gate::{Gate, Hold},
    shared::Shared,
    slot::place::{InPlace, Place},
};
use core::{fmt, marker::PhantomData, ops::Deref, ptr::NonNull};

/// A message, borrowed from the ring's own slot.
///
/// The slot is given back when this is dropped, also by a panic: a message counts as received once
/// it was lent. While it lives the publisher can run ahead by the rest of the ring, no further. If
/// it is leaked (`mem::forget`) the message stays unread: the next call lends it again.
pub struct Ref<'a, T> {
    // A pointer, not a reference: the slot may be overwritten before `drop` has returned.
    value: NonNull<T>,
    place: &'a mut Place,
    shared: &'a Shared,
    gate: &'a Gate,
    stride: usize,
    lends: PhantomData<&'a T>,
}

// SAFETY: besides plain words it is a `&T`.
unsafe impl<T: Sync> Send for Ref<'_, T> {}
// SAFETY: as above; nothing moves the gate through a shared `Ref`.
unsafe impl<T: Sync> Sync for Ref<'_, T> {}

impl<'a, T> Ref<'a, T> {
    /// The message at the cursor, if it is there.
    #[inline]
    pub(crate) fn of<S, C>(cursor: &'a mut Cursor<S, C>) -> Result<Self, TryRecvError>
    where
        S: InPlace<Value = T>,
        C: GatingContract,
    {
        cursor.settle()?;
        let Cursor {
            ring, place, hold, ..
        } = cursor;
        let value = ring.slots.value(place);
        let (shared, gate) = (&ring.shared, C::gate(hold));
        Ok(Self {
            value,
            place,
            shared,
            gate,
            stride: S::STRIDE,
            lends: PhantomData,
        })
    }

    /// The sequence of the message.
    pub fn sequence(this: &Self) -> u64 {
        this.place.sequence.get()
    }
}

impl<T> Deref for Ref<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: by I1 it is an initialised value that nobody edits while `self` lives.
        unsafe { self.value.as_ref() }
    }
}

impl<T> Drop for Ref<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let from = self.place.sequence;
        self.place.step(self.stride);
        self.gate.advance(self.shared, from, self.place.sequence);
    }
}

impl<T: fmt::Debug> fmt::Debug for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: fmt::Display> fmt::Display for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}
