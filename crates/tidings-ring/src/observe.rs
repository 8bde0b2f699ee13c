//! Looking at a ring while it runs: who subscribes, where they stand, who holds the publisher back.

use crate::{
    gate::{SubscriberId as Cell, place_of},
    ring::{Ring, kept::KeptRing},
    shared::Shared,
    slot::place::Store,
};
use alloc::vec::Vec;
use core::fmt;
use tidings_core::{
    Sequence,
    sync::{Arc, atomic::Ordering::*},
};

/// Looks at a ring from outside, at any time, from any thread, without slowing it: it reads words that the ring keeps anyway.
///
/// It keeps the ring's memory, and holds no message back. Everything it says may be out of date by the time it is said, and
/// what it says of several subscribers was not so at one instant.
///
/// # Examples
/// ```
/// use tidings_ring::{SubscriberState, channel_bounded};
/// let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
/// let observer = subscribable.observer();
/// let slow = subscribable.subscribe();
/// publisher.publish_batch(&[1, 2]);
///
/// let seen = observer.subscribers();
/// assert_eq!(seen.len(), 1);
/// assert_eq!(Some(seen[0].id), slow.id());
/// assert_eq!((seen[0].cursor, seen[0].lag), (0, 2));
/// assert_eq!(seen[0].state, SubscriberState::Blocking);
/// ```
#[derive(Clone)]
pub struct Observer {
    ring: KeptRing,
}

/// What an [`Observer`] knows a subscriber by. Unique in its ring among those that are there; the number of one that left may
/// be given to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SubscriberId(Cell);

impl SubscriberId {
    pub(crate) const fn new(cell: Cell) -> Self {
        Self(cell)
    }
}

/// A subscriber, as an [`Observer`] saw it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ObservedSubscriber {
    /// What it is known by.
    pub id: SubscriberId,
    /// Its contract.
    pub contract: ObservedContract,
    /// The sequence of the message that it will receive next.
    pub cursor: u64,
    /// Messages that are published, or claimed, and that it has not received; a tracked one may have lost some of them.
    pub lag: u64,
    /// How that compares with the ring's room.
    pub state: SubscriberState,
}

/// The contract of a subscriber that can be observed. Those that [`subscribe_lossy`](crate::Subscribable::subscribe_lossy)
/// gives leave no trace in the ring.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ObservedContract {
    /// It loses nothing.
    Gating,
    /// It loses nothing, and comes after others.
    After {
        /// How many others.
        upstreams: usize,
    },
    /// It is lossy, with a cursor that can be seen.
    Tracked,
}

/// Where a subscriber stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SubscriberState {
    /// It has received everything.
    CaughtUp,
    /// There is something for it to receive.
    Behind,
    /// It gates, and is so far behind that nothing can be published before it moves.
    Blocking,
    /// It is lossy, and so far behind that it has lost messages.
    Overtaken,
}

impl Observer {
    pub(crate) fn new<S: Store + Send + Sync>(ring: &Arc<Ring<S>>) -> Self {
        Self {
            ring: KeptRing::new(ring),
        }
    }

    /// Every subscriber that gates or is tracked, in the order of their places in the ring.
    pub fn subscribers(&self) -> Vec<ObservedSubscriber> {
        let shared = self.ring.shared();
        let gates = shared
            .gates
            .cells()
            .enumerate()
            .filter_map(|(number, cell)| {
                // ORDERING: Relaxed: numbers to look at, here and below.
                let upstreams = cell.upstreams.load(Relaxed);
                let contract = if upstreams == 0 {
                    ObservedContract::Gating
                } else {
                    ObservedContract::After { upstreams }
                };
                // ORDERING: Relaxed: as above.
                let word = cell.word.load(Relaxed);
                observed(shared, Cell::Gate(number), contract, word)
            });
        let taps = shared
            .taps
            .words()
            .enumerate()
            .filter_map(|(number, word)| {
                // ORDERING: Relaxed: as above.
                // ORDERING: Relaxed: as above.
                let word = word.load(Relaxed);
                observed(shared, Cell::Tap(number), ObservedContract::Tracked, word)
            });
        gates.chain(taps).collect()
    }

    /// The subscriber that holds the publisher back the most, if any gates.
    pub fn slowest(&self) -> Option<ObservedSubscriber> {
        let all = self.subscribers().into_iter();
        all.filter(|seen| seen.contract != ObservedContract::Tracked)
            .max_by_key(|seen| seen.lag)
    }

    /// The sequence that the next message gets.
    pub fn published(&self) -> u64 {
        self.ring.shared().published().get()
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.ring.shared().capacity
    }

    /// Messages that can be published before the slowest gating subscriber moves: at most the capacity less the watermark.
    pub fn room(&self) -> u64 {
        let room = self.ring.shared().room;
        self.slowest()
            .map_or(room, |slowest| room.saturating_sub(slowest.lag))
    }

    /// Whether nothing will be published any more.
    pub fn is_closed(&self) -> bool {
        self.ring.shared().is_closed()
    }
}

fn observed(
    shared: &Shared,
    id: Cell,
    contract: ObservedContract,
    word: u64,
) -> Option<ObservedSubscriber> {
    // After the word: a cursor is then not taken to be ahead of what is published.
    let published = shared.published();
    let cursor = place_of(word, published)?;
    let lag = if published.is_before(cursor) {
        0
    } else {
        published.since(cursor)
    };
    // A gate is never further behind than this; the word was read a moment before.
    let lag = match contract {
        ObservedContract::Tracked => lag,
        ObservedContract::Gating | ObservedContract::After { .. } => lag.min(shared.room),
    };
    Some(ObservedSubscriber {
        id: SubscriberId(id),
        contract,
        cursor: cursor.get(),
        lag,
        state: state(shared, contract, published, lag),
    })
}

fn state(
    shared: &Shared,
    contract: ObservedContract,
    published: Sequence,
    lag: u64,
) -> SubscriberState {
    let lossy = contract == ObservedContract::Tracked;
    let held = published.since(shared.first).min(shared.capacity as u64);
    match lag {
        0 => SubscriberState::CaughtUp,
        lag if lossy && lag > held => SubscriberState::Overtaken,
        lag if !lossy && lag >= shared.room => SubscriberState::Blocking,
        _ => SubscriberState::Behind,
    }
}

impl fmt::Debug for SubscriberId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SubscriberId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Cell::Gate(number) => write!(f, "gate {number}"),
            Cell::Tap(number) => write!(f, "tap {number}"),
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer")
            .field("published", &self.published())
            .field("capacity", &self.capacity())
            .field("closed", &self.is_closed())
            .field("subscribers", &self.subscribers())
            .finish()
    }
}
