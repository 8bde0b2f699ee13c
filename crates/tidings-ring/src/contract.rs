//! What a subscriber is promised, as a type: the compiler keeps the two contracts apart.

use crate::gate::Hold;

/// Loses nothing: the publisher waits for this subscriber when the ring is full.
#[derive(Clone, Copy, Debug)]
pub enum Gating {}

/// Never slows the publisher: what it did not read in time is overwritten, and it is told exactly
/// how many messages that were.
#[derive(Clone, Copy, Debug)]
pub enum Lossy {}

/// As [`Gating`], and a message is seen only when others have done with it: see
/// [`subscribe_after`](crate::Subscribable::subscribe_after).
#[derive(Clone, Copy, Debug)]
pub enum After {}

/// As [`Lossy`], with a cursor that observers can see: see
/// [`subscribe_tracked`](crate::Subscribable::subscribe_tracked).
#[derive(Clone, Copy, Debug)]
pub enum Tracked {}

/// [`Lossy`], [`Gating`], [`After`] or [`Tracked`]; sealed. A ring is of one of the first two; a subscriber of any.
pub trait Contract: sealed::Sealed {}

impl Contract for Lossy {}
impl Contract for Gating {}
impl Contract for After {}
impl Contract for Tracked {}

/// [`Gating`] or [`After`]: the publisher waits for such a subscriber, so it can read messages where they lie; sealed.
pub trait GatingContract: Contract + sealed::Gates {}

impl GatingContract for Gating {}
impl GatingContract for After {}

pub(crate) mod sealed {
    use super::{After, Gating, Hold, Lossy, Tracked};
    use crate::gate::{Gate, NoGate, after, tracked::Track};

    /// Ties a contract to what its subscribers hold the publisher back with.
    pub trait Sealed: 'static {
        /// A gate, or nothing.
        type Hold: Hold;
        /// Whether the publisher waits for such subscribers.
        const GATING: bool;
    }

    impl Sealed for Lossy {
        type Hold = NoGate;
        const GATING: bool = false;
    }

    impl Sealed for Gating {
        type Hold = Gate;
        const GATING: bool = true;
    }

    impl Sealed for After {
        type Hold = after::After;
        const GATING: bool = true;
    }

    impl Sealed for Tracked {
        type Hold = Track;
        const GATING: bool = false;
    }

    /// Contracts whose hold has a gate.
    pub trait Gates: Sealed {
        /// The gate.
        fn gate(hold: &Self::Hold) -> &Gate;
    }

    impl Gates for Gating {
        fn gate(hold: &Gate) -> &Gate {
            hold
        }
    }

    impl Gates for After {
        fn gate(hold: &after::After) -> &Gate {
            hold.gate()
        }
    }
}
