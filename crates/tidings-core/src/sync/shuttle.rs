//! The door in shuttle runs: random schedules over sequentially consistent atomics.
#![allow(
    missing_docs,
    reason = "documented in sync/plain.rs, whose interface this repeats"
)]

use super::mutation;

pub use shuttle::hint::spin_loop;
pub use shuttle::sync::Arc;
pub(crate) use shuttle::sync::{Condvar, Mutex};
pub use shuttle::thread::yield_now;

pub type LockGuard<'a, T> = shuttle::sync::MutexGuard<'a, T>;

pub mod atomic {
    pub use shuttle::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering,
    };
}

pub mod cell {
    pub use super::super::plain_cell::UnsafeCell;
}

pub fn fence(order: atomic::Ordering, step: &'static str) {
    if !mutation::is_off(step) {
        shuttle::sync::atomic::fence(order);
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
