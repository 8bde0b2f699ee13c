//! The door in plain builds: `core`'s atomics, std's mutex.
#![expect(
    clippy::disallowed_methods,
    reason = "this file is the door through which the fence comes"
)]

pub use alloc::sync::Arc;
pub use core::hint::spin_loop;
pub use host::{Lock, LockGuard, yield_now};
#[cfg(feature = "std")]
pub(crate) use std::sync::{Condvar, Mutex};

pub(super) mod atomic {
    #[cfg(target_has_atomic = "64")]
    pub use core::sync::atomic::AtomicU64;
    pub use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicUsize, Ordering};
}

#[cfg(feature = "std")]
pub(super) mod thread {
    pub use std::thread::{Builder, JoinHandle, current};
}

pub(super) mod cell {
    pub use super::super::plain_cell::UnsafeCell;
}

/// A fence named after its protocol step; the name costs nothing here.
///
/// # Examples
///
/// ```
/// use tidings_core::sync::{atomic::Ordering, fence};
/// fence(Ordering::Release, "slot P2");
/// ```
#[inline(always)]
pub fn fence(order: atomic::Ordering, step: &'static str) {
    let _ = step;
    core::sync::atomic::fence(order);
}

/// Whether a model run has switched this protocol step off: never, in plain builds.
///
/// # Examples
///
/// ```
/// assert!(!tidings_core::sync::mutant("gate J3"));
/// ```
#[inline(always)]
#[must_use]
pub const fn mutant(step: &'static str) -> bool {
    let _ = step;
    false
}

/// The ordering of the access that is this protocol step; a model run that has switched the step off gets `Relaxed`.
///
/// # Examples
///
/// ```
/// use tidings_core::sync::{atomic::Ordering, ordering};
/// assert_eq!(ordering("gate L1", Ordering::Release), Ordering::Release);
/// ```
#[inline(always)]
#[must_use]
pub const fn ordering(step: &'static str, order: atomic::Ordering) -> atomic::Ordering {
    let _ = step;
    order
}

/// What takes an operating system.
#[cfg(feature = "std")]
mod host {
    pub use std::thread::yield_now;

    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// Exclusive access while it is held.
    pub type LockGuard<'a, T> = MutexGuard<'a, T>;

    /// Mutual exclusion for short internal sections; a panic inside does not poison it.
    ///
    /// Progress: blocking. No code of a user's may run while it is held.
    #[derive(Debug, Default)]
    pub struct Lock<T>(Mutex<T>);

    impl<T> Lock<T> {
        /// A lock around `value`, open.
        pub const fn new(value: T) -> Self {
            Self(Mutex::new(value))
        }

        /// Waits until nobody else holds the lock, and holds it until the guard is dropped.
        #[inline]
        pub fn lock(&self) -> LockGuard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// The value, without locking: the exclusive borrow shows that nobody holds it.
        #[inline]
        pub fn get_mut(&mut self) -> &mut T {
            self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

/// What stands in where there is no operating system to ask: a spin lock, and a spin hint instead of a yield.
#[cfg(not(feature = "std"))]
mod host {
    pub use core::hint::spin_loop as yield_now;

    pub use super::super::spin::{SpinLock as Lock, SpinLockGuard as LockGuard};
}
