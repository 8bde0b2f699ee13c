//! The word of an event, decoded.
//!
//! ```text
//! bit 0     THREADS  a thread sleeps on the word, or is about to
//! bit 1     TASKS    a waker was put into the list since the last notification that saw it
//! bit 2     FENCED   notifiers run a real fence before they look; never cleared
//! bit 3     SETTLED  every notifier that looks from now on sees FENCED; never cleared
//! bits 4…   epoch    counts notifications that found somebody; wraps
//! Pairs     none: a value; the word itself is event.rs's
//! Source    event.rs
//! ```

use core::fmt;

/// A decoded copy of the word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct State(u32);

impl State {
    pub(super) const THREADS: u32 = 1;
    pub(super) const TASKS: u32 = 1 << 1;
    pub(super) const FENCED: u32 = 1 << 2;
    pub(super) const SETTLED: u32 = 1 << 3;
    const AWAITED: u32 = Self::THREADS | Self::TASKS;
    const EPOCH: u32 = 1 << 4;

    /// Nobody waits; notifiers get by with a compiler fence.
    pub(super) const LIGHT: u32 = 0;
    /// Nobody waits; notifiers run a real fence, and every waiter may rely on it.
    pub(super) const HEAVY: u32 = Self::FENCED | Self::SETTLED;

    #[inline(always)]
    pub(super) const fn new(bits: u32) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(super) const fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    /// Nobody waits and no fence is asked for: a notifier is done.
    #[inline(always)]
    pub(super) const fn is_quiet(self) -> bool {
        !self.has(Self::AWAITED | Self::FENCED)
    }

    #[inline(always)]
    pub(super) const fn is_awaited(self) -> bool {
        self.has(Self::AWAITED)
    }

    #[inline(always)]
    pub(super) const fn with(self, bits: u32) -> Self {
        Self(self.0 | bits)
    }

    /// The state after everybody who waits has been taken: next epoch, nobody waits, the mode is kept.
    #[inline]
    pub(super) const fn taken(self) -> Self {
        Self((self.0 & !Self::AWAITED).wrapping_add(Self::EPOCH))
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("threads", &self.has(Self::THREADS))
            .field("tasks", &self.has(Self::TASKS))
            .field("fenced", &self.has(Self::FENCED))
            .field("settled", &self.has(Self::SETTLED))
            .field("epoch", &(self.0 / Self::EPOCH))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::State;
    use std::format;

    #[test]
    fn taking_clears_the_waiters_and_keeps_the_mode() {
        let full = State::new(State::HEAVY).with(State::THREADS | State::TASKS);
        let taken = full.taken();
        assert!(full.is_awaited() && !taken.is_awaited());
        assert!(taken.has(State::FENCED) && taken.has(State::SETTLED));
        assert_ne!(taken, State::new(State::HEAVY));
    }

    #[test]
    fn epoch_wraps_without_touching_the_mode() {
        let last = State::new(!State::SETTLED);
        assert_eq!(last.taken(), State::new(State::FENCED));
    }

    #[test]
    fn quiet_means_neither_awaited_nor_fenced() {
        assert!(State::new(State::LIGHT).is_quiet());
        assert!(!State::new(State::HEAVY).is_quiet());
        assert!(!State::new(State::TASKS).is_quiet());
    }

    #[test]
    fn debug_names_every_bit() {
        let text = format!("{:?}", State::new(State::EPOCH * 5 + State::TASKS));
        assert_eq!(
            text,
            "State { threads: false, tasks: true, fenced: false, settled: false, epoch: 5 }"
        );
    }
}
