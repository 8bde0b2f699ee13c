//! Sleeping in the kernel on the word itself.
//!
//! ```text
//! Wait      the kernel compares the word with `expected` and queues the thread in one step
//! Wake      one system call for all sleepers
//! Pairs     the kernel's queue lock orders the compare with a wake that follows a change of the word
//! Progress  blocking
//! Source    U. Drepper, Futexes Are Tricky, 2011
//! ```

use crate::sync::atomic::AtomicU32;
use core::time::Duration;
use rustix::thread::futex::{self, Flags, Timespec};

/// Holds nothing: the queue is the kernel's, keyed by the address of the word.
#[derive(Debug)]
pub(in crate::wait) struct Blocker;

impl Blocker {
    pub(in crate::wait) const fn new() -> Self {
        Self
    }

    /// Sleeps while the word is `expected`; `None` sets no limit of time.
    pub(in crate::wait) fn wait(&self, word: &AtomicU32, expected: u32, timeout: Option<Duration>) {
        // A duration that the kernel's type cannot hold is longer than the machine will live.
        let timeout = timeout.and_then(|limit| Timespec::try_from(limit).ok());
        // Every outcome (woken, word changed, interrupted, timed out) means the same: look again.
        let _ = futex::wait(word, Flags::PRIVATE, expected, timeout.as_ref());
    }

    /// Wakes everybody who sleeps on the word.
    pub(in crate::wait) fn wake_all(&self, word: &AtomicU32) {
        // The only failures are those of a bad address or flag, and a reference is neither.
        let _ = futex::wake(word, Flags::PRIVATE, i32::MAX as u32);
    }
}

#[cfg(test)]
mod tests {
    super::super::contract_tests!(super::Blocker);
}
