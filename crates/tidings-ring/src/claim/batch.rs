//! Messages that are claimed and not out yet: written one by one, then committed or given up together.
//!
//! ```text
//! States    `first`: the first message claimed · `count`: how many, 0 once it is over
//! Commit    B1 stamp the first `k` published, in order   B2 of many publishers: stamp the rest aborted
//!           B3 a single publisher: go on behind the `k`-th (claim.rs); the rest was never claimed
//! I1        the slots from `first` on, `count` of them, are this batch's to write: the claim allowed so many
//! I2        a batch that is dropped commits nothing, also while unwinding
//! I3        a batch that is leaked: of a single publisher nothing happened, the slots are written again; of many, the
//!           messages stay unwritten, and subscribers wait there until the last publisher goes (many.rs M9)
//! I4        what a single publisher's batch may write is spoilt as history from the start (claim.rs I3), since nothing is
//!           certain to run at its end
//! ```

#![allow(unsafe_code)] // slots are stamped by whoever claimed them: I1

use super::Claim;
use crate::{
    ring::Ring,
    slot::place::{Place, Store},
    stamp::Stamp,
};

/// See the module.
pub(crate) struct Batch<'a, S: Store> {
    owner: Owner<'a, S>,
    first: Place,
    count: u64,
}

enum Owner<'a, S: Store> {
    One(&'a mut Claim<S>),
    Many(&'a Ring<S>),
}

impl<'a, S: Store> Batch<'a, S> {
    /// The next messages of a single publisher, which has room for them.
    pub(super) fn of_one(claim: &'a mut Claim<S>, count: u64) -> Self {
        claim.spoil(count);
        let first = claim.place;
        let owner = Owner::One(claim);
        Self {
            owner,
            first,
            count,
        }
    }

    /// Messages that one of many publishers has claimed.
    pub(super) fn of_many(ring: &'a Ring<S>, first: Place, count: u64) -> Self {
        let owner = Owner::Many(ring);
        Self {
            owner,
            first,
            count,
        }
    }

    /// No message.
    pub(super) fn of_none(ring: &'a Ring<S>) -> Self {
        let first = ring.place_of(ring.shared.published());
        Self::of_many(ring, first, 0)
    }

    /// The place of the first message, which is this batch's if it has any.
    #[inline]
    pub(crate) fn first(&self) -> Place {
        self.first
    }

    /// The place of the message `index` further on, which is this batch's if it has claimed so many.
    pub(crate) fn place(&self, index: u64) -> Place {
        let ring: &Ring<S> = match &self.owner {
            Owner::One(claim) => &claim.ring,
            Owner::Many(ring) => ring,
        };
        ring.place_of(self.first.sequence.after(index))
    }

    /// How many messages it has claimed.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// B1 to B3: the first `wanted` messages go out, or as many as there are; the rest is given up.
    ///
    /// # Safety
    /// Those messages were written (`Slots::fill`, `Cells::edit`), or the slots hold what is as good.
    pub(crate) unsafe fn commit(mut self, wanted: u64) -> u64 {
        let published = wanted.min(self.count);
        self.settle(published);
        published
    }

    fn settle(&mut self, published: u64) {
        let claimed = core::mem::take(&mut self.count);
        if claimed == 0 {
            return;
        }
        let mut place = self.first;
        for _ in 0..published {
            // SAFETY: by I1, and the handle that lent itself keeps the ring alive.
            unsafe { S::mark(&place, Stamp::published(place.sequence)) };
            place.step(S::STRIDE);
        }
        match &mut self.owner {
            Owner::One(claim) => {
                if published > 0 {
                    claim.place = place;
                    claim.commit();
                }
            }
            Owner::Many(ring) => {
                for _ in published..claimed {
                    // SAFETY: as above.
                    unsafe { S::mark(&place, Stamp::aborted(place.sequence)) };
                    place.step(S::STRIDE);
                }
                ring.shared.ready.notify();
            }
        }
    }
}

impl<S: Store> Drop for Batch<'_, S> {
    fn drop(&mut self) {
        self.settle(0);
    }
}
