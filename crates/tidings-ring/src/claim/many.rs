//! One of many publishers of a ring: how messages are claimed, so that no two write the same slot.
//!
//! ```text
//! States    `published` (shared.rs): the next message that nobody has claimed · `limit`: how far all of us may claim
//! Claim     M1 next := published, then limit, Acquire   M2 next + count <= limit? else M3   M4 published: next → next + count
//!           M5 write the slots   M6 stamp each published or aborted, Release (slot.rs P4, cell.rs P2)   M7 wake `ready`
//! Look      M3 how far do the gates allow (gate.rs; all the way where nobody gates), and how far from `next` on is each slot's
//!           stamp settled for the message a lap before, Acquire? raise `limit` to the lesser, Release
//! Busy      W1 wait on `ready`, looking at the stamp that is not settled: M6 of its publisher is followed by M7
//! Full      W2 wait on `freed`, looking for room; any gate that moves wakes it (shared.rs F3)
//! Close     M8 publishers - 1, AcqRel; the last   M9 stamps aborted what was claimed and leaked, and closes the ring
//! I1        a message is claimed once (M4), in order; so a publisher's messages keep its order, and the claims are the
//!           order of all
//! I2        a slot that M3 found settled stays so until its next message is claimed, and what the gates allow stays allowed
//!           (gate.rs): so a limit holds for everybody, and nobody claims a slot before its last message is settled. A
//!           refusal leaves no hole, and nobody waits with a claim in hand
//! I3        messages before `published` - capacity are all settled: the look that allowed the message a lap later saw it
//! I4        a claim that its owner does not finish is settled by the batch's drop, as a tombstone
//! Pairs     M6↔M3, M3↔M2 order the last writer of a slot, and who gave it back, before M5
//! Progress  claim lock-free: M4 fails only when another's succeeds. A publisher that stops between M4 and M6 (it runs no
//!           user code there, but in place) holds subscribers back at its message, and the other publishers once they have
//!           gone round to its slot; nobody else's message is lost by that
//! Source    per-slot stamps before the claim: D. Vyukov, Bounded MPMC queue, 2010; here looked at an eighth of a lap ahead, so
//!           that a publisher's first access to a slot's line is a write
//! ```

#![allow(unsafe_code)] // slots are written by whoever claimed them: I1, I2

#[cfg(feature = "std")]
mod unless;

use super::batch::Batch;
use crate::{
    cell::Cells,
    contract::{Contract, Gating},
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
use tidings_core::{
    Sequence,
    sync::{Arc, atomic::Ordering::*, mutant, ordering},
    wait::TaskKey,
};

/// See the module.
pub(crate) struct Many<S: Store> {
    pub(crate) ring: Arc<Ring<S>>,
}

/// Why nothing was claimed.
#[derive(Clone, Copy)]
pub(crate) enum Refused {
    /// A gate stands in the way.
    Full,
    /// Another publisher has not finished the slot of this message, a lap before.
    Busy(Place),
}

/// Slots that a look takes together.
const TOGETHER: u64 = 8;

/// What a look found, from the next message on.
struct Free {
    /// Messages that the gates allow.
    allowed: u64,
    /// Of these, how many come before the first whose slot is not settled.
    settled: u64,
}

impl Free {
    const fn all(count: u64) -> Self {
        Self {
            allowed: count,
            settled: count,
        }
    }
}

/// What a task is known by while it waits to publish: for room, or for another publisher.
#[derive(Default)]
pub struct Keys {
    room: TaskKey,
    busy: TaskKey,
}

impl<S: Store> Many<S> {
    /// The first handle of a ring.
    pub(crate) fn new(ring: Arc<Ring<S>>) -> Self {
        Self { ring }
    }

    /// Handles of this kind, as of now.
    #[cfg(feature = "std")]
    pub(crate) fn handles(&self) -> usize {
        // ORDERING: Relaxed: a number to look at.
        self.ring.shared.publishers.load(Relaxed)
    }

    /// At least `least` and at most `most` messages, which are more than none.
    pub(crate) fn claim<C: Contract>(
        &self,
        least: u64,
        most: u64,
    ) -> Result<Batch<'_, S>, Refused> {
        let (place, count) = self.claim_places::<C>(least, most)?;
        Ok(Batch::of_many(&self.ring, place, count))
    }

    /// One message.
    #[inline]
    pub(crate) fn claim_single<C: Contract>(&self) -> Result<Batch<'_, S>, Refused> {
        let place = self.claim_one::<C>()?;
        Ok(Batch::of_many(&self.ring, place, 1))
    }

    /// M1 to M4 for one message, if the last look allows it and nobody else claims.
    #[inline]
    fn claim_one<C: Contract>(&self) -> Result<Place, Refused> {
        let shared = &self.ring.shared;
        let next = shared.published();
        // Before the exchange, which everything after it has to wait for.
        let place = self.ring.place_of(next);
        if next.is_before(shared.limit()) && shared.claim(next, 1).is_ok() {
            return Ok(place);
        }
        self.claim_place::<C>()
    }

    #[cold]
    #[inline(never)]
    fn claim_place<C: Contract>(&self) -> Result<Place, Refused> {
        self.claim_places::<C>(1, 1).map(|(place, _)| place)
    }

    /// M1 to M4: the first of at least `least` and at most `most` messages, and how many.
    fn claim_places<C: Contract>(&self, least: u64, most: u64) -> Result<(Place, u64), Refused> {
        let shared = &self.ring.shared;
        let mut next = shared.published();
        loop {
            let limit = shared.limit();
            let free = if limit.is_before(next.after(most)) {
                self.look::<C>(next, most)
            } else {
                Free::all(most)
            };
            if let Some(refused) = self.refusal(&free, next, least) {
                match shared.is_next(next) {
                    Ok(()) => return Err(refused),
                    Err(now) => next = now,
                }
                continue;
            }
            let count = free.settled.min(most);
            match shared.claim(next, count) {
                Ok(()) => return Ok((self.ring.place_of(next), count)),
                Err(now) => next = now,
            }
        }
    }

    /// What a claim of `least` messages would be refused for now, if it were.
    #[cfg(feature = "stream")]
    pub(crate) fn refused<C: Contract>(&self, least: u64) -> Option<Refused> {
        let shared = &self.ring.shared;
        let next = shared.published();
        if !shared.limit().is_before(next.after(least)) {
            return None;
        }
        self.refusal(&self.look::<C>(next, least), next, least)
    }

    fn refusal(&self, free: &Free, next: Sequence, least: u64) -> Option<Refused> {
        if free.allowed < least {
            Some(Refused::Full)
        } else if free.settled < least {
            Some(Refused::Busy(self.ring.place_of(next.after(free.settled))))
        } else {
            None
        }
    }

    /// M3: looks from `next` on, and raises the limit.
    #[cold]
    fn look<C: Contract>(&self, next: Sequence, wanted: u64) -> Free {
        let shared = &self.ring.shared;
        let reach = if C::GATING {
            // ORDERING: Acquire: twins that joined before this are among the gates that the look reads.
            let mut twins = shared.twins.load(Acquire);
            gate::look(shared, next, wanted, &mut twins)
        } else {
            let capacity = shared.capacity as u64;
            next.after((capacity / 8).max(wanted).clamp(1, capacity))
        };
        let allowed = reach.since(next);
        let settled = self.settled(self.ring.place_of(next), allowed);
        shared.set_limit(next.after(settled));
        Free { allowed, settled }
    }

    /// How many slots from `place` on, at most `most`, hold the settled message of a lap before.
    fn settled(&self, place: Place, most: u64) -> u64 {
        // A local and a number, so that they live in registers: loads of stamps are between any two uses.
        let (mut place, lap) = (place, self.ring.shared.capacity as u64);
        let mut count = 0;
        while count < most {
            let together =
                most - count >= TOGETHER && place.steps_to_end(S::STRIDE) > TOGETHER as usize;
            if together && self.are_settled(place, lap) {
                count += TOGETHER;
                (0..TOGETHER).for_each(|_| place.step_within(S::STRIDE));
            } else if self.is_settled(&place) {
                count += 1;
                place.step(S::STRIDE);
            } else {
                break;
            }
        }
        count
    }

    /// The same of several slots that follow each other in memory, with one branch for all.
    #[inline]
    fn are_settled(&self, mut place: Place, lap: u64) -> bool {
        let mut amiss = 0;
        for _ in 0..TOGETHER {
            let stamp = self.ring.slots.stamp(&place);
            amiss |= stamp.amiss(place.sequence.before(lap));
            place.step_within(S::STRIDE);
        }
        amiss == 0
    }

    #[inline]
    fn is_settled(&self, place: &Place) -> bool {
        let before = place.sequence.before(self.ring.shared.capacity as u64);
        mutant("many M3") || self.ring.slots.stamp(place).is_settled(before)
    }

    /// W1 and W2: whether it is worth to try again.
    fn may_succeed<C: Contract>(&self, refused: &Refused, least: u64) -> bool {
        let shared = &self.ring.shared;
        match refused {
            Refused::Full => self.look::<C>(shared.published(), least).allowed >= least,
            Refused::Busy(place) => {
                self.is_settled(place) || self.ring.slots.stamp(place).ahead_of(place.sequence) >= 0
            }
        }
    }

    /// Waits until a claim of `least` messages may succeed that was refused; `false` when the deadline passes first.
    #[cfg(feature = "std")]
    #[cold]
    pub(crate) fn wait<C: Contract>(
        &self,
        refused: Refused,
        least: u64,
        deadline: Deadline,
    ) -> bool {
        let shared = &self.ring.shared;
        crate::trace::full(shared.published().get());
        let event = match refused {
            Refused::Full => &shared.freed,
            Refused::Busy(_) => &shared.ready,
        };
        let look = || self.may_succeed::<C>(&refused, least).then_some(());
        event.wait_until(&shared.strategy, deadline, look).is_some()
    }

    /// The task's form of `wait`.
    pub(crate) fn poll_wait<C: Contract>(
        &self,
        refused: Refused,
        least: u64,
        keys: &mut Keys,
        cx: &mut Context<'_>,
    ) -> Poll<()> {
        let look = || self.may_succeed::<C>(&refused, least).then_some(());
        match refused {
            Refused::Full => self.ring.shared.freed.poll_until(&mut keys.room, cx, look),
            Refused::Busy(_) => self.ring.shared.ready.poll_until(&mut keys.busy, cx, look),
        }
    }

    /// Takes the wakers back.
    pub(crate) fn cancel(&self, keys: &mut Keys) {
        self.ring.shared.freed.cancel(&mut keys.room);
        self.ring.shared.ready.cancel(&mut keys.busy);
    }
}

impl<T: Payload> Many<Slots<T>> {
    /// Claims, writes and commits one message.
    #[inline]
    pub(crate) fn put<C: Contract>(&self, value: &T) -> Result<(), Refused> {
        let place = self.claim_one::<C>()?;
        // SAFETY: by I1 and I2 the slot is ours to write.
        unsafe { Slots::write(&place, value) };
        self.ring.shared.ready.notify();
        Ok(())
    }

    /// The same with as many of `values` as there is room for, at least 1; says how many.
    #[inline]
    pub(crate) fn put_batch<C: Contract>(&self, values: &[T]) -> Result<usize, Refused> {
        let most = (values.len() as u64).min(self.ring.shared.capacity as u64);
        let batch = self.claim::<C>(1, most)?;
        let mut place = batch.first();
        for value in &values[..batch.count() as usize] {
            // SAFETY: by I1 and I2 the slot is this batch's to write.
            unsafe { Slots::fill(&place, value) };
            place.step(Slots::<T>::STRIDE);
        }
        // SAFETY: they were written above.
        Ok(unsafe { batch.commit(most) } as usize)
    }
}

impl<T: 'static> Many<Cells<T>> {
    /// Claims one message, edits it and commits it; else gives `edit` back. A panic leaves a tombstone.
    #[inline]
    pub(crate) fn edit<F: FnOnce(&mut T)>(&self, edit: F) -> Result<(), (Refused, F)> {
        let batch = match self.claim_single::<Gating>() {
            Ok(batch) => batch,
            Err(refused) => return Err((refused, edit)),
        };
        // SAFETY: by I1 and I2 the slot is this batch's to write.
        unsafe { Cells::edit(&batch.first(), edit) };
        // SAFETY: it was edited.
        unsafe { batch.commit(1) };
        Ok(())
    }
}

impl<S: Store> Clone for Many<S> {
    fn clone(&self) -> Self {
        // ORDERING: Relaxed: `self` is counted, so the count is not at its end.
        self.ring.shared.publishers.fetch_add(1, Relaxed);
        Self {
            ring: Arc::clone(&self.ring),
        }
    }
}

impl<S: Store> Drop for Many<S> {
    fn drop(&mut self) {
        let shared: &Shared = &self.ring.shared;
        // ORDERING: M8, Release, and Acquire for the last: what every publisher published comes before the close.
        if shared.publishers.fetch_sub(1, ordering("many M8", AcqRel)) == 1 {
            self.settle_leaked();
            shared.close();
        }
    }
}

impl<S: Store> Many<S> {
    /// M9: stamps aborted what was claimed and leaked, so that subscribers come to the end. A claim borrows a publisher, and
    /// there is none any more.
    #[cold]
    fn settle_leaked(&self) {
        let shared = &self.ring.shared;
        let end = shared.published();
        let claimed = end.since(shared.first).min(shared.capacity as u64);
        let mut place = self.ring.place_of(end.before(claimed));
        for _ in 0..claimed {
            let settled = self.ring.slots.stamp(&place).is_settled(place.sequence);
            if !settled && !mutant("many M9") {
                // SAFETY: the message was claimed, and its claim is gone (I1, and above).
                unsafe { S::mark(&place, Stamp::aborted(place.sequence)) };
            }
            place.step(S::STRIDE);
        }
    }
}
