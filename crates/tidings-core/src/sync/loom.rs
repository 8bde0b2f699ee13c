//! The door in loom runs: every type is loom's, every named step can be switched off.
#![allow(
    missing_docs,
    reason = "documented in sync/plain.rs, whose interface this repeats"
)]

use super::mutation;

pub use loom::hint::spin_loop;
pub use loom::sync::Arc;
pub(crate) use loom::sync::{Condvar, Mutex};
pub use loom::thread::yield_now;

pub type LockGuard<'a, T> = loom::sync::MutexGuard<'a, T>;

pub mod atomic {
    pub use loom::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering,
    };
}

pub mod cell {
    pub use loom::cell::UnsafeCell;
}

#[track_caller]
pub fn fence(order: atomic::Ordering, step: &'static str) {
    if !mutation::is_off(step) {
        loom::sync::atomic::fence(order);
    }
}

#[must_use]
pub fn mutant(step: &'static str) -> bool {
    mutation::is_off(step)
}

#[derive(Debug, Default)]
pub struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    #[track_caller]
    pub fn lock(&self) -> LockGuard<'_, T> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.0
            .get_mut()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
