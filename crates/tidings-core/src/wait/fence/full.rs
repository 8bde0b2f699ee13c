//! No asymmetric fence: every event is fenced from its construction, and these are never the ones that order.

use crate::sync::{atomic::Ordering, fence};

/// Whether the light and the heavy side may be used: no.
#[inline]
pub(in crate::wait) const fn is_asymmetric() -> bool {
    false
}

/// The notifier's side; the fence that orders is the one that a fenced event asks for.
#[inline(always)]
pub(in crate::wait) const fn light() {}

/// The waiter's side; reached by no event, because all are settled.
pub(in crate::wait) fn heavy() -> bool {
    fence(Ordering::SeqCst, "event W2");
    true
}

/// Reached by no event, because [`heavy`] does not fail.
pub(in crate::wait) const fn settle_refused() {}
