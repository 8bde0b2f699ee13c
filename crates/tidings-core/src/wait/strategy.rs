//! How to pass the time before sleeping, or instead of it.

use crate::backoff::spin_hints;
use crate::hint::monitor;
use crate::sync::{spin_loop, yield_now};

/// What a waiting thread does after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// Look at the condition again.
    Check,
    /// Wait for a write to the word that the waiting function was told to watch, for some microseconds at most, then look
    /// again. Where the processor cannot, or there is no such word (rings name one to subscribers, not to publishers), a few
    /// spin hints instead. It occupies the core, so it is for rounds that [`spins`](Strategy::spins) names.
    Watch,
    /// Sleep until the next notification. The condition is looked at once more before the thread really sleeps.
    Park,
}

/// Which rounds of a strategy keep the core busy; see [`Strategy::spins`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spins {
    /// None: every pause gives the core away, or is rare.
    Never,
    /// The first few. Rounds that a thread may not run are skipped: `pause` is then called with `limit` at once.
    Rounds {
        /// Rounds below this number are run without a `SpinToken`, unless there is only one core. Keep them so short that
        /// they cost no more than giving the core away once would.
        free: u32,
        /// Rounds from `free` to below this number are run only by a thread that holds a `SpinToken`.
        limit: u32,
    },
    /// All of them, token or not. On a machine with fewer cores than spinners this brings everything to a crawl.
    Always,
}

/// A policy for waiting threads.
///
/// A thread that finds its condition unmet calls [`pause`](Self::pause) with 0, looks again, calls it with 1, and so on,
/// until the condition holds, its deadline passes, or `pause` says [`Next::Park`]. After a sleep the rounds begin at 0.
/// No lock is held during the call; it may panic, and the panic goes on to whoever called the waiting function.
///
/// # Examples
///
/// A strategy that never spins and yields three times before it sleeps:
///
/// ```
/// use tidings_core::wait::{Next, Strategy};
/// struct ThreeYields;
/// impl Strategy for ThreeYields {
///     fn pause(&self, round: u32) -> Next {
///         if round < 3 {
///             std::thread::yield_now();
///             Next::Check
///         } else {
///             Next::Park
///         }
///     }
/// }
/// assert_eq!(ThreeYields.pause(3), Next::Park);
/// ```
pub trait Strategy {
    /// Makes one short pause (the `round`-th in a row, counted from 0, staying at `u32::MAX`) and says how to go on.
    fn pause(&self, round: u32) -> Next;

    /// Which rounds spin. The default, [`Spins::Never`], fits every strategy that yields, sleeps or parks.
    #[inline]
    fn spins(&self) -> Spins {
        Spins::Never
    }
}

impl<S: Strategy + ?Sized> Strategy for &S {
    #[inline]
    fn pause(&self, round: u32) -> Next {
        (**self).pause(round)
    }

    #[inline]
    fn spins(&self) -> Spins {
        (**self).spins()
    }
}

/// The policies that come with the crate. The default is [`WaitStrategy::ADAPTIVE`].
///
/// | strategy | needs a spin token | sleeps | for |
/// |---|---|---|---|
/// | `BusySpin` | no | never | a core of one's own, and nothing else counts |
/// | `Spin` | after a few rounds, yields without | never | low latency beside other work |
/// | `Yield` | no | never | more threads than cores that all have work |
/// | `Backoff` | after a few rounds, yields without | never | short waits of unknown length |
/// | `Adaptive` | after a few rounds, yields and sleeps without | yes | everything else |
/// | `Monitor` | at once where the processor can watch a word, yields and sleeps without | yes | as `Adaptive`, with less heat |
/// | `Park` | no | yes, at once | long waits, many waiters |
///
/// # Examples
///
/// ```
/// use tidings_core::wait::WaitStrategy;
/// assert_eq!(WaitStrategy::default(), WaitStrategy::ADAPTIVE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WaitStrategy {
    /// Spins without a token and without ever giving the core away.
    BusySpin,
    /// Spins while it holds a token, otherwise yields.
    Spin,
    /// Gives the core away each round.
    Yield,
    /// Spins for 1, 2, 4 … hints while it holds a token, then yields.
    Backoff,
    /// Spins while it holds a token, then yields, then sleeps.
    Adaptive {
        /// Rounds of one spin hint each.
        spins: u32,
        /// Rounds that give the core away.
        yields: u32,
    },
    /// Watches the word that is written next, by the processor's own means ([`has_monitor`](Self::has_monitor)), while it holds
    /// a token; then yields, then sleeps. Where there are no such means it is [`ADAPTIVE`](Self::ADAPTIVE).
    Monitor,
    /// Sleeps at once.
    Park,
}

impl WaitStrategy {
    /// Rounds of `Monitor` that watch, each for some microseconds at most.
    const WATCHES: u32 = 16;

    /// Whether this processor can wait for a write to a word: UMWAIT or MWAITX on x86-64, an armed exclusive monitor and WFE
    /// on AArch64 with Linux. Under a hypervisor it often cannot. Never under Miri and in model runs, nor without `std`.
    ///
    /// # Examples
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use std::sync::atomic::{AtomicU64, Ordering::{Acquire, Release}};
    /// use tidings_core::wait::{Deadline, Event, WaitStrategy};
    /// let (event, word) = (Event::new(), AtomicU64::new(0));
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         word.store(7, Release);
    ///         event.notify();
    ///     });
    ///     let look = || Some(word.load(Acquire)).filter(|&seen| seen != 0);
    ///     let monitor = WaitStrategy::Monitor; // right with and without the instructions
    ///     assert_eq!(event.wait_until_watching(&monitor, Deadline::NEVER, &word, look), Some(7));
    /// });
    /// # }
    /// ```
    #[must_use]
    pub fn has_monitor() -> bool {
        monitor::is_there()
    }

    fn watches() -> u32 {
        if Self::has_monitor() {
            Self::WATCHES
        } else {
            Self::DEFAULT_SPINS
        }
    }

    /// Spin rounds of [`ADAPTIVE`](Self::ADAPTIVE). Chosen so that spinning in vain costs about as much time as going
    /// to sleep and being woken: the total is then at most twice that of whichever would have been right (A. Karlin et
    /// al., Competitive Randomized Algorithms for Nonuniform Problems, 1990).
    pub const DEFAULT_SPINS: u32 = 128;

    /// Yield rounds of [`ADAPTIVE`](Self::ADAPTIVE). A few: enough that on a busy machine whoever has work gets a turn
    /// before the waiter pays for a sleep, few enough that an idle one does not burn a core.
    pub const DEFAULT_YIELDS: u32 = 4;

    /// The default: spin, yield, sleep.
    pub const ADAPTIVE: Self = Self::Adaptive {
        spins: Self::DEFAULT_SPINS,
        yields: Self::DEFAULT_YIELDS,
    };

    /// Spin hints that `Spin` and `Adaptive` execute before they ask for a token (`Backoff`: 15), unless there is one
    /// core. Together they take about as long as one yield, so that a thread which then gets no token has at most
    /// doubled the price of its first pause; a message that is on its way from another core arrives within them.
    pub const FREE_SPINS: u32 = 24;

    /// Rounds of `Backoff` that spin; the last one executes 2^(this − 1) hints.
    const BACKOFF_SPINS: u32 = 7;
    /// Rounds of `Backoff` that need no token: 1 + 2 + 4 + 8 hints.
    const BACKOFF_FREE: u32 = 4;
}

impl Default for WaitStrategy {
    fn default() -> Self {
        Self::ADAPTIVE
    }
}

#[inline]
fn spin_once() -> Next {
    spin_loop();
    Next::Check
}

#[inline]
fn yield_once() -> Next {
    yield_now();
    Next::Check
}

impl Strategy for WaitStrategy {
    #[inline]
    fn pause(&self, round: u32) -> Next {
        match *self {
            Self::BusySpin => spin_once(),
            Self::Spin if round < u32::MAX => spin_once(),
            Self::Backoff if round < Self::BACKOFF_SPINS => {
                spin_hints(round);
                Next::Check
            }
            Self::Spin | Self::Yield | Self::Backoff => yield_once(),
            Self::Adaptive { spins, .. } if round < spins => spin_once(),
            Self::Adaptive { spins, yields } if round < spins.saturating_add(yields) => {
                yield_once()
            }
            Self::Monitor if round < Self::WATCHES && Self::has_monitor() => Next::Watch,
            Self::Monitor => match round.checked_sub(Self::watches()) {
                None => spin_once(),
                Some(round) if round < Self::DEFAULT_YIELDS => yield_once(),
                Some(_) => Next::Park,
            },
            Self::Adaptive { .. } | Self::Park => Next::Park,
        }
    }

    #[inline]
    fn spins(&self) -> Spins {
        match *self {
            Self::BusySpin => Spins::Always,
            Self::Spin => Spins::Rounds {
                free: Self::FREE_SPINS,
                limit: u32::MAX,
            },
            Self::Backoff => Spins::Rounds {
                free: Self::BACKOFF_FREE,
                limit: Self::BACKOFF_SPINS,
            },
            Self::Adaptive { spins, .. } => Spins::Rounds {
                free: Self::FREE_SPINS,
                limit: spins,
            },
            Self::Monitor => Spins::Rounds {
                free: if Self::has_monitor() {
                    0
                } else {
                    Self::FREE_SPINS
                },
                limit: Self::watches(),
            },
            Self::Yield | Self::Park => Spins::Never,
        }
    }
}
