//! A value read where it lies, while the publisher goes on.
//!
//! ```text
//! I1  `value` is that of a message which `hazard` names, so by I3 of cell.rs it is alive until H3, and H3 is done by `drop`
//!     only: the subscriber, whose hazard it is, is borrowed
//! I2  leaking this leaves the hazard set: the value is kept until the subscriber looks at another, or is dropped, which ends
//!     `'a` first
//! ```

#![allow(unsafe_code)] // a reference whose end is a destructor: see `value`

use super::{Values, look_away};
use crate::{contract::Lossy, cursor::Cursor, error::TryRecvError, gate::cell::GateCell};
use core::{fmt, marker::PhantomData, ops::Deref, ptr::NonNull};

/// A message of a ring of values, borrowed. It holds nobody up: the publisher goes on, and overwrites its slot; the value
/// itself is dropped some time after this is.
///
/// The message counts as received when it was lent. If this is leaked (`mem::forget`), its value is kept until the subscriber
/// receives again, or is dropped.
pub struct ValueRef<'a, T> {
    value: NonNull<T>,
    sequence: u64,
    hazard: &'a GateCell,
    lends: PhantomData<&'a T>,
}

// SAFETY: besides plain words it is a `&T`.
unsafe impl<T: Sync> Send for ValueRef<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for ValueRef<'_, T> {}

/// A cursor with the hazard that keeps what it looks at; lends one message at a time.
pub(crate) struct Look<T: 'static> {
    // Before the cursor, so that it is dropped before the ring (I3 of gate/cell.rs).
    hazard: GateCell,
    pub(crate) cursor: Cursor<Values<T>, Lossy>,
}

/// A message that the hazard names, and that is not lent yet.
struct Held<T> {
    value: NonNull<T>,
    sequence: u64,
}

impl<T: 'static> Look<T> {
    pub(crate) fn new(cursor: Cursor<Values<T>, Lossy>) -> Self {
        Self {
            hazard: cursor.ring.slots.hazard(),
            cursor,
        }
    }

    /// The message at the cursor, if it is there, and a step further. Otherwise what is there, and the look again.
    #[inline]
    pub(crate) fn lend(&mut self) -> Result<ValueRef<'_, T>, (TryRecvError, &mut Self)> {
        match self.hold() {
            Ok(Held { value, sequence }) => Ok(ValueRef {
                value,
                sequence,
                hazard: &self.hazard,
                lends: PhantomData,
            }),
            Err(error) => Err((error, self)),
        }
    }

    #[inline]
    fn hold(&mut self) -> Result<Held<T>, TryRecvError> {
        let Self { hazard, cursor } = self;
        loop {
            let place = cursor.place;
            // SAFETY: the cursor's place is one of its ring. The hazard is ours, free or leaked: I2.
            let seen = match unsafe { cursor.ring.slots.look(&place, hazard) } {
                Ok(value) => {
                    cursor.step();
                    return Ok(Held {
                        value,
                        sequence: place.sequence.get(),
                    });
                }
                Err(seen) => seen,
            };
            cursor.get_past(seen)?;
        }
    }
}

impl<T> Drop for Look<T> {
    fn drop(&mut self) {
        // What was leaked (I2); otherwise it is free.
        look_away(&self.hazard);
    }
}

impl<T> ValueRef<'_, T> {
    /// The sequence of the message.
    pub fn sequence(this: &Self) -> u64 {
        this.sequence
    }
}

impl<T> Deref for ValueRef<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: by I1 it is a value that nobody changes or drops while `self` lives.
        unsafe { self.value.as_ref() }
    }
}

impl<T> Drop for ValueRef<'_, T> {
    #[inline]
    fn drop(&mut self) {
        look_away(self.hazard);
    }
}

impl<T: fmt::Debug> fmt::Debug for ValueRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: fmt::Display> fmt::Display for ValueRef<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}
