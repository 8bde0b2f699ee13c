//! A subscriber's end of any ring: the next message, what was lost, and how to wait for more.
//!
//! ```text
//! States    `place`: the message to read next · `start`: the first one this cursor was to read
//! Await     A1 the slot is not written: look at `closed`   A2 closed: look at the slot once more; what was published
//!           before the close is seen before the close (S4 of shared.rs)   A3 a tombstone ends a wait too: whoever waits has to
//!           pass over it, or its hold would keep the slot from a publisher that waits for room
//! I1        received + lagged + aborted == place.sequence - start, at every return
//! I2        a cursor is its own only subscriber (`&mut`), and its hold stands at `place.sequence`
//! Progress  everything but `wait` is wait-free, apart from joining (`open`, `twin`) and from waking a publisher that waits
//! ```

use crate::{
    contract::Contract,
    error::{SubscribeError, TryRecvError},
    gate::Hold,
    observe::SubscriberId,
    ring::Ring,
    shared::Start,
    slot::place::{Place, Store},
    stamp::Stamp,
    trace,
    turn::Turn,
};
use core::{
    fmt,
    num::NonZeroUsize,
    task::{Context, Poll},
};
#[cfg(feature = "std")]
use tidings_core::wait::{Deadline, Strategy};
use tidings_core::{
    Sequence,
    sync::{Arc, mutant, unique_id},
    wait::TaskKey,
};

/// Attempts at a message in one call that does not wait, while the publisher overtakes each of them.
pub(crate) const ATTEMPTS: usize = 64;

/// See the module.
pub(crate) struct Cursor<S: Store, C: Contract> {
    // Before the ring, so that it is dropped before (I3 of gate/cell.rs).
    pub(crate) hold: C::Hold,
    pub(crate) place: Place,
    pub(crate) ring: Arc<Ring<S>>,
    start: Sequence,
    lagged: u64,
    aborted: u64,
    number: NonZeroUsize,
    pub(crate) turn: Turn,
}

impl<S: Store, C: Contract> Cursor<S, C> {
    pub(crate) fn open(ring: &Arc<Ring<S>>, start: Start) -> Result<Self, SubscribeError> {
        let (hold, start) = C::Hold::join(&ring.shared, start)?;
        Ok(Self::with(ring, hold, start))
    }

    /// A cursor at `start`, where `hold` stands.
    pub(crate) fn with(ring: &Arc<Ring<S>>, hold: C::Hold, start: Sequence) -> Self {
        trace::subscribed(start.get(), C::GATING);
        Self {
            number: unique_id(),
            ring: Arc::clone(ring),
            place: ring.place_of(start),
            hold,
            start,
            lagged: 0,
            aborted: 0,
            turn: Turn::default(),
        }
    }

    /// Tells this cursor from every other one.
    pub(crate) fn number(&self) -> NonZeroUsize {
        self.number
    }

    /// What observers know it by, if they see it.
    pub(crate) fn id(&self) -> Option<SubscriberId> {
        self.hold.id(&self.ring.shared).map(SubscriberId::new)
    }

    /// The stamp of the slot to read next.
    #[inline]
    pub(crate) fn stamp(&self) -> Stamp {
        self.ring.slots.stamp(&self.place)
    }

    /// One message was received.
    #[inline]
    pub(crate) fn step(&mut self) {
        let from = self.place.sequence;
        self.place.step(S::STRIDE);
        self.hold
            .advance(&self.ring.shared, from, self.place.sequence);
    }

    /// Whether the message at the cursor may be read once it is there; if not, what to say of it.
    #[inline]
    pub(crate) fn admit(&mut self) -> Result<(), TryRecvError> {
        if self.hold.admits(self.place.sequence) {
            return Ok(());
        }
        // Published or not, it is not for this subscriber yet; without a message there may be an end.
        if self.stamp().concerns(self.place.sequence) {
            return Err(TryRecvError::Empty);
        }
        Err(self.nothing())
    }

    /// The slot's stamp was `seen` instead of the one looked for: passes over what is lost, and says so; or over a
    /// tombstone, and on to a message that may be read; or says that there is nothing.
    #[inline]
    pub(crate) fn get_past(&mut self, seen: Stamp) -> Result<(), TryRecvError> {
        if !seen.concerns(self.place.sequence) {
            return Err(self.nothing());
        }
        match self.pass_what_is_none(seen) {
            0 => self.admit(),
            skipped => Err(TryRecvError::Lagged { skipped }),
        }
    }

    /// A1: the slot holds nothing for this cursor.
    #[inline]
    pub(crate) fn nothing(&self) -> TryRecvError {
        if self.ring.shared.is_closed() && !self.is_concerned() {
            TryRecvError::Closed
        } else {
            TryRecvError::Empty
        }
    }

    /// A2
    #[cold]
    fn is_concerned(&self) -> bool {
        !mutant("cursor A2") && self.stamp().concerns(self.place.sequence)
    }

    /// The slot holds, or is about to hold, a later message, or a tombstone of this one: passes over what is no message, and
    /// says how many messages are lost. (A number, so that the answer travels in a register.)
    #[cold]
    #[inline(never)]
    fn pass_what_is_none(&mut self, seen: Stamp) -> u64 {
        let next = self.place.sequence;
        if seen == Stamp::aborted(next) {
            self.aborted += 1;
            self.step();
            return 0;
        }
        let capacity = self.ring.shared.capacity as u64;
        // What took the place of a message a lap before it: that one and all before it are gone.
        let ahead = seen.ahead_of(next).unsigned_abs();
        let after_slot = next.after(ahead).next().before(capacity);
        let oldest = self.ring.shared.oldest(self.ring.shared.published());
        let resume = if oldest.is_before(after_slot) {
            after_slot
        } else {
            oldest
        };
        let resume = self.first_held(resume);
        let skipped = self.pass_over(resume);
        trace::lagged(resume.get(), skipped);
        skipped
    }

    /// The first message from `sequence` on whose slot holds nothing later, after [`ATTEMPTS`] looks at most: a claim
    /// of several slots overwrites them before `published` says so.
    fn first_held(&self, sequence: Sequence) -> Sequence {
        let mut place = self.ring.place_of(sequence);
        for _ in 0..ATTEMPTS {
            if self.ring.slots.stamp(&place).ahead_of(place.sequence) <= 0 {
                break;
            }
            place.step(S::STRIDE);
        }
        place.sequence
    }

    /// Goes on to `to` without reading; returns how many messages that loses.
    pub(crate) fn pass_over(&mut self, to: Sequence) -> u64 {
        let from = self.place.sequence;
        let skipped = to.since(from);
        self.lagged = self.lagged.saturating_add(skipped);
        self.place = self.ring.place_of(to);
        self.hold.advance(&self.ring.shared, from, to);
        skipped
    }

    /// Whether a read has an answer other than "empty", or a tombstone to pass over (A3).
    pub(crate) fn is_ready(&self) -> bool {
        let (next, seen) = (self.place.sequence, self.stamp());
        let is_over = mutant("cursor A3") && seen == Stamp::aborted(next);
        if !seen.concerns(next) || is_over {
            if !self.ring.shared.is_closed() {
                return false;
            }
            // A2: what was published before the close is seen by now.
            if !self.stamp().concerns(next) {
                return true;
            }
        }
        self.hold.allowed(next) > 0
    }

    /// Goes on to a message that is there and may be read, over tombstones; or says why there is none.
    #[inline]
    pub(crate) fn settle(&mut self) -> Result<(), TryRecvError> {
        loop {
            self.admit()?;
            let seen = self.stamp();
            if seen == Stamp::published(self.place.sequence) {
                return Ok(());
            }
            self.get_past(seen)?;
        }
    }

    /// The newest message that may be read now; none if that is before the cursor.
    pub(crate) fn newest(&self) -> Sequence {
        let next = self.place.sequence;
        let published = self.ring.shared.published();
        if published.is_before(next) {
            return next.before(1);
        }
        let mut newest = next.after(published.since(next).min(self.hold.allowed(next)));
        // What many publishers have claimed need not be there, and may be a tombstone.
        while self.ring.shared.many && next.is_before(newest) {
            let place = self.ring.place_of(newest.before(1));
            if self.ring.slots.stamp(&place) == Stamp::published(place.sequence) {
                break;
            }
            newest = newest.before(1);
        }
        newest.before(1)
    }

    /// Waits until [`is_ready`](Self::is_ready); `false` when the deadline passes first.
    #[cfg(feature = "std")]
    pub(crate) fn wait(&self, strategy: &(impl Strategy + ?Sized), deadline: Deadline) -> bool {
        let ready = || self.is_ready().then_some(());
        let word = self.ring.slots.stamp_word(&self.place);
        self.ring
            .shared
            .ready
            .wait_until_watching(strategy, deadline, word, ready)
            .is_some()
    }

    /// [`poll_ready`](Self::poll_ready) for a future, which is pending too when its task's turn is over.
    pub(crate) fn poll_in_turn(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        if self.turn.is_over(cx) {
            return Poll::Pending;
        }
        self.poll_ready(key, cx)
    }

    /// The task's form of `wait`.
    pub(crate) fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        let look = || self.is_ready().then_some(());
        let ready = self.ring.shared.ready.poll_until(key, cx, look);
        if ready.is_pending() {
            self.turn.start_over();
        }
        ready
    }

    /// Takes the waker back.
    pub(crate) fn cancel(&self, key: &mut TaskKey) {
        self.ring.shared.ready.cancel(key);
    }

    /// Another cursor at the same place, with counts of its own.
    pub(crate) fn twin(&self) -> Self {
        let start = self.place.sequence;
        let hold = self.hold.twin(&self.ring.shared, start);
        Self::with(&self.ring, hold, start)
    }

    /// Messages published and not read, at most the capacity.
    pub(crate) fn pending(&self) -> u64 {
        let (next, published) = (self.place.sequence, self.ring.shared.published());
        // What many publishers have claimed need not be there yet.
        if self.ring.shared.many && !self.stamp().concerns(next) {
            return 0;
        }
        // A stamp may be read before `published` is: then this cursor is the one ahead.
        if published.is_before(next) {
            0
        } else {
            published.since(next).min(self.ring.shared.capacity as u64)
        }
    }

    pub(crate) fn received(&self) -> u64 {
        self.place.sequence.since(self.start) - self.lagged - self.aborted
    }

    pub(crate) fn aborted(&self) -> u64 {
        self.aborted
    }

    pub(crate) fn lagged(&self) -> u64 {
        self.lagged
    }

    pub(crate) fn fmt(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("cursor", &self.place.sequence.get())
            .field("received", &self.received())
            .field("lagged", &self.lagged)
            .field("aborted", &self.aborted)
            .field("ring", &self.ring)
            .finish_non_exhaustive()
    }
}

impl<S: Store, C: Contract> Drop for Cursor<S, C> {
    fn drop(&mut self) {
        self.hold.leave(&self.ring.shared);
        trace::unsubscribed(self.place.sequence.get(), self.received(), self.lagged);
    }
}
