//! What feature `tracing` tells: one event each time the state of a channel has changed. Nothing otherwise.
//!
//! After the change, because a subscriber is a user's code: should it panic, nobody is left waiting.

#[cfg(feature = "tracing")]
pub(crate) use on::*;

#[cfg(not(feature = "tracing"))]
pub(crate) use off::*;

#[cfg(feature = "tracing")]
mod on {
    use crate::state::CloseCause;

    pub(crate) fn created() {
        tracing::trace!(target: "tidings::oneshot", "created");
    }

    pub(crate) fn announced(listeners: usize) {
        tracing::debug!(target: "tidings::oneshot", listeners, "announced");
    }

    pub(crate) fn announced_statically() {
        tracing::debug!(target: "tidings::oneshot", "announced");
    }

    pub(crate) fn closed(cause: CloseCause) {
        tracing::debug!(target: "tidings::oneshot", %cause, "closed");
    }
}

#[cfg(not(feature = "tracing"))]
mod off {
    use crate::state::CloseCause;

    #[inline(always)]
    pub(crate) const fn created() {}

    #[inline(always)]
    pub(crate) const fn announced(_listeners: usize) {}

    #[inline(always)]
    pub(crate) const fn announced_statically() {}

    #[inline(always)]
    pub(crate) const fn closed(_cause: CloseCause) {}
}
