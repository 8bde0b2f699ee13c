//! Until when to wait.

use core::time::Duration;
use std::time::Instant;

/// A moment after which waiting is given up, or never.
///
/// Made by checked arithmetic: a duration so long that the clock cannot express its end, `Duration::MAX` for one, means
/// never. In model runs (loom, shuttle) there is no time, and no deadline passes.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use tidings_core::wait::Deadline;
/// assert_eq!(Deadline::after(Duration::MAX), Deadline::NEVER);
/// assert!(Deadline::after(Duration::ZERO).has_passed());
/// assert!(!Deadline::NEVER.has_passed());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deadline {
    /// `None` is never.
    end: Option<Instant>,
}

impl Deadline {
    /// Waits for ever.
    pub const NEVER: Self = Self { end: None };

    /// `span` from now.
    #[must_use]
    pub fn after(span: Duration) -> Self {
        Self {
            end: Instant::now().checked_add(span),
        }
    }

    /// At `moment`.
    #[must_use]
    pub const fn at(moment: Instant) -> Self {
        Self { end: Some(moment) }
    }

    /// Whether it can pass at all.
    #[inline]
    #[must_use]
    pub const fn is_never(self) -> bool {
        self.end.is_none()
    }

    /// Whether the moment is here or gone; reads the clock unless it is [`NEVER`](Self::NEVER).
    #[must_use]
    pub fn has_passed(self) -> bool {
        self.remaining() == Some(Duration::ZERO)
    }

    /// The time left, zero when it has passed, `None` when it never does.
    #[must_use]
    pub fn remaining(self) -> Option<Duration> {
        self.end.and_then(clock::until)
    }
}

#[cfg(not(any(loom, shuttle)))]
mod clock {
    use super::{Duration, Instant};

    pub(super) fn until(end: Instant) -> Option<Duration> {
        Some(end.saturating_duration_since(Instant::now()))
    }
}

/// In a model run no time passes.
#[cfg(any(loom, shuttle))]
mod clock {
    use super::{Duration, Instant};

    pub(super) const fn until(_end: Instant) -> Option<Duration> {
        None
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::Deadline;
    use core::time::Duration;
    use std::time::Instant;

    #[test]
    fn a_span_that_the_clock_cannot_hold_is_for_ever() {
        assert!(Deadline::after(Duration::MAX).is_never());
        assert_eq!(Deadline::after(Duration::MAX).remaining(), None);
    }

    #[test]
    fn a_moment_that_is_gone_has_passed() {
        let gone = Deadline::at(Instant::now());
        assert!(gone.has_passed());
        assert_eq!(gone.remaining(), Some(Duration::ZERO));
    }

    #[test]
    fn a_moment_to_come_has_not_passed() {
        let hour = Duration::from_secs(3600);
        let later = Deadline::after(hour);
        assert!(!later.has_passed() && !later.is_never());
        assert!(later.remaining().is_some_and(|left| left <= hour));
    }
}
