//! How a gating subscriber holds the publisher back, without a lock.
//!
//! Each gating subscriber owns a gate: one word with the sequence it will read next. The publisher
//! never passes the slowest gate by more than the room of the ring. It does not look at the gates
//! for every message: a look gives it a `limit`, and only when it reaches that does it look again.
//!
//! ```text
//! States    0 free · (sequence << 1) | 1 open at that sequence (63 bits, as in a stamp)
//! Publisher P1 reach := how far this look could let me go, Relaxed   P2 fence SeqCst
//!           P3 read every gate, Acquire   P4 read `twins`, Acquire; changed? P3 again   P5 limit := min(slowest + room, reach)
//! Join      J1 a cell of one's own (gate/cell.rs O1), its word := open at a guess, Release   J2 fence SeqCst
//!           J3 read `published` and `reach`   J4 word := open at the start that these allow, Release, as R2
//! Twin      T1 a cell of one's own, its word := open where the model's gate stands, Release   T2 twins += 1, Release
//! Read      R1 read the slot   R2 word := open one further, Release   R3 wake `ready` if an order (after.rs) looks at it
//! Leave     L1 word := free, Release; R3
//! I1        a message at or after an open gate is not overwritten (once J4 or T2 is done)
//! I2        `published` never decreases, is at least what it was at every look, and limit <= reach <= published + capacity
//! Why I1    At J2/P2: either a look comes before J2 in the order of fences, then J3 sees that look's
//!           `reach` and `published`, and the start it allows is one that this look cannot reach past;
//!           or it comes after, then P3 sees J1 or J4 and is bound by them. The guess of J1 is never
//!           above the start of J4, so seeing the guess only binds more.
//!           A twin needs no fence: while its model stands still, every look is bound by the model's
//!           gate; a look that sees the model moved or gone (R2, L1) sees T2 in P4, and T1 in its next P3.
//!           With many publishers each looks for itself: `reach` is the furthest of their looks, `published` counts
//!           claims (claim/many.rs), and a limit once found holds for all, since no start that J3 allows is below it.
//! Pairs     T2↔P4 shows T1 to the next P3, also to a look that met T2 before it met the model's move
//!           R2, L1↔P3 order the subscriber's last read of a slot before its overwriting; O3↔O1 (gate/cell.rs) and
//!           J1, T1↔P3 hand that order on when a gate changes hands; P2↔J2 as above
//! Progress  look lock-free (again for each twin that joined meanwhile); join lock-free but for an allocation; read and
//!           leave wait-free, unless they wake a publisher that waits
//! Source    the asymmetry "look rarely, announce how far" is the gating sequence of M. Thompson et al.,
//!           Disruptor, LMAX 2011, with dynamic membership by the store-then-load handshake of
//!           E. W. Dijkstra, 1965
//! ```

pub(crate) mod after;
pub(crate) mod cell;
pub(crate) mod tracked;

use crate::{
    error::SubscribeError,
    shared::{Shared, Start},
};
use cell::GateCell;
use tidings_core::{
    Sequence,
    sync::{
        atomic::{AtomicBool, Ordering::*},
        fence, mutant, ordering,
    },
};

/// What observers know a subscriber by: its cell's number among the gates, or among the words of tracked ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SubscriberId {
    /// Among the gates.
    Gate(usize),
    /// Among the words of tracked ones.
    Tap(usize),
}

/// The sequence at which a word is open, if it is.
pub(crate) fn place_of(word: u64, near: Sequence) -> Option<Sequence> {
    // The word has 63 bits of it; the rest is that of a sequence in its neighbourhood.
    (word != FREE).then(|| {
        let lag = open_at(near).wrapping_sub(word) as i64 >> 1;
        near.before(lag as u64)
    })
}

const FREE: u64 = 0;

const fn open_at(sequence: Sequence) -> u64 {
    sequence.get() << 1 | 1
}

/// What a subscriber holds the publisher back with.
pub trait Hold: Sized + Send + Sync + Unpin {
    /// Joins the ring; gives the sequence to start from.
    fn join(shared: &Shared, start: Start) -> Result<(Self, Sequence), SubscribeError>;
    /// Joins at `place`, where this hold stands too.
    fn twin(&self, shared: &Shared, place: Sequence) -> Self;
    /// The subscriber has done with every message from `from` up to, not including, `to`.
    fn advance(&self, shared: &Shared, from: Sequence, to: Sequence);
    /// The subscriber has done with the ring.
    fn leave(&self, shared: &Shared);

    /// What observers know the subscriber by, if they see it.
    fn id(&self, shared: &Shared) -> Option<SubscriberId>;

    /// How many messages from `sequence` on the subscriber may read, once they are published.
    #[inline]
    fn allowed(&self, sequence: Sequence) -> u64 {
        let _ = sequence;
        u64::MAX
    }

    /// Whether the subscriber may read message `sequence`, by what was seen before if that is enough.
    #[inline]
    fn admits(&mut self, sequence: Sequence) -> bool {
        let _ = sequence;
        true
    }
}

/// The hold of a lossy subscriber: none.
pub struct NoGate;

impl Hold for NoGate {
    fn join(shared: &Shared, start: Start) -> Result<(Self, Sequence), SubscribeError> {
        let published = shared.published();
        let start = start.resolve(shared.oldest(published), published)?;
        Ok((Self, start))
    }

    fn twin(&self, _: &Shared, _: Sequence) -> Self {
        Self
    }

    #[inline]
    fn advance(&self, _: &Shared, _: Sequence, _: Sequence) {}

    #[inline]
    fn leave(&self, _: &Shared) {}

    fn id(&self, _: &Shared) -> Option<SubscriberId> {
        None
    }
}

/// The hold of a gating subscriber.
pub struct Gate {
    pub(crate) cell: GateCell,
    /// Whether others have been given a look at the cell. Here, and not asked of the cell, because the cell's line is with
    /// whoever looks at it: a load from it after each move would have to wait for the line to come back.
    watched: AtomicBool,
}

impl Hold for Gate {
    fn join(shared: &Shared, start: Start) -> Result<(Self, Sequence), SubscribeError> {
        let guess = start.guess(shared);
        let gate = Self::open(shared, guess);
        fence(SeqCst, "gate J2");
        // J3
        let (oldest, published) = if mutant("gate J3") {
            (guess, guess)
        } else {
            let published = shared.published();
            (shared.oldest_held(published), published)
        };
        match start.resolve(oldest, published) {
            Ok(start) => {
                // J4, which may be what a publisher waits for that has seen the guess.
                let from = if mutant("gate J4") { start } else { guess };
                gate.advance(shared, from, start);
                Ok((gate, start))
            }
            Err(error) => {
                gate.leave(shared);
                Err(error)
            }
        }
    }

    fn twin(&self, shared: &Shared, place: Sequence) -> Self {
        let gate = Self::open(shared, place);
        // ORDERING: T2, Release pairs with P4.
        shared.twins.fetch_add(1, ordering("gate T2", Release));
        gate
    }

    #[inline]
    fn advance(&self, shared: &Shared, from: Sequence, to: Sequence) {
        // ORDERING: R2, Release orders the reads of the slots given back before P3's Acquire.
        self.cell
            .word()
            .store(open_at(to), ordering("gate R2", Release));
        self.show_move(shared);
        shared.gave_back(from, to);
    }

    fn leave(&self, shared: &Shared) {
        // ORDERING: L1, Release orders this subscriber's last read before P3.
        self.cell.word().store(FREE, ordering("gate L1", Release));
        self.show_move(shared);
        shared.freed.notify();
    }

    fn id(&self, shared: &Shared) -> Option<SubscriberId> {
        self.cell.number(&shared.gates).map(SubscriberId::Gate)
    }
}

impl Gate {
    /// J1 and T1.
    fn open(shared: &Shared, place: Sequence) -> Self {
        let cell = shared.gates.claim();
        // ORDERING: J1 and T1, Release pairs with P3, as R2 does: the cell's last owner read before this.
        cell.word()
            .store(open_at(place), ordering("gate J1", Release));
        Self {
            cell,
            watched: AtomicBool::new(false),
        }
    }

    /// Another that leads to its cell, to look at its word.
    pub(crate) fn share(&self) -> GateCell {
        // ORDERING: Relaxed: as in `show_move`.
        self.watched.store(true, Relaxed);
        self.cell.share()
    }

    /// R3.
    #[inline]
    fn show_move(&self, shared: &Shared) {
        // ORDERING: Relaxed: it is set through `&self`, so before whatever the owner does next.
        if self.watched.load(Relaxed) && !mutant("gate R3") {
            shared.ready.notify();
        }
    }
}

/// P1 to P5: how far a publisher may go when `next` is the next message, and it wants to write `wanted` of them.
/// `twins` is what it saw in its last look.
pub(crate) fn look(shared: &Shared, next: Sequence, wanted: u64, twins: &mut u64) -> Sequence {
    // A short reach keeps most of the history out of reach, for those who join at the oldest message,
    // and one within the room keeps the watermark towards those who join at the next.
    let reach = next.after(
        (shared.capacity as u64 / 8)
            .max(wanted)
            .clamp(1, shared.room),
    );
    shared.set_reach(reach);
    fence(SeqCst, "gate P2");
    let Some(lag) = slowest_lag(shared, next, twins) else {
        return reach;
    };
    // A gate may be ahead of a `next` that other publishers have passed meanwhile.
    let ahead = (shared.room as i64).saturating_sub(lag).max(0);
    let allowed = next.after(ahead.unsigned_abs());
    if allowed.is_before(reach) {
        allowed
    } else {
        reach
    }
}

/// P3 and P4: how far the slowest open gate is behind `next`; `None` when no gate is open.
fn slowest_lag(shared: &Shared, next: Sequence, twins: &mut u64) -> Option<i64> {
    loop {
        let lags = shared.gates.words().filter_map(|word| {
            // ORDERING: P3, Acquire pairs with R2, L1 and J4.
            let word = word.load(ordering("gate P3", Acquire));
            (word != FREE).then(|| open_at(next).wrapping_sub(word) as i64 >> 1)
        });
        let lag = lags.max();
        // ORDERING: P4, Acquire pairs with T2; the loads of P3 come first, being Acquire themselves.
        let seen = shared.twins.load(Acquire);
        if seen == *twins || mutant("gate P4") {
            return lag;
        }
        *twins = seen;
    }
}
