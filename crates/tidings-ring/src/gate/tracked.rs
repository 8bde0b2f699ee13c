//! A lossy subscriber whose cursor others can see: a word like a gate's, in a list at which no publisher looks.

use super::{FREE, Hold, NoGate, SubscriberId, cell::GateCell, open_at};
use crate::{
    error::SubscribeError,
    shared::{Shared, Start},
};
use tidings_core::{Sequence, sync::atomic::Ordering::*};

/// The hold of a tracked subscriber: it holds nothing back.
pub struct Track(GateCell);

impl Track {
    fn at(shared: &Shared, place: Sequence) -> Self {
        let cell = shared.taps.claim();
        // ORDERING: Relaxed: observers read a number, and nothing by its strength.
        cell.word().store(open_at(place), Relaxed);
        Self(cell)
    }
}

impl Hold for Track {
    fn join(shared: &Shared, start: Start) -> Result<(Self, Sequence), SubscribeError> {
        let (NoGate, start) = NoGate::join(shared, start)?;
        Ok((Self::at(shared, start), start))
    }

    fn twin(&self, shared: &Shared, place: Sequence) -> Self {
        Self::at(shared, place)
    }

    #[inline]
    fn advance(&self, _: &Shared, _: Sequence, to: Sequence) {
        // ORDERING: Relaxed, as above.
        self.0.word().store(open_at(to), Relaxed);
    }

    fn leave(&self, _: &Shared) {
        // ORDERING: Relaxed, as above.
        self.0.word().store(FREE, Relaxed);
    }

    fn id(&self, shared: &Shared) -> Option<SubscriberId> {
        self.0.number(&shared.taps).map(SubscriberId::Tap)
    }
}
