//! What a subscriber is promised, as a type: the compiler keeps the two contracts apart.

use crate::gate::Hold;

/// Loses nothing: the publisher waits for this subscriber when the ring is full.
#[derive(Clone, Copy, Debug)]
pub enum Gating {}

/// Never slows the publisher: what it did not read in time is overwritten, and it is told exactly
/// how many messages that were.
#[derive(Clone, Copy, Debug)]
pub enum Lossy {}

/// [`Lossy`] or [`Gating`]; sealed.
pub trait Contract: sealed::Sealed {}

impl Contract for Lossy {}
impl Contract for Gating {}

pub(crate) mod sealed {
    use super::{Gating, Hold, Lossy};
    use crate::gate::{Gate, NoGate};

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
}
