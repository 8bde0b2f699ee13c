//! No operating system, no sleeping threads, nobody to wake.

use crate::sync::atomic::AtomicU32;

/// Holds nothing.
#[derive(Debug)]
pub(in crate::wait) struct Blocker;

impl Blocker {
    pub(in crate::wait) const fn new() -> Self {
        Self
    }

    pub(in crate::wait) const fn wake_all(&self, _word: &AtomicU32) {}
}
