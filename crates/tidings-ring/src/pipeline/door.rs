//! The end of an input, from inside: what closes its ring while there are publishers.
//!
//! ```text
//! Close     D1 closed := true (U1 of claim/many/unless.rs)   D2 end := seal (U2)   D3 wake those who wait to publish (U3)
//!           D4 wait until each message before `end` is settled   D5 close the ring
//! I1        by I1 of unless.rs a message that is accepted is before `end`, and by D4 there before D5: whoever sees the close
//!           sees the message
//! Progress  blocks in D4, as long as a publisher takes from its claim to its stamp, with nothing of the user's in between
//! ```

use super::item::Item;
use crate::{cell::Cells, ring::Ring, slot::place::Store};
use alloc::boxed::Box;
use core::fmt;
use tidings_core::{
    Sequence,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::*},
        mutant,
    },
    wait::{Deadline, WaitStrategy},
};

/// See the module.
pub(super) struct Door {
    closed: AtomicBool,
    /// D2 to D5.
    close_ring: Box<dyn Fn() + Send + Sync>,
}

impl Door {
    pub(super) fn new<T: Send + Sync + 'static>(ring: Arc<Ring<Cells<Item<T>>>>) -> Arc<Self> {
        Arc::new(Self {
            closed: AtomicBool::new(false),
            close_ring: Box::new(move || close(&ring)),
        })
    }

    /// Lets nothing in any more. What was accepted before is there when this returns.
    pub(super) fn close(&self) {
        // ORDERING: D1, Release pairs with `is_closed`; for those who have claimed a message see I1 of unless.rs.
        self.closed.store(true, Release);
        (self.close_ring)();
    }

    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        // ORDERING: Acquire pairs with D1.
        self.closed.load(Acquire)
    }
}

fn close<S: Store>(ring: &Ring<S>) {
    let shared = &ring.shared;
    let end = shared.seal();
    if !mutant("door D3") {
        shared.freed.notify();
        shared.ready.notify();
    }
    let mut oldest = shared.oldest(end);
    let look = || {
        while oldest.is_before(end) && (mutant("door D4") || is_settled(ring, oldest)) {
            oldest = oldest.next();
        }
        (oldest == end).then_some(())
    };
    let strategy = WaitStrategy::default();
    shared.ready.wait_until(&strategy, Deadline::NEVER, look);
    shared.close();
}

/// Whether the message, its tombstone, or a later one is there.
fn is_settled<S: Store>(ring: &Ring<S>, sequence: Sequence) -> bool {
    let stamp = ring.slots.stamp(&ring.place_of(sequence));
    stamp.is_settled(sequence) || stamp.ahead_of(sequence) > 0
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door")
            .field("closed", &self.is_closed())
            .finish_non_exhaustive()
    }
}
