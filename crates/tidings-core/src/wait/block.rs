//! Putting threads to sleep on the word of an event, and waking them all.
//!
//! | module | when |
//! |---|---|
//! | `futex` | Linux with `std` |
//! | `condvar` | other systems with `std`, loom, shuttle, `--cfg tidings_portable` |
//! | `absent` | without `std`: nobody can sleep |
//!
//! Contract: `wait` returns at once when the word differs from `expected`, and otherwise sleeps until `wake_all` is called
//! after a change of the word, the timeout passes, or for no reason. Callers look at their condition again.

/// What every backend promises, as tests that each one instantiates.
#[cfg(all(test, feature = "std", not(any(loom, shuttle))))]
macro_rules! contract_tests {
    ($blocker:ty) => {
        use crate::sync::atomic::{AtomicU32, Ordering};
        use core::time::Duration;
        use std::time::Instant;

        #[test]
        fn another_value_does_not_sleep() {
            <$blocker>::new().wait(&AtomicU32::new(1), 2, None);
        }

        #[test]
        fn a_timeout_ends_the_sleep() {
            let (word, limit) = (AtomicU32::new(1), Duration::from_millis(5));
            let (blocker, start) = (<$blocker>::new(), Instant::now());
            // A sleep may end early for no reason, so it is begun until the time is over.
            while start.elapsed() < limit {
                blocker.wait(&word, 1, Some(limit));
            }
        }

        #[test]
        fn one_wake_reaches_every_sleeper() {
            let (word, blocker) = (AtomicU32::new(1), <$blocker>::new());
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| {
                        while word.load(Ordering::Acquire) == 1 {
                            blocker.wait(&word, 1, None);
                        }
                    });
                }
                std::thread::yield_now();
                word.store(2, Ordering::Release);
                blocker.wake_all(&word);
            });
        }
    };
}
#[cfg(all(test, feature = "std", not(any(loom, shuttle))))]
use contract_tests;

#[cfg(not(feature = "std"))]
mod absent;
#[cfg(feature = "std")]
mod condvar;
#[cfg(all(feature = "std", target_os = "linux", not(any(loom, shuttle))))]
#[cfg_attr(
    tidings_portable,
    allow(dead_code, reason = "compiled and tested beside the portable one")
)]
mod futex;

#[cfg(not(feature = "std"))]
pub(super) use absent::Blocker;
#[cfg(all(
    feature = "std",
    any(not(target_os = "linux"), loom, shuttle, tidings_portable)
))]
pub(super) use condvar::Blocker;
#[cfg(all(
    feature = "std",
    target_os = "linux",
    not(any(loom, shuttle, tidings_portable))
))]
pub(super) use futex::Blocker;
