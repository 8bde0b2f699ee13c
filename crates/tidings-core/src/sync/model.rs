//! The door in model runs: every type is the checker's, every named step can be switched off.
//!
//! The checker is loom (every interleaving and stale read, within bounds) or shuttle (random schedules over sequentially
//! consistent atomics). The two have one interface but for the cell, which shuttle lacks.
#![allow(
    missing_docs,
    reason = "documented in sync/plain.rs, whose interface this repeats"
)]

#[cfg(loom)]
use loom as checker;
#[cfg(shuttle)]
use shuttle as checker;

use super::mutation;
use std::sync::PoisonError;

pub use checker::hint::spin_loop;
pub use checker::sync::Arc;
pub(crate) use checker::sync::{Condvar, Mutex};
pub use checker::thread::yield_now;

pub type LockGuard<'a, T> = checker::sync::MutexGuard<'a, T>;

pub(super) mod atomic {
    pub use super::checker::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering,
    };
}

pub(super) mod thread {
    pub use super::checker::thread::{Builder, JoinHandle, current};
}

pub(super) mod cell {
    #[cfg(shuttle)]
    pub use super::super::plain_cell::UnsafeCell;
    #[cfg(loom)]
    pub use super::checker::cell::UnsafeCell;
}

#[track_caller]
pub fn fence(order: atomic::Ordering, step: &'static str) {
    if !mutation::is_off(step) {
        checker::sync::atomic::fence(order);
    }
}

#[must_use]
pub fn mutant(step: &'static str) -> bool {
    mutation::is_off(step)
}

#[must_use]
pub fn ordering(step: &'static str, order: atomic::Ordering) -> atomic::Ordering {
    if mutation::is_off(step) {
        atomic::Ordering::Relaxed
    } else {
        order
    }
}

#[derive(Debug, Default)]
pub struct Lock<T>(Mutex<T>);

impl<T> Lock<T> {
    pub fn new(value: T) -> Self {
        Self(Mutex::new(value))
    }

    #[track_caller]
    pub fn lock(&self) -> LockGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
