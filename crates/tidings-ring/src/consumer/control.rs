//! What a consumer's thread shares with those who hold its handle, and with consumers that depend on it.
//!
//! ```text
//! States    `stop`: RUN, then DRAIN (up to `target`), then NOW; it never goes back · `next`: the message to be handled next
//!           `halted_at`: where it ended by a panic; said by `halted` · `blame`: whose panic ends it · `ended`: it is over
//! Stop      S1 target or blame := …   S2 stop := …, Release   S3 wake `ready` of the ring   S4 wake the ring it publishes into
//! Consume   C1 look at the ring, Acquire in it   C2 upstream `halted`? Acquire; stop? Acquire   C3 handle the message
//! Halt      H1 blame, halted_at := …   H2 halted := true, Release   H3 the gate moves, or leaves (gate.rs R2, L1)
//! I1        who admits a message by a gate that H3 moved sees H2, so C2 keeps the message at which it was halted from
//!           those who come after it
//! I2        who admits a message because its upstream was stopped and left sees that it was stopped itself before, if it was:
//!           those who come later are told first (graph.rs)
//! I3        S3, S4 and the waiting consumer meet in the event, so a consumer that waits is told at once, and no clock is needed
//! Pairs     S2↔C2, H2↔C2
//! Progress  wait-free, but for S1 and H1, which lock what is read once a batch at most, and for waking; joining blocks
//! ```

use super::{options::Stop, report::Outcome};
use crate::ring::kept::KeptRing;
use alloc::string::String;
use core::fmt;
use tidings_core::{
    CachePadded, Sequence,
    sync::{
        Arc, Lock,
        atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::*},
        mutant, ordering,
    },
    wait::{Deadline, Latch, Strategy},
};

const RUN: u32 = 0;
const DRAIN: u32 = 1;
const NOW: u32 = 2;

/// Codes of the latch.
const WELL: u32 = 2;
const BADLY: u32 = 3;

/// See the module.
pub(crate) struct Control {
    name: String,
    stop: AtomicU32,
    target: Lock<Option<Sequence>>,
    blame: Lock<Option<String>>,
    halted: AtomicBool,
    halted_at: AtomicU64,
    next: CachePadded<AtomicU64>,
    ended: Latch,
    /// The ring that it reads.
    reads: KeptRing,
    /// The ring that it publishes into, and may wait for.
    writes: Option<KeptRing>,
}

/// What a consumer that looks at its orders has to do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Run,
    DrainTo(Sequence),
    StopNow,
}

impl Control {
    /// Of a consumer that is to read `next` first.
    pub(crate) fn new(
        name: String,
        next: Sequence,
        reads: KeptRing,
        writes: Option<KeptRing>,
    ) -> Arc<Self> {
        Arc::new(Self {
            name,
            stop: AtomicU32::new(RUN),
            target: Lock::default(),
            blame: Lock::default(),
            halted: AtomicBool::new(false),
            halted_at: AtomicU64::new(next.get()),
            next: CachePadded::new(AtomicU64::new(next.get())),
            ended: Latch::new(),
            reads,
            writes,
        })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The next message that is published now, or was claimed.
    fn published(&self) -> Sequence {
        self.reads.shared().published()
    }

    /// Tells the consumer to stop.
    pub(crate) fn stop(&self, stop: Stop) {
        match stop {
            Stop::Drain => self.drain_to(self.published()),
            Stop::Immediate => self.order(NOW),
        }
    }

    /// Tells the consumer to stop before message `target`. The first target stands.
    pub(crate) fn drain_to(&self, target: Sequence) {
        if !mutant("control S1") {
            self.target.lock().get_or_insert(target);
        }
        self.order(DRAIN);
    }

    /// Tells the consumer to stop because the one of that name panicked.
    pub(crate) fn stop_because(&self, name: &str) {
        self.put_blame_on(name);
        self.order(NOW);
    }

    /// S2 to S4.
    fn order(&self, stop: u32) {
        // ORDERING: S2, Release pairs with C2: who sees that its upstream was stopped sees what was told to others before.
        self.stop.fetch_max(stop, ordering("control S2", Release));
        if !mutant("control S3") {
            self.reads.shared().ready.notify();
        }
        if let Some(writes) = self.writes.as_ref().filter(|_| !mutant("control S4")) {
            writes.shared().freed.notify();
            writes.shared().ready.notify();
        }
    }

    /// Whether the consumer is to stop after the message at hand.
    #[inline]
    pub(crate) fn must_stop_now(&self) -> bool {
        // ORDERING: C2, Acquire pairs with S2.
        self.stop.load(ordering("control C2", Acquire)) == NOW
    }

    pub(super) fn orders(&self) -> Order {
        // ORDERING: C2, Acquire pairs with S2.
        match self.stop.load(ordering("control C2", Acquire)) {
            RUN => Order::Run,
            NOW => Order::StopNow,
            _ => self.target.lock().map_or(Order::StopNow, Order::DrainTo),
        }
    }

    /// How a consumer ends that was told to.
    pub(super) fn told(&self) -> Outcome {
        match self.blamed() {
            Some(name) => Outcome::HaltedBy { name },
            None => Outcome::ShutDown,
        }
    }

    /// H1 and H2: the consumer ends before it has done with message `at`, because the one of that name panicked.
    pub(super) fn halt(&self, at: Sequence, name: &str) {
        self.put_blame_on(name);
        // ORDERING: H1, Relaxed: H2 publishes it. Only the consumer's thread stores here.
        self.halted_at.store(at.get(), Relaxed);
        // ORDERING: H2, Release pairs with C2.
        self.halted.store(true, ordering("control H2", Release));
    }

    /// Where the consumer was halted, if it was.
    #[inline]
    pub(super) fn halted_at(&self) -> Option<Sequence> {
        // ORDERING: C2, Acquire pairs with H2, which comes after the store of what the Relaxed load reads.
        let halted = self.halted.load(ordering("control C2", Acquire));
        halted.then(|| Sequence::new(self.halted_at.load(Relaxed)))
    }

    /// The first one stands.
    fn put_blame_on(&self, name: &str) {
        if mutant("control S1") {
            return;
        }
        self.blame.lock().get_or_insert_with(|| name.into());
    }

    /// Who panicked.
    pub(super) fn blamed(&self) -> Option<String> {
        self.blame.lock().clone()
    }

    /// The consumer has done with every message before `next`.
    #[inline]
    pub(super) fn moved_to(&self, next: Sequence) {
        // ORDERING: Relaxed: a number for observers.
        self.next.store(next.get(), Relaxed);
    }

    /// The message to be handled next.
    pub(crate) fn next(&self) -> Sequence {
        // ORDERING: Relaxed, as above.
        Sequence::new(self.next.load(Relaxed))
    }

    /// Messages that were published and not handled.
    pub(crate) fn left(&self) -> u64 {
        let (next, published) = (self.next(), self.published());
        if published.is_before(next) {
            0
        } else {
            let capacity = self.reads.shared().capacity as u64;
            published.since(next).min(capacity)
        }
    }

    /// The thread is about to end.
    pub(super) fn end(&self, is_healthy: bool) {
        self.ended.open(if is_healthy { WELL } else { BADLY });
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.ended.code().is_some()
    }

    /// Whether the consumer did not end, or ended well.
    pub(crate) fn is_healthy(&self) -> bool {
        self.ended.code() != Some(BADLY)
    }

    /// Waits until the consumer has ended; `false` when the deadline passes first.
    pub(crate) fn wait_for_end(&self, strategy: &impl Strategy, deadline: Deadline) -> bool {
        self.ended.wait(strategy, deadline).is_some()
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("name", &self.name)
            .field("next", &self.next().get())
            .field("ended", &self.has_ended())
            .finish_non_exhaustive()
    }
}
