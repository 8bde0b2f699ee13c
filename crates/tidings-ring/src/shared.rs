//! What all handles of one ring share, whatever its slots hold.
//!
//! ```text
//! States    `published`: the next sequence to be published; with one publisher it says so after the slot's stamp, with
//!           many it counts claims, before the stamp (claim/many.rs); `limit`: how far many may go, as of their last look;
//!           `reach`: see gate.rs; `wake_at`: see below; `publishers`: handles of many; `closed`: false, then true for good
//! Publish   S1 stamp of the slot (slot.rs, cell.rs)   S2 published := next, Release   S3 wake `ready`
//! Close     S4 closed := true, Release   S5 wake `ready`
//! Limit     L1 limit, Acquire   L2 limit raised, Release (claim/many.rs M2, M3)
//! Full      F1 wake_at := the sequence the slowest gate must reach   F2 wait on `freed`, looking at the gates
//!           F3 a gate that moves past wake_at wakes `freed`; with many publishers, any gate that moves
//! I1        the only writer of `published`, `reach`, `wake_at`, `closed` is the publisher, if there is one; `closed` is also
//!           written by a pipeline, of its first ring (pipeline/door.rs), and by a bus of topics (topics/home.rs)
//! I2        a stamp may be ahead of `published`; `published` is never ahead of a stamp, if there is one publisher
//! Progress  everything is wait-free, but for waking
//! Pairs     S2↔`published()`; S4↔`is_closed()`; L2↔L1; F1..F3 by the handshake inside `Event`
//! ```

use crate::{error::SubscribeError, gate::cell::GateCells, trace};
use core::num::NonZeroUsize;
use tidings_core::{
    CachePadded, Sequence,
    sync::{
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, Ordering::*},
        mutant, ordering, unique_id,
    },
    wait::{Event, WaitStrategy},
};

/// Where a new subscriber wants to start.
#[derive(Clone, Copy)]
pub enum Start {
    /// At the next message.
    Next,
    /// At the oldest message retained.
    Oldest,
    /// At this one or not at all.
    At(Sequence),
}

/// See the module.
pub struct Shared {
    /// Tells this ring from every other one.
    pub(crate) number: NonZeroUsize,
    pub(crate) first: Sequence,
    pub(crate) capacity: usize,
    /// Messages by which the publisher may be ahead of the slowest gate: capacity less watermark.
    pub(crate) room: u64,
    /// How threads wait when the call does not say.
    #[cfg_attr(
        not(feature = "std"),
        expect(dead_code, reason = "threads wait under std only")
    )]
    pub(crate) strategy: WaitStrategy,
    pub(crate) gates: GateCells,
    /// What came of what was asked of the slots' memory.
    #[cfg(feature = "platform")]
    pub(crate) memory: Option<crate::platform::MemoryReport>,
    /// Words of tracked subscribers.
    pub(crate) taps: GateCells,
    /// Whether messages are claimed before they are written, by any number of publishers.
    pub(crate) many: bool,
    /// One less than the capacity, if that is a power of two.
    mask: Option<u64>,
    /// Gates that joined as twins so far, see gate.rs.
    pub(crate) twins: AtomicU64,
    /// Handles that publish, where there are many.
    pub(crate) publishers: AtomicUsize,
    closed: AtomicBool,
    /// Woken when a message or the close is there.
    pub(crate) ready: CachePadded<Event>,
    /// Woken when a gate gave back what the publisher waits for.
    pub(crate) freed: CachePadded<Event>,
    progress: CachePadded<Progress>,
}

/// Words that the publisher writes and hardly anybody reads.
struct Progress {
    published: AtomicU64,
    limit: AtomicU64,
    reach: AtomicU64,
    wake_at: AtomicU64,
}

impl Shared {
    pub(crate) fn new(
        capacity: usize,
        watermark: usize,
        first: Sequence,
        strategy: WaitStrategy,
        many: bool,
    ) -> Self {
        trace::created(capacity);
        Self {
            number: unique_id(),
            first,
            many,
            mask: capacity.is_power_of_two().then(|| capacity as u64 - 1),
            capacity,
            room: (capacity - watermark) as u64,
            strategy,
            gates: GateCells::new(),
            #[cfg(feature = "platform")]
            memory: None,
            taps: GateCells::new(),
            publishers: AtomicUsize::new(1),
            twins: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            ready: CachePadded::new(Event::new()),
            freed: CachePadded::new(Event::new()),
            progress: CachePadded::new(Progress {
                published: AtomicU64::new(first.get()),
                limit: AtomicU64::new(first.get()),
                reach: AtomicU64::new(first.get()),
                wake_at: AtomicU64::new(first.get()),
            }),
        }
    }

    /// The slot of `sequence`. A division, unless the capacity is a power of two: for jumps, not for steps.
    #[inline]
    pub(crate) fn index_of(&self, sequence: Sequence) -> usize {
        let offset = sequence.since(self.first);
        match self.mask {
            Some(mask) => (offset & mask) as usize,
            None => (offset % self.capacity as u64) as usize,
        }
    }

    /// The next sequence to be published, as of now.
    #[inline]
    pub(crate) fn published(&self) -> Sequence {
        // ORDERING: Acquire pairs with S2: the stamps of all earlier messages are seen.
        Sequence::new(self.progress.published.load(Acquire))
    }

    /// S2 and S3.
    #[inline]
    pub(crate) fn publish_up_to(&self, next: Sequence) {
        // ORDERING: S2, Release pairs with `published()`; by I1 nobody else stores here.
        self.progress.published.store(next.get(), Release);
        self.ready.notify();
    }

    #[inline]
    pub(crate) fn is_closed(&self) -> bool {
        // ORDERING: Acquire pairs with S4: every message published before it is seen.
        self.closed.load(Acquire)
    }

    pub(crate) fn close(&self) {
        // ORDERING: S4, Release pairs with `is_closed()`.
        self.closed.store(true, ordering("shared S4", Release));
        self.ready.notify();
        trace::closed(self.published().get());
    }

    /// The oldest message that the slots still hold when `published` is the next one.
    pub(crate) fn oldest(&self, published: Sequence) -> Sequence {
        let retained = published.since(self.first).min(self.capacity as u64);
        published.before(retained)
    }

    /// The oldest message that the publisher cannot overwrite before it looks at the gates again.
    pub(crate) fn oldest_held(&self, published: Sequence) -> Sequence {
        // ORDERING: Relaxed: J2 orders this load after J1 (gate.rs), which is all that J3 needs.
        let reach = Sequence::new(self.progress.reach.load(Relaxed));
        let floor = self.oldest(reach);
        let oldest = self.oldest(published);
        if oldest.is_before(floor) {
            floor
        } else {
            oldest
        }
    }

    /// P1: the next look lets the publisher go to `reach` at most.
    pub(crate) fn set_reach(&self, reach: Sequence) {
        // ORDERING: Relaxed: P2 (gate.rs) orders it before the look.
        if self.many {
            raise(&self.progress.reach, reach, Relaxed);
        } else {
            self.progress.reach.store(reach.get(), Relaxed);
        }
    }

    /// How far the looks of many publishers let them go.
    #[inline]
    pub(crate) fn limit(&self) -> Sequence {
        // ORDERING: L1, Acquire pairs with L2: what that look saw given back may be overwritten.
        Sequence::new(self.progress.limit.load(ordering("shared L1", Acquire)))
    }

    pub(crate) fn set_limit(&self, limit: Sequence) {
        // ORDERING: L2, Release pairs with L1. One that is lost to a higher limit is not needed.
        raise(&self.progress.limit, limit, ordering("shared L2", Release));
    }

    /// Whether `next` is still the next message to be claimed; if not, which one is. Unlike a load, this is never behind.
    #[cold]
    pub(crate) fn is_next(&self, next: Sequence) -> Result<(), Sequence> {
        // ORDERING: Relaxed: only the order of this word's own changes counts.
        self.progress
            .published
            .compare_exchange(next.get(), next.get(), Relaxed, Relaxed)
            .map(|_| ())
            .map_err(Sequence::new)
    }

    /// Claims the messages from `next` on, `count` of them, unless somebody has claimed `next`.
    #[inline]
    pub(crate) fn claim(&self, next: Sequence, count: u64) -> Result<(), Sequence> {
        // ORDERING: Relaxed: a claim publishes nothing, and what allows it was acquired before: the slot's stamp
        // and the limit. For P2 and J2 the order of this word's own changes is enough.
        self.progress
            .published
            .compare_exchange_weak(next.get(), next.after(count).get(), Relaxed, Relaxed)
            .map(|_| ())
            .map_err(Sequence::new)
    }

    /// The next message that nobody has claimed. Whoever claims it, or a later one, and loads `published` after that, sees what
    /// this thread did before (U2 of claim/many/unless.rs).
    #[cfg(feature = "std")]
    pub(crate) fn seal(&self) -> Sequence {
        // ORDERING: U2, Release pairs with U5 of whoever claims later. Of what was claimed before, the number is enough.
        let order = ordering("unless U2", Release);
        Sequence::new(self.progress.published.fetch_add(0, order))
    }

    /// After a claim, and before a look at the reason: sees what came before the seal, if that came before the claim.
    #[cfg(feature = "std")]
    #[inline]
    pub(crate) fn see_seal(&self) {
        // ORDERING: U5, Acquire pairs with U2.
        self.progress.published.load(ordering("unless U5", Acquire));
    }

    /// F1.
    pub(crate) fn wake_when_slowest_at(&self, sequence: Sequence) {
        // ORDERING: Relaxed: the handshake inside `Event` orders it, see `wake_publisher`.
        if !mutant("shared F1") {
            self.progress.wake_at.store(sequence.get(), Relaxed);
        }
    }

    /// F3: a gate moved from `from` to `to`.
    #[inline]
    pub(crate) fn gave_back(&self, from: Sequence, to: Sequence) {
        if self.freed.is_awaited() {
            self.wake_publisher(from, to);
        }
    }

    #[cold]
    fn wake_publisher(&self, from: Sequence, to: Sequence) {
        if self.many {
            // Each looks for the room that it needs itself, and there may be several.
            if !mutant("shared F3") {
                self.freed.notify();
            }
            return;
        }
        // ORDERING: Relaxed: the handshake inside `Event` orders F1 before this load, or else the gate's
        // move before the publisher's own look in F2, and then this wake is not needed.
        let wake_at = Sequence::new(self.progress.wake_at.load(Relaxed));
        if from.is_before(wake_at) && !to.is_before(wake_at) && !mutant("shared F3") {
            self.freed.notify();
        }
    }
}

/// Raises the sequence in `word` to `to`, unless it is there already.
fn raise(word: &AtomicU64, to: Sequence, order: Ordering) {
    // ORDERING: Relaxed loads: the caller's order is for what it stores.
    let mut now = word.load(Relaxed);
    while Sequence::new(now).is_before(to) {
        match word.compare_exchange_weak(now, to.get(), order, Relaxed) {
            Ok(_) => return,
            Err(later) => now = later,
        }
    }
}

impl Start {
    /// A start within the messages on offer, which [`resolve`](Self::resolve) can only raise.
    pub(crate) fn guess(self, shared: &Shared) -> Sequence {
        let published = shared.published();
        let oldest = shared.oldest(published);
        match self {
            Self::Next => published,
            Self::At(sequence) if !sequence.is_before(oldest) => {
                if published.is_before(sequence) {
                    published
                } else {
                    sequence
                }
            }
            Self::At(_) | Self::Oldest => oldest,
        }
    }

    /// The start, given the messages on offer: from `oldest` up to, and including, `published`.
    pub(crate) fn resolve(
        self,
        oldest: Sequence,
        published: Sequence,
    ) -> Result<Sequence, SubscribeError> {
        match self {
            Self::Next => Ok(published),
            Self::Oldest => Ok(oldest),
            Self::At(sequence) if sequence.is_before(oldest) => Err(SubscribeError::Overwritten {
                oldest: oldest.get(),
            }),
            Self::At(sequence) if published.is_before(sequence) => Err(SubscribeError::Future {
                next: published.get(),
            }),
            Self::At(sequence) => Ok(sequence),
        }
    }
}
