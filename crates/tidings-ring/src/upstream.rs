//! A subscriber as others see it who want to come after it.

use crate::{
    contract::GatingContract,
    cursor::Cursor,
    error::SubscribeError,
    gate::{Gate, Hold, after::After, cell::GateCell},
    ring::{Ring, kept::KeptRing},
    shared::Start,
    slot::place::Store,
};
use alloc::vec::Vec;
use core::{fmt, ptr};
use tidings_core::sync::Arc;

/// What a subscriber can be put after: the progress of another one, see
/// [`subscribe_after`](crate::Subscribable::subscribe_after).
///
/// It keeps the ring's memory, and holds no message back. It outlives its subscriber: one that is gone is waited for no more.
pub struct Upstream {
    // Before the ring, so that it is dropped before (I3 of gate/cell.rs).
    cell: GateCell,
    ring: KeptRing,
}

impl Upstream {
    pub(crate) fn of<S: Store + Send + Sync, C: GatingContract>(cursor: &Cursor<S, C>) -> Self {
        Self {
            cell: C::gate(&cursor.hold).share(),
            ring: KeptRing::new(&cursor.ring),
        }
    }
}

/// A cursor of `ring` that starts with the next message and comes after `upstreams`.
pub(crate) fn open_after<S: Store>(
    ring: &Arc<Ring<S>>,
    upstreams: &[Upstream],
) -> Result<Cursor<S, crate::contract::After>, SubscribeError> {
    let cells: Option<Vec<_>> = upstreams
        .iter()
        .map(|upstream| {
            ptr::eq(upstream.ring.shared(), &ring.shared).then(|| upstream.cell.share())
        })
        .collect();
    let cells = cells.ok_or(SubscribeError::OtherRing)?;
    let (gate, start) = Gate::join(&ring.shared, Start::Next)?;
    Ok(Cursor::with(
        ring,
        After::new(gate, Arc::new(cells), start),
        start,
    ))
}

impl Clone for Upstream {
    fn clone(&self) -> Self {
        Self {
            cell: self.cell.share(),
            ring: self.ring.clone(),
        }
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upstream").finish_non_exhaustive()
    }
}
