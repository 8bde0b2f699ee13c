//! What a consumer does beside calling its handler.

use super::options::PanicPolicy;
use alloc::boxed::Box;
use core::fmt;
use tidings_core::wait::Strategy;

/// A function of the sizes of a batch.
type OnBatch = Box<dyn FnMut(u64, u64) + Send>;

/// See the module.
pub(crate) struct Hooks {
    /// `None`: that of the ring.
    pub(super) strategy: Option<Box<dyn Strategy + Send>>,
    pub(super) batch_limit: u64,
    pub(super) panics: PanicPolicy,
    pub(super) on_batch_start: Option<OnBatch>,
    pub(super) on_idle: Option<Box<dyn FnMut() + Send>>,
    pub(super) on_lag: Option<Box<dyn FnMut(u64) + Send>>,
}

impl Hooks {
    pub(super) fn new() -> Self {
        Self {
            strategy: None,
            batch_limit: u64::MAX,
            panics: PanicPolicy::Halt,
            on_batch_start: None,
            on_idle: None,
            on_lag: None,
        }
    }

    #[inline]
    pub(super) fn batch_started(&mut self, size: u64, depth: u64) {
        if let Some(on_batch_start) = &mut self.on_batch_start {
            on_batch_start(size, depth);
        }
    }

    #[inline]
    pub(super) fn idle(&mut self) {
        if let Some(on_idle) = &mut self.on_idle {
            on_idle();
        }
    }

    #[cold]
    pub(super) fn lagged(&mut self, skipped: u64) {
        if let Some(on_lag) = &mut self.on_lag {
            on_lag(skipped);
        }
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hooks")
            .field("batch_limit", &self.batch_limit)
            .field("panics", &self.panics)
            .finish_non_exhaustive()
    }
}
