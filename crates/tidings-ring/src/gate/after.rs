//! An order among subscribers: a message is for this one once others have done with it.
//!
//! An order is a gate of its own and a look at the gates of others. A gate moves when its subscriber has done with a
//! message (gate.rs R2): when a lent message was given back, when the closure that read it has returned.
//!
//! ```text
//! Order     A1 share the cell of each upstream gate (gate/cell.rs O2)
//! Read      A2 each upstream word open after message n, or free? Acquire   A3 read the slot of n
//! I1        a shared cell changes no owner, so a word that was open and is free belongs to one who left
//! I2        a gate that looks at others is never ahead of them, unless they left or joined later: so the slowest gate of a
//!           ring is one at which nobody looks, and only those hold the publisher back
//! Pairs     R2, L1↔A2: what an upstream subscriber did with a message happens before its downstream reads it
//! Progress  wait-free: a load for each upstream, once the last look is used up
//! Source    sequence barriers of M. Thompson et al., Disruptor, LMAX 2011
//! ```

use super::{FREE, Gate, Hold, SubscriberId, cell::GateCell, open_at};
use crate::{
    error::SubscribeError,
    shared::{Shared, Start},
};
use alloc::vec::Vec;
use tidings_core::{
    Sequence,
    sync::{Arc, atomic::Ordering::*, ordering},
};

/// As many messages as one look lets through where nobody is upstream any more.
const ALL: u64 = 1 << 32;

/// The hold of a subscriber that comes after others.
pub struct After {
    gate: Gate,
    upstreams: Arc<Vec<GateCell>>,
    /// Messages before this one were let through by a look.
    admitted: Sequence,
}

impl After {
    /// A1: puts `gate`, which stands at `place`, behind the gates of others.
    pub(crate) fn new(gate: Gate, upstreams: Arc<Vec<GateCell>>, place: Sequence) -> Self {
        gate.cell.set_upstreams(upstreams.len());
        Self {
            gate,
            upstreams,
            admitted: place,
        }
    }

    pub(crate) fn gate(&self) -> &Gate {
        &self.gate
    }
}

impl Hold for After {
    /// After nobody.
    fn join(shared: &Shared, start: Start) -> Result<(Self, Sequence), SubscribeError> {
        let (gate, place) = Gate::join(shared, start)?;
        Ok((Self::new(gate, Arc::new(Vec::new()), place), place))
    }

    fn twin(&self, shared: &Shared, place: Sequence) -> Self {
        let gate = self.gate.twin(shared, place);
        Self::new(gate, Arc::clone(&self.upstreams), place)
    }

    #[inline]
    fn advance(&self, shared: &Shared, from: Sequence, to: Sequence) {
        self.gate.advance(shared, from, to);
    }

    fn leave(&self, shared: &Shared) {
        self.gate.leave(shared);
    }

    fn id(&self, shared: &Shared) -> Option<SubscriberId> {
        self.gate.id(shared)
    }

    /// A2: how many messages from `sequence` on every upstream has done with.
    fn allowed(&self, sequence: Sequence) -> u64 {
        let done = self.upstreams.iter().map(|cell| {
            // ORDERING: A2, Acquire pairs with R2 and L1.
            let word = cell.word().load(ordering("after A2", Acquire));
            if word == FREE {
                ALL
            } else {
                (word.wrapping_sub(open_at(sequence)) as i64 >> 1)
                    .max(0)
                    .unsigned_abs()
            }
        });
        done.min().unwrap_or(ALL)
    }

    #[inline]
    fn admits(&mut self, sequence: Sequence) -> bool {
        if sequence.is_before(self.admitted) {
            return true;
        }
        self.admitted = sequence.after(self.allowed(sequence));
        sequence.is_before(self.admitted)
    }
}
