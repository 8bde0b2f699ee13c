//! The loop in which a thread waits: strategy, spin token, deadline, sleep.
//!
//! The protocols of the sleep are in event.rs and latch.rs; here is what surrounds it. The condition is always looked at once, also
//! after a deadline that has passed, and once more after the clock said so. The clock is read in every
//! 64th spin round ([`CLOCK_STRIDE`]) and in each round that does not spin.

use super::event::Event;
use super::strategy::{Next, Spins, Strategy};
use super::{Deadline, SpinToken};
use crate::backoff::spin_hints;
use crate::hint::monitor;
use crate::sync::{atomic::AtomicU64, mutant};

/// Spin rounds between two looks at the clock; a power of two.
const CLOCK_STRIDE: u32 = 64;

/// 2^this spin hints stand for a watch where none is possible.
const WATCH_HINTS: u32 = 3;

const _: () = assert!(CLOCK_STRIDE.is_power_of_two());

/// Where a thread stands in its strategy.
struct Rounds<'a, S: ?Sized> {
    strategy: &'a S,
    round: u32,
    /// Rounds below this number spin without a token.
    free: u32,
    /// Rounds below this number spin.
    limit: u32,
    /// Held in the rounds from `free` to below `limit`.
    token: Option<SpinToken>,
}

impl<'a, S: Strategy + ?Sized> Rounds<'a, S> {
    fn new(strategy: &'a S) -> Self {
        let (free, limit) = match strategy.spins() {
            Spins::Never => (0, 0),
            Spins::Always => (u32::MAX, u32::MAX),
            Spins::Rounds { limit, .. } if SpinToken::limit() == 0 => (0, limit),
            Spins::Rounds { free, limit } => (free.min(limit), limit),
        };
        Self {
            strategy,
            round: 0,
            free,
            limit,
            token: None,
        }
    }

    fn restart(&mut self) {
        self.round = 0;
        self.token = None;
    }

    fn pause(&mut self) -> Next {
        if self.round >= self.free {
            self.balance_token();
        }
        let next = self.strategy.pause(self.round);
        self.round = self.round.saturating_add(1);
        next
    }

    /// Takes the token where the free rounds end, skips the rounds that need it when there is none, gives it back where
    /// they end.
    fn balance_token(&mut self) {
        if self.round >= self.limit {
            self.token = None;
        } else if self.token.is_none() {
            self.token = SpinToken::try_acquire();
            if self.token.is_none() {
                self.round = self.limit;
            }
        }
    }

    fn is_clock_due(&self) -> bool {
        self.round >= self.limit || self.round % CLOCK_STRIDE == CLOCK_STRIDE - 1
    }
}

/// How a sleep ended.
pub(super) enum Sleep<R> {
    /// The condition held before the thread slept.
    Found(R),
    /// The thread slept, or the deadline passed, or the word changed before.
    Over,
}

impl Event {
    /// Waits until `check` returns something, or the deadline passes (then `None`).
    ///
    /// `check` runs at least once, also when the deadline has passed already, and once more after it has.
    ///
    /// # Progress and cost
    /// Blocks on purpose. When the first look succeeds nothing else happens. Spin rounds hold a [`SpinToken`]; a thread
    /// that gets none skips them. Each sleep costs a fence or a `membarrier`, and a system call.
    ///
    /// # Panics
    /// When `check` or `strategy` does; the event stays usable and the spin token is given back.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    /// use tidings_core::wait::{Deadline, Event, WaitStrategy};
    /// let event = Event::new();
    /// let soon = Deadline::after(Duration::from_millis(1));
    /// assert_eq!(event.wait_until(&WaitStrategy::Park, soon, || None::<()>), None);
    /// ```
    #[inline]
    pub fn wait_until<R>(
        &self,
        strategy: &(impl Strategy + ?Sized),
        deadline: Deadline,
        mut check: impl FnMut() -> Option<R>,
    ) -> Option<R> {
        match check() {
            Some(found) => Some(found),
            None => pass_time(strategy, deadline, None, &mut check, |deadline, check| {
                self.sleep(deadline, check)
            }),
        }
    }

    /// [`wait_until`](Self::wait_until) that knows which word will be written when the condition comes to hold. It is only
    /// watched, by strategies that do so ([`Next::Watch`]), and never read here.
    ///
    /// # Progress and cost
    /// As [`wait_until`](Self::wait_until).
    ///
    /// # Panics
    /// As [`wait_until`](Self::wait_until).
    #[inline]
    pub fn wait_until_watching<R>(
        &self,
        strategy: &(impl Strategy + ?Sized),
        deadline: Deadline,
        word: &AtomicU64,
        mut check: impl FnMut() -> Option<R>,
    ) -> Option<R> {
        match check() {
            Some(found) => Some(found),
            None => pass_time(
                strategy,
                deadline,
                Some(word),
                &mut check,
                |deadline, check| self.sleep(deadline, check),
            ),
        }
    }

    /// W1 to W4 of a thread.
    #[cold]
    fn sleep<R>(&self, deadline: Deadline, check: &mut impl FnMut() -> Option<R>) -> Sleep<R> {
        let state = self.announce_thread();
        if !mutant("event W3") {
            if let Some(found) = check() {
                return Sleep::Found(found);
            }
        }
        let left = deadline.remaining();
        if !left.is_some_and(|left| left.is_zero()) {
            self.blocker.wait(&self.state, state.bits(), left); // W4
        }
        Sleep::Over
    }
}

/// Passes the time by `strategy` until `check` finds something or the deadline passes; `sleep` puts the thread to sleep
/// after it has looked once more.
#[inline(never)]
pub(super) fn pass_time<R, S: Strategy + ?Sized, C: FnMut() -> Option<R>>(
    strategy: &S,
    deadline: Deadline,
    word: Option<&AtomicU64>,
    check: &mut C,
    sleep: impl Fn(Deadline, &mut C) -> Sleep<R>,
) -> Option<R> {
    // A deadline that has passed already is not worth a pause.
    if deadline.has_passed() {
        return check();
    }
    let mut rounds = Rounds::new(strategy);
    loop {
        if !deadline.is_never() && rounds.is_clock_due() && deadline.has_passed() {
            return check();
        }
        match rounds.pause() {
            Next::Check => {}
            Next::Watch => {
                if let Some(found) = watch(word, check) {
                    return Some(found);
                }
                if deadline.has_passed() {
                    return check();
                }
            }
            Next::Park => {
                rounds.restart();
                if let Sleep::Found(found) = sleep(deadline, check) {
                    return Some(found);
                }
            }
        }
        if let Some(found) = check() {
            return Some(found);
        }
    }
}

/// Looks once more while the word is watched, and waits for a write to it; without a word, or the means, spins for a moment.
fn watch<R>(word: Option<&AtomicU64>, check: &mut impl FnMut() -> Option<R>) -> Option<R> {
    let Some(word) = word.filter(|_| monitor::is_there()) else {
        spin_hints(WATCH_HINTS);
        return None;
    };
    let mut found = None;
    monitor::wait(word, || {
        found = check();
        found.is_none()
    });
    found
}
