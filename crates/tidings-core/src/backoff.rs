//! Policy while contending: a lost race is tried again after a pause that doubles.
//!
//! For waiting until there is something to do, see [`crate::wait`]: a contender knows that whoever beat it made
//! progress, a waiter knows nothing and must be able to sleep.

use crate::sync::spin_loop;

/// Exponential pauses for a compare-and-swap loop.
///
/// The first pauses are 1, 2, 4 … [`Backoff::MAX_HINTS`] spin hints; after those each pause gives the core away
/// (with feature `std`; otherwise it stays at the longest spin).
///
/// # Examples
///
/// ```
/// use tidings_core::Backoff;
/// let mut backoff = Backoff::new();
/// while !backoff.is_exhausted() {
///     backoff.pause();
/// }
/// backoff.reset();
/// assert!(!backoff.is_exhausted());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Backoff {
    step: u32,
}

impl Backoff {
    const SPIN_STEPS: u32 = 6;
    const YIELD_STEPS: u32 = 4;

    /// The most spin hints that one pause executes.
    pub const MAX_HINTS: u32 = 1 << (Self::SPIN_STEPS - 1);

    /// Starts at the shortest pause.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self { step: 0 }
    }

    /// Goes back to the shortest pause; call it after a success.
    #[inline]
    pub const fn reset(&mut self) {
        self.step = 0;
    }

    /// Pauses, and makes the next pause longer.
    #[inline]
    pub fn pause(&mut self) {
        if self.step < Self::SPIN_STEPS {
            spin_hints(self.step);
        } else {
            give_way();
        }
        if !self.is_exhausted() {
            self.step += 1;
        }
    }

    /// Whether pausing has gone on long enough that sleeping would be better.
    #[inline]
    #[must_use]
    pub const fn is_exhausted(&self) -> bool {
        self.step >= Self::SPIN_STEPS + Self::YIELD_STEPS
    }
}

/// A pause past the longest spin.
#[cfg(feature = "std")]
#[inline]
fn give_way() {
    crate::sync::yield_now();
}

/// A pause past the longest spin, where nobody could be given the core.
#[cfg(not(feature = "std"))]
#[inline]
fn give_way() {
    spin_hints(Backoff::SPIN_STEPS - 1);
}

/// Executes 2^`exponent` spin hints.
#[inline]
pub(crate) fn spin_hints(exponent: u32) {
    for _ in 0..1_u32 << exponent {
        spin_loop();
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::Backoff;

    #[test]
    fn exhausts_after_a_bounded_number_of_pauses() {
        let mut backoff = Backoff::new();
        for _ in 0..Backoff::SPIN_STEPS + Backoff::YIELD_STEPS {
            assert!(!backoff.is_exhausted());
            backoff.pause();
        }
        assert!(backoff.is_exhausted());
        backoff.pause();
        assert!(backoff.is_exhausted());
    }

    #[test]
    fn reset_starts_over() {
        let mut backoff = Backoff::new();
        while !backoff.is_exhausted() {
            backoff.pause();
        }
        backoff.reset();
        assert!(!backoff.is_exhausted());
    }
}
