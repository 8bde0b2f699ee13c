//! Publishing that may be called off while it waits, or at the last moment: for rings whose end comes from outside.
//!
//! ```text
//! Call off  U1 the reason := …, Release   U2 `published` += 0, Release (shared.rs `seal`)   U3 wake `freed`, `ready`
//! Publish   U4 claim (many.rs M4)   U5 `published`, Acquire   U6 the reason? tombstone, else edit
//! I1        a message claimed before U2 is before what U2 gives; of one that is claimed after, U6 sees U1, because only
//!           read-modify-writes change `published`, so U5 reads what U2 began
//! Pairs     U2↔U5
//! ```

#![allow(unsafe_code)] // slots are written by whoever claimed them: I1, I2 of claim/many.rs

use super::{Keys, Many, Refused};
use crate::{
    cell::Cells,
    claim::Claim,
    contract::{Contract, Gating},
    slot::place::Store,
    stamp::Stamp,
};
use core::task::{Context, Poll};
use tidings_core::wait::Deadline;

impl<S: Store> Claim<S> {
    /// Waits until the next slot may be written; `false` when it is `over` first.
    #[cold]
    pub(crate) fn wait_for_room_unless(&mut self, over: impl Fn() -> bool) -> bool {
        let (shared, mut free) = self.expect_room(1);
        let look = || {
            if over() {
                Some(false)
            } else {
                free().map(|()| true)
            }
        };
        let found = shared
            .freed
            .wait_until(&shared.strategy, Deadline::NEVER, look);
        found.unwrap_or_default()
    }
}

impl<S: Store> Many<S> {
    /// Waits until a claim of one message may succeed that was refused, or it is `over`; `false` when the deadline passes first.
    #[cold]
    pub(crate) fn wait_unless<C: Contract>(
        &self,
        refused: Refused,
        deadline: Deadline,
        over: impl Fn() -> bool,
    ) -> bool {
        let shared = &self.ring.shared;
        let event = match refused {
            Refused::Full => &shared.freed,
            Refused::Busy(_) => &shared.ready,
        };
        let look = || (over() || self.may_succeed::<C>(&refused, 1)).then_some(());
        event.wait_until(&shared.strategy, deadline, look).is_some()
    }

    /// The task's form of `wait_unless`.
    pub(crate) fn poll_wait_unless<C: Contract>(
        &self,
        refused: Refused,
        keys: &mut Keys,
        cx: &mut Context<'_>,
        over: impl Fn() -> bool,
    ) -> Poll<()> {
        let shared = &self.ring.shared;
        let look = || (over() || self.may_succeed::<C>(&refused, 1)).then_some(());
        match refused {
            Refused::Full => shared.freed.poll_until(&mut keys.room, cx, look),
            Refused::Busy(_) => shared.ready.poll_until(&mut keys.busy, cx, look),
        }
    }
}

impl<T: 'static> Claim<Cells<T>> {
    /// Lets `edit` make the next message with `value`; gives that back if there is no room.
    #[inline]
    pub(crate) fn edit_with<V>(&mut self, value: V, edit: impl FnOnce(&mut T, V)) -> Result<(), V> {
        if !self.has_room() {
            return Err(value);
        }
        let edited = self.edit(|slot| edit(slot, value));
        debug_assert!(edited.is_ok(), "there was room");
        Ok(())
    }
}

impl<T: 'static> Many<Cells<T>> {
    /// Claims one message and lets `edit` make it with `value`. If `edit` gives that back, a tombstone takes the message's place.
    /// Nothing was claimed if there is a reason.
    ///
    /// `edit` must run nothing that may panic: subscribers would wait for the message for good.
    #[inline]
    pub(crate) fn edit_with<V>(
        &self,
        value: V,
        edit: impl FnOnce(&mut T, V) -> Result<(), V>,
    ) -> Result<(), (V, Option<Refused>)> {
        let place = match self.claim_one::<Gating>() {
            Ok(place) => place,
            Err(refused) => return Err((value, Some(refused))),
        };
        // SAFETY: by I1 and I2 of many.rs the slot is ours to write.
        let edited = unsafe { Cells::edit(&place, |slot| edit(slot, value)) };
        let stamp = match edited {
            Ok(()) => Stamp::published(place.sequence),
            Err(_) => Stamp::aborted(place.sequence),
        };
        // SAFETY: as above.
        unsafe { Cells::<T>::mark(&place, stamp) };
        self.ring.shared.ready.notify();
        edited.map_err(|value| (value, None))
    }
}
