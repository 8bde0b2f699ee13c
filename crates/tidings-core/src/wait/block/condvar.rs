//! Sleeping on a condition variable, where there is no futex.
//!
//! ```text
//! Wait      B1 take the lock   B2 word still expected?   B3 sleep, giving the lock away in the same step
//! Wake      K1 (the caller has changed the word)   K2 take the lock and give it back   K3 notify all
//! I1        a waiter whose B2 ran before K2 sleeps before K2 and is reached by K3; one whose B2 runs after K2 sees K1
//! Pairs     K2↔B1, the lock
//! Progress  blocking
//! Source    B. W. Lampson, D. D. Redell, Experience with Processes and Monitors in Mesa, 1980
//! ```
#![cfg_attr(
    all(target_os = "linux", not(any(loom, shuttle, tidings_portable))),
    allow(dead_code, reason = "compiled and tested beside the futex")
)]

use crate::sync::atomic::{AtomicU32, Ordering};
use crate::sync::{Condvar, Mutex, mutant};
use core::time::Duration;
use std::sync::PoisonError;

/// The lock and the queue of one event.
#[derive(Debug)]
pub(in crate::wait) struct Blocker {
    lock: Mutex<()>,
    sleepers: Condvar,
}

impl Blocker {
    #[cfg(not(any(loom, shuttle)))]
    pub(in crate::wait) const fn new() -> Self {
        Self {
            lock: Mutex::new(()),
            sleepers: Condvar::new(),
        }
    }

    #[cfg(any(loom, shuttle))]
    pub(in crate::wait) fn new() -> Self {
        Self {
            lock: Mutex::new(()),
            sleepers: Condvar::new(),
        }
    }

    /// Sleeps while the word is `expected`; `None` sets no limit of time.
    pub(in crate::wait) fn wait(&self, word: &AtomicU32, expected: u32, timeout: Option<Duration>) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        // ORDERING: B2 Relaxed; by I1 the lock orders it with K1.
        if word.load(Ordering::Relaxed) != expected {
            return;
        }
        // Woken, timed out and poisoned mean the same: look again.
        match timeout {
            Some(limit) => drop(self.sleepers.wait_timeout(guard, limit)),
            None => drop(self.sleepers.wait(guard)),
        }
    }

    /// Wakes everybody who sleeps; the word has been changed before.
    pub(in crate::wait) fn wake_all(&self, _word: &AtomicU32) {
        if !mutant("block K2") {
            drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        }
        self.sleepers.notify_all();
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    super::super::contract_tests!(super::Blocker);
}
