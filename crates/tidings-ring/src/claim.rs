//! The publishers' end of any ring: the next slot, and whether it may be written.
//!
//! ```text
//! States    `place`: the next message and its slot · `limit`: how far the gates let us go, as of the last look ·
//!           `spoilt`: how far slots may have been written for claims that were given up
//! Look      P1 to P5 of gate.rs
//! I1        the sequence never passes `limit` on a ring that gates; there is one claim a ring
//! I2        a ring that does not gate has no gates
//! I3        every look reaches to `spoilt` at least, so nobody joins at a message whose slot a claim has spoilt (J3 of gate.rs)
//! Progress  claim: a comparison, and a look once in an eighth of the capacity; waiting blocks
//! ```
//!
//! That is the end of a single publisher; many.rs has that of many, and batch.rs what both hand out.

#![allow(unsafe_code)] // writing a slot is allowed by the claim, which is checked here

pub(crate) mod ask;
pub(crate) mod batch;
pub(crate) mod claimed;
pub(crate) mod many;

use crate::{
    cell::Cells,
    contract::Contract,
    gate,
    ring::Ring,
    shared::Shared,
    slot::{
        Payload, Slots,
        place::{Place, Store},
    },
    stamp::Stamp,
};
use core::task::{Context, Poll};
#[cfg(feature = "std")]
use tidings_core::wait::Deadline;
use tidings_core::{Sequence, sync::Arc, wait::TaskKey};

/// See the module.
pub(crate) struct Claim<S: Store> {
    pub(crate) ring: Arc<Ring<S>>,
    pub(crate) place: Place,
    limit: Sequence,
    spoilt: Sequence,
    twins: u64,
}

impl<S: Store> Claim<S> {
    pub(crate) fn new(ring: Arc<Ring<S>>) -> Self {
        let first = ring.shared.first;
        Self {
            place: ring.place_of(first),
            limit: first,
            spoilt: first,
            twins: 0,
            ring,
        }
    }

    /// Whether the slot at `place` may be written.
    #[inline]
    pub(crate) fn has_room(&mut self) -> bool {
        self.place.sequence != self.limit || self.look(1)
    }

    /// Whether `count` slots from `place` on may be written; no more than the ring has room for.
    pub(crate) fn has_room_for(&mut self, count: u64) -> bool {
        let wanted = self.place.sequence.after(count);
        if self.limit.is_before(wanted) {
            self.look(count);
        }
        !self.limit.is_before(wanted)
    }

    /// The next `count` slots are about to be written, for what may never be published.
    fn spoil(&mut self, count: u64) {
        let end = self.place.sequence.after(count);
        if self.spoilt.is_before(end) {
            self.spoilt = end;
        }
    }

    /// How many messages a look has to reach that is for `wanted` of them: I3.
    fn reach(&self, wanted: u64) -> u64 {
        let next = self.place.sequence;
        if next.is_before(self.spoilt) {
            wanted.max(self.spoilt.since(next))
        } else {
            wanted
        }
    }

    /// Makes every slot visible that was written.
    #[inline]
    pub(crate) fn commit(&self) {
        self.ring.shared.publish_up_to(self.place.sequence);
    }

    #[cold]
    fn look(&mut self, wanted: u64) -> bool {
        // A look must not be ahead of `published` (gate.rs I2), as a batch is that is half written.
        if self.ring.shared.published() != self.place.sequence {
            self.commit();
        }
        let (next, reach) = (self.place.sequence, self.reach(wanted));
        self.limit = gate::look(&self.ring.shared, next, reach, &mut self.twins);
        self.limit != next
    }

    /// Waits until `count` slots from `place` on may be written; `false` when the deadline passes first.
    #[cfg(feature = "std")]
    #[cold]
    pub(crate) fn wait_for_room(&mut self, count: u64, deadline: Deadline) -> bool {
        crate::trace::full(self.place.sequence.get());
        let (shared, free) = self.expect_room(count);
        shared
            .freed
            .wait_until(&shared.strategy, deadline, free)
            .is_some()
    }

    /// The task's form of `wait_for_room`.
    pub(crate) fn poll_for_room(
        &mut self,
        count: u64,
        key: &mut TaskKey,
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        let (shared, free) = self.expect_room(count);
        shared.freed.poll_until(key, cx, free)
    }

    /// F1 of shared.rs; gives what to wait on, and a look for room.
    fn expect_room(&mut self, count: u64) -> (&Shared, impl FnMut() -> Option<()>) {
        let reach = self.reach(count);
        let Self {
            ring,
            place,
            limit,
            twins,
            ..
        } = self;
        let (shared, next) = (&ring.shared, place.sequence);
        let wanted = next.after(count);
        shared.wake_when_slowest_at(wanted.before(shared.room));
        let free = move || {
            *limit = gate::look(shared, next, reach, twins);
            (!limit.is_before(wanted)).then_some(())
        };
        (shared, free)
    }
}

impl<T: Payload> Claim<Slots<T>> {
    /// Writes the next slot, without committing it, if there is room.
    #[inline]
    pub(crate) fn write<C: Contract>(&mut self, value: &T) -> bool {
        if C::GATING && !self.has_room() {
            return false;
        }
        // SAFETY: this is the ring's one claim, and there is room (I1), or there are no gates (I2).
        unsafe { Slots::write(&self.place, value) };
        self.place.step(Slots::<T>::STRIDE);
        true
    }

    /// Writes as many of `values` as there is room for now, without committing them; says how many.
    #[inline]
    pub(crate) fn write_batch<C: Contract>(&mut self, values: &[T]) -> usize {
        let mut room = values.len().min(self.ring.shared.capacity);
        if room == 0 {
            return 0;
        }
        if C::GATING {
            if !self.has_room() {
                return 0;
            }
            room = room.min(self.limit.since(self.place.sequence) as usize);
        }
        // A copy, so that it may live in registers.
        let mut place = self.place;
        for value in &values[..room] {
            // SAFETY: as in `write`: there is room for so many, or there are no gates.
            unsafe { Slots::write(&place, value) };
            place.step(Slots::<T>::STRIDE);
        }
        self.place = place;
        room
    }
}

impl<T: 'static> Claim<Cells<T>> {
    /// Edits the next slot and commits it, if there is room; else gives `edit` back.
    #[inline]
    pub(crate) fn edit<F: FnOnce(&mut T)>(&mut self, edit: F) -> Result<(), F> {
        if !self.has_room() {
            return Err(edit);
        }
        // SAFETY: this is the ring's one claim, and there is room (I1).
        unsafe { Cells::edit(&self.place, edit) };
        let published = Stamp::published(self.place.sequence);
        // SAFETY: as above.
        unsafe { Cells::<T>::mark(&self.place, published) };
        self.place.step(Cells::<T>::STRIDE);
        self.commit();
        Ok(())
    }
}

impl<S: Store> Drop for Claim<S> {
    fn drop(&mut self) {
        self.ring.shared.close();
    }
}
