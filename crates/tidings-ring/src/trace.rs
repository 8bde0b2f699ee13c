//! What feature `tracing` tells, on cold paths only: rings that are made and closed, subscribers that come and go, losses, and
//! publishers that have to wait. Nothing otherwise.
//!
//! After the change, because a subscriber of `tracing` is a user's code: should it panic, nothing is half done.

#[cfg(feature = "tracing")]
pub(crate) use on::*;

#[cfg(not(feature = "tracing"))]
pub(crate) use off::*;

#[cfg(feature = "tracing")]
mod on {
    pub(crate) fn created(capacity: usize) {
        tracing::trace!(target: "tidings::ring", capacity, "created");
    }

    pub(crate) fn closed(published: u64) {
        tracing::debug!(target: "tidings::ring", published, "closed");
    }

    pub(crate) fn subscribed(cursor: u64, gating: bool) {
        tracing::debug!(target: "tidings::ring", cursor, gating, "subscribed");
    }

    pub(crate) fn unsubscribed(cursor: u64, received: u64, lagged: u64) {
        tracing::debug!(target: "tidings::ring", cursor, received, lagged, "unsubscribed");
    }

    pub(crate) fn lagged(cursor: u64, skipped: u64) {
        tracing::debug!(target: "tidings::ring", cursor, skipped, "lagged");
    }

    #[cfg(feature = "std")]
    pub(crate) fn full(published: u64) {
        tracing::trace!(target: "tidings::ring", published, "full: a publisher waits");
    }
}

#[cfg(not(feature = "tracing"))]
mod off {
    #[inline(always)]
    pub(crate) const fn created(_capacity: usize) {}

    #[inline(always)]
    pub(crate) const fn closed(_published: u64) {}

    #[inline(always)]
    pub(crate) const fn subscribed(_cursor: u64, _gating: bool) {}

    #[inline(always)]
    pub(crate) const fn unsubscribed(_cursor: u64, _received: u64, _lagged: u64) {}

    #[inline(always)]
    pub(crate) const fn lagged(_cursor: u64, _skipped: u64) {}

    #[cfg(feature = "std")]
    #[inline(always)]
    pub(crate) const fn full(_published: u64) {}
}
