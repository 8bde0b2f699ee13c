//! Claims in the hands of a user: several messages that are written where they will lie, then go out together.
//!
//! ```text
//! I1  the slots from the batch's first on, `count` of them, are this claim's to write (batch.rs I1), and nobody else has a
//!     reference to a value in them: in place every subscriber has a gate, which does not stand there
//! I2  of a copying ring the first `written` slots were filled
//! ```

#![allow(unsafe_code)] // slots are written by whoever claimed them: I1

use super::batch::Batch;
use crate::{
    cell::Cells,
    contract::{Contract, Lossy},
    slot::{
        Payload, Slots,
        place::{Place, Store},
    },
};
use core::{fmt, marker::PhantomData};

/// Messages of a copying ring that are claimed and not out yet: write them, then [`commit`](Self::commit). Dropped, also by a
/// panic, it publishes nothing.
///
/// Each message is written straight into its slot, one after the other. There is no `&mut T` into a slot, because lossy
/// subscribers may be reading its bytes at that very moment, and throw away what they read. The message that the slot held
/// before, a lap ago, is lost to them from then on, also if the claim is given up; their counts say so.
///
/// Given up, the messages of a single publisher were never claimed; those of one of many publishers are tombstones, which
/// subscribers pass over. Leaked (`mem::forget`), the first is as given up; the second holds subscribers at its first message,
/// and in the end the other publishers, until the ring is closed.
#[must_use = "a claim that is dropped publishes nothing"]
pub struct Claimed<'a, T: 'static, C: Contract = Lossy> {
    batch: Batch<'a, Slots<T>>,
    /// Where the next message goes.
    next: Place,
    written: u64,
    contract: PhantomData<fn() -> C>,
}

impl<'a, T: Payload, C: Contract> Claimed<'a, T, C> {
    pub(crate) fn new(batch: Batch<'a, Slots<T>>) -> Self {
        Self {
            next: batch.first(),
            batch,
            written: 0,
            contract: PhantomData,
        }
    }

    /// Writes the next message.
    ///
    /// # Errors
    /// The value, when as many were written as were claimed.
    #[inline]
    pub fn write(&mut self, value: T) -> Result<(), T> {
        if self.write_from(&value) {
            Ok(())
        } else {
            Err(value)
        }
    }

    /// [`write`](Self::write) from where the value lies; `false` when as many were written as were claimed.
    #[inline]
    #[must_use = "it says whether the value was written"]
    pub fn write_from(&mut self, value: &T) -> bool {
        if self.written == self.batch.count() {
            return false;
        }
        // SAFETY: by I1.
        unsafe { Slots::fill(&self.next, value) };
        self.next.step(Slots::<T>::STRIDE);
        self.written += 1;
        true
    }

    /// Writes what the iterator gives, as far as there is room; returns how many that were. It takes no more from the
    /// iterator than it writes.
    pub fn fill(&mut self, values: impl IntoIterator<Item = T>) -> usize {
        let before = self.written;
        let mut values = values.into_iter();
        while self.written < self.batch.count() {
            let Some(value) = values.next() else { break };
            let written = self.write_from(&value);
            debug_assert!(written, "there is room: the loop looked");
        }
        (self.written - before) as usize
    }

    /// Publishes the first `count` messages that were written, or as many as there are, and returns how many; gives up the
    /// rest.
    pub fn commit(self, count: usize) -> usize {
        let published = self.written.min(count as u64);
        // SAFETY: by I2.
        unsafe { self.batch.commit(published) as usize }
    }
}

impl<T, C: Contract> Claimed<'_, T, C> {
    /// Messages claimed.
    pub fn len(&self) -> usize {
        self.batch.count() as usize
    }

    /// Whether none was claimed.
    pub fn is_empty(&self) -> bool {
        self.batch.count() == 0
    }

    /// Messages written so far.
    pub fn written(&self) -> usize {
        self.written as usize
    }

    /// Messages that can still be written.
    pub fn remaining(&self) -> usize {
        (self.batch.count() - self.written) as usize
    }

    /// The sequence of the first message.
    pub fn sequence(&self) -> u64 {
        self.batch.first().sequence.get()
    }
}

impl<T, C: Contract> fmt::Debug for Claimed<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claimed")
            .field("sequence", &self.sequence())
            .field("len", &self.len())
            .field("written", &self.written)
            .finish_non_exhaustive()
    }
}

/// Messages of an in-place ring that are claimed and not out yet: edit them, then [`commit`](Self::commit). Dropped, also by a
/// panic, it publishes nothing; the values keep what was edited.
///
/// Given up or leaked it is as a [`Claimed`].
#[must_use = "a claim that is dropped publishes nothing"]
pub struct EventClaimed<'a, T: 'static> {
    batch: Batch<'a, Cells<T>>,
}

impl<'a, T: Send + Sync + 'static> EventClaimed<'a, T> {
    pub(crate) fn new(batch: Batch<'a, Cells<T>>) -> Self {
        Self { batch }
    }

    /// The value of the `index`-th message, as it was left a lap before, or by a claim that was given up; `None` beyond the
    /// claim.
    pub fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        if index >= self.len() {
            return None;
        }
        let place = self.batch.place(index as u64);
        // SAFETY: by I1, and `self` is borrowed for as long as the reference.
        Some(unsafe { Cells::value_mut(&place) })
    }

    /// The values of all its messages, in order.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> {
        let mut place = self.batch.first();
        (0..self.len()).map(move |_| {
            let this = place;
            place.step(Cells::<T>::STRIDE);
            // SAFETY: by I1, and each place is given out once while `self` is borrowed.
            unsafe { Cells::value_mut(&this) }
        })
    }

    /// Publishes the first `count` messages, or as many as there are, and returns how many; gives up the rest.
    pub fn commit(self, count: usize) -> usize {
        // SAFETY: a value that was not edited is one that was published before, or made by the factory.
        unsafe { self.batch.commit(count as u64) as usize }
    }
}

impl<T> EventClaimed<'_, T> {
    /// Messages claimed.
    pub fn len(&self) -> usize {
        self.batch.count() as usize
    }

    /// Whether none was claimed.
    pub fn is_empty(&self) -> bool {
        self.batch.count() == 0
    }

    /// The sequence of the first message.
    pub fn sequence(&self) -> u64 {
        self.batch.first().sequence.get()
    }
}

impl<T> fmt::Debug for EventClaimed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventClaimed")
            .field("sequence", &self.sequence())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
