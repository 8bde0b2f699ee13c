//! The slots of an in-place ring: each a value, made once and edited for every message.
//!
//! ```text
//! States    of a stamp: published(n) · aborted(n); before the first lap published(n - capacity)
//! Publish   P1 edit the value of the slot   P2 stamp := published(n), Release, or aborted(n) when the claim is given up
//! Receive   C1 stamp published(n)? Acquire   C2 read the value in place   C3 move the gate (gate.rs R2)
//! I1        one publisher at a time writes a slot: the only one there is (`&mut EventPublisher`), or the one that
//!           claimed the message, of many (claim/many.rs)
//! I2        a slot is not written while a gate stands at or before its message (gate.rs I1), and every
//!           subscriber has a gate; so whoever holds C1 and has not done C3 shares the value with subscribers only
//! I3        the address in a `Place` is that of a cell (place.rs I1)
//! Pairs     P2↔C1 publishes the edit; C3↔the publisher's look orders the read before the next edit
//! Progress  write and read wait-free, no allocation
//! ```

#![allow(unsafe_code)] // values are shared by the protocol above, not by a lock

pub(crate) mod lent;

use crate::{
    error::BuildError,
    slot::place::{InPlace, Place, Store},
    stamp::Stamp,
};
use alloc::{boxed::Box, vec::Vec};
use core::ptr::NonNull;
use tidings_core::{
    Sequence,
    sync::{
        atomic::{AtomicU64, Ordering::*},
        cell::UnsafeCell,
        ordering,
    },
};

struct Cell<T> {
    stamp: AtomicU64,
    value: UnsafeCell<T>,
}

/// See the module.
pub struct Cells<T>(Box<[Cell<T>]>);

// SAFETY: a value is edited from one thread (I1) and dropped with the ring, on any thread.
unsafe impl<T: Send> Send for Cells<T> {}
// SAFETY: as above, and by I2 it is read from many threads at once.
unsafe impl<T: Send + Sync> Sync for Cells<T> {}

impl<T> Cells<T> {
    pub(crate) fn new(
        capacity: usize,
        first: Sequence,
        mut factory: impl FnMut() -> T,
    ) -> Result<Self, BuildError> {
        let mut cells = Vec::new();
        let memory = BuildError::Memory {
            capacity,
            slot_bytes: size_of::<Cell<T>>(),
        };
        cells.try_reserve_exact(capacity).map_err(|_| memory)?;
        cells.extend((0..capacity).map(|index| {
            let lap_before = first.after(index as u64).before(capacity as u64);
            Cell {
                stamp: AtomicU64::new(Stamp::published(lap_before).bits()),
                value: UnsafeCell::new(factory()),
            }
        }));
        Ok(Self(cells.into_boxed_slice()))
    }

    /// P1, by a reference.
    ///
    /// # Safety
    /// As [`edit`](Self::edit); and no other reference to the value of this place is alive while `'a` is.
    pub(crate) unsafe fn value_mut<'a>(place: &Place) -> &'a mut T {
        // SAFETY: by I3 and the caller's duty.
        let cell = unsafe { cell::<T>(place) };
        cell.value.with_mut(|value| {
            // SAFETY: by the caller's duty and I2 nobody else has a reference to the value.
            unsafe { &mut *value }
        })
    }

    /// P1. When `edit` panics the slot keeps what was edited so far.
    ///
    /// # Safety
    /// The caller has claimed `place`, of a ring that is alive, and no gate stands at the slot's message or before.
    #[inline]
    pub(crate) unsafe fn edit<R>(place: &Place, edit: impl FnOnce(&mut T) -> R) -> R {
        // SAFETY: by I3 and the caller's duty.
        let cell = unsafe { cell::<T>(place) };
        cell.value.with_mut(|value| {
            // SAFETY: by the caller's duty and I2 nobody else has a reference to the value.
            edit(unsafe { &mut *value })
        })
    }
}

/// # Safety
/// `place` is one of a ring of cells of `T` that outlives `'a`.
#[inline]
unsafe fn cell<'a, T>(place: &Place) -> &'a Cell<T> {
    // SAFETY: by the caller's duty and I3.
    unsafe { &*place.slot() }
}

impl<T: 'static> Store for Cells<T> {
    const STRIDE: usize = size_of::<Cell<T>>();

    fn start(&self) -> *const u8 {
        self.0.as_ptr().cast()
    }

    #[inline]
    fn stamp_word(&self, place: &Place) -> &AtomicU64 {
        // SAFETY: by I3, and the ring is `self`.
        let cell = unsafe { cell::<T>(place) };
        &cell.stamp
    }

    #[inline]
    unsafe fn mark(place: &Place, stamp: Stamp) {
        // SAFETY: by I3 and the caller's duty.
        let cell = unsafe { cell::<T>(place) };
        // ORDERING: P2, Release pairs with C1.
        cell.stamp.store(stamp.bits(), ordering("cell P2", Release));
    }
}

impl<T: 'static> InPlace for Cells<T> {
    type Value = T;

    #[inline]
    fn value(&self, place: &Place) -> NonNull<T> {
        // SAFETY: as in `stamp`.
        let cell = unsafe { cell::<T>(place) };
        // SAFETY: a pointer to a cell's value is not null.
        cell.value
            .with(|value| unsafe { NonNull::new_unchecked(value.cast_mut()) })
    }
}
