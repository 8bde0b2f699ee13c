//! The right to spin.
//!
//! Spinning pays only while whoever is waited for runs on another core. With as many spinners as cores they keep
//! each other, and whoever they wait for, from running. So a process has one token fewer than cores, and a thread
//! without one yields and sleeps instead.
//!
//! Two kinds of spinners are not counted, so that there may be more for a moment, or by choice: the first rounds of a
//! strategy, which cost no more than one yield ([`Spins::Rounds::free`](super::Spins)), and `BusySpin`, which never asks.
//!
//! ```text
//! States    TAKEN: number of tokens out, 0 … limit
//! I1        TAKEN is raised only below the limit, by whoever gets the token; it is lowered once a token
//! Pairs     none: no data travels with a token
//! Progress  acquire lock-free, return wait-free
//! Source    J. K. Ousterhout, Scheduling Techniques for Concurrent Systems, 1982 (two-phase waiting); the count is our own
//! ```

use core::marker::PhantomData;

/// A right to spin, given back when dropped, also while unwinding.
///
/// # Examples
///
/// ```
/// use tidings_core::wait::SpinToken;
/// if let Some(token) = SpinToken::try_acquire() {
///     // spin for a moment …
///     drop(token);
/// }
/// ```
#[derive(Debug)]
#[must_use = "the token is given back when it is dropped"]
pub struct SpinToken {
    /// Only [`SpinToken::try_acquire`] makes one; not `Send`, because a spinner is a thread.
    _only_here: PhantomData<*const ()>,
}

impl SpinToken {
    /// Takes a token if one is left. Never waits.
    pub fn try_acquire() -> Option<Self> {
        // Lazily: a token that was never taken must not be given back.
        imp::try_take().then(|| Self {
            _only_here: PhantomData,
        })
    }

    /// How many tokens the process has: cores − 1, as the system reported them at the first call.
    #[must_use]
    pub fn limit() -> usize {
        imp::limit()
    }
}

impl Drop for SpinToken {
    fn drop(&mut self) {
        imp::give_back();
    }
}

#[cfg(not(any(loom, shuttle)))]
mod imp {
    use crate::CachePadded;
    use crate::sync::atomic::{AtomicUsize, Ordering};

    static TAKEN: CachePadded<AtomicUsize> = CachePadded::new(AtomicUsize::new(0));
    /// Limit + 1, so that 0 can mean "not asked yet".
    static LIMIT: AtomicUsize = AtomicUsize::new(0);

    #[inline]
    pub(super) fn limit() -> usize {
        // ORDERING: Relaxed; the number is all there is to know.
        match LIMIT.load(Ordering::Relaxed) {
            0 => ask(),
            known => known - 1,
        }
    }

    #[cold]
    fn ask() -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        // ORDERING: Relaxed, as above; threads that race store about the same.
        LIMIT.store(cores, Ordering::Relaxed);
        cores - 1
    }

    pub(super) fn try_take() -> bool {
        let limit = limit();
        // ORDERING: Relaxed; by I1 only the count matters.
        TAKEN
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| {
                (taken < limit).then_some(taken + 1)
            })
            .is_ok()
    }

    pub(super) fn give_back() {
        // ORDERING: Relaxed, as above.
        TAKEN.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Models do not spin: a scheduler that tries every order has nothing to gain from it.
#[cfg(any(loom, shuttle))]
mod imp {
    pub(super) const fn limit() -> usize {
        0
    }

    pub(super) const fn try_take() -> bool {
        false
    }

    pub(super) const fn give_back() {}
}
