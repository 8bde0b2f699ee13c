//! Mutual exclusion where there is no operating system to wait with.
//!
//! ```text
//! States    locked: false open · true held by one guard
//! Lock      L1 locked := true, Acquire, when it was false   L2 otherwise spin on a Relaxed load, then L1 again
//! Unlock    U1 locked := false, Release
//! I1        between L1 and U1 exactly one guard exists, and only it touches the value
//! Pairs     U1↔L1 publishes the value to the next holder
//! Progress  blocking
//! Source    L. Rudolph, Z. Segall, Dynamic Decentralized Cache Schemes, 1984 (test and test-and-set)
//! ```
#![allow(unsafe_code, reason = "a lock is an unsafe cell plus a protocol")]
#![expect(
    clippy::disallowed_types,
    reason = "used only where core's atomics are the real ones; unit tests run it in every build"
)]

use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicBool, Ordering};

/// Mutual exclusion for short internal sections by spinning.
///
/// Progress: blocking. No code of a user's may run while it is held.
#[derive(Debug, Default)]
pub struct SpinLock<T> {
    locked: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: by I1 the value is reached by one thread at a time, so sharing the lock only ever moves it: T: Send is enough.
unsafe impl<T: Send> Sync for SpinLock<T> {}

/// Exclusive access while it is held.
#[derive(Debug)]
pub struct SpinLockGuard<'a, T> {
    lock: &'a SpinLock<T>,
    /// A guard is `&mut T` in disguise, and stays on its thread as std's does: with or without `std`, the same traits.
    _access: PhantomData<(&'a mut T, *const ())>,
}

// SAFETY: by I1 this guard is the only one, and a shared one gives out `&T` only: T: Sync is enough.
unsafe impl<T: Sync> Sync for SpinLockGuard<'_, T> {}

impl<T> SpinLock<T> {
    /// A lock around `value`, open.
    pub const fn new(value: T) -> Self {
        Self {
            locked: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// Waits until nobody else holds the lock, and holds it until the guard is dropped.
    #[inline]
    pub fn lock(&self) -> SpinLockGuard<'_, T> {
        // ORDERING: L1 Acquire pairs with U1; Relaxed on failure, nothing is read then.
        while self
            .locked
            .compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            // ORDERING: L2 Relaxed; a hint when to try L1 again.
            while self.locked.load(Ordering::Relaxed) {
                core::hint::spin_loop();
            }
        }
        SpinLockGuard {
            lock: self,
            _access: PhantomData,
        }
    }

    /// The value, without locking: the exclusive borrow shows that nobody holds it.
    #[inline]
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }
}

impl<T> Deref for SpinLockGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: by I1 this guard is the only one, and it is borrowed shared.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for SpinLockGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: by I1 this guard is the only one, and it is borrowed exclusively.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for SpinLockGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // ORDERING: U1 Release pairs with L1.
        self.lock.locked.store(false, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::{SpinLock, SpinLockGuard};

    /// Ambiguous, and so no build, when a guard is `Send`.
    trait Stays<Where> {
        fn stays() {}
    }
    impl<T: ?Sized> Stays<()> for T {}
    impl<T: ?Sized + Send> Stays<u8> for T {}

    #[test]
    fn a_guard_is_shared_like_its_value_and_stays_on_its_thread() {
        fn is_sync<T: Sync>() {}
        is_sync::<SpinLockGuard<'_, u8>>();
        <SpinLockGuard<'_, u8>>::stays();
    }

    #[test]
    fn counts_of_two_threads_add_up() {
        let rounds = if cfg!(miri) { 20 } else { 10_000 };
        let total = SpinLock::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..rounds {
                        *total.lock() += 1;
                    }
                });
            }
        });
        assert_eq!(*total.lock(), 2 * rounds);
    }

    #[test]
    fn exclusive_borrow_needs_no_lock() {
        let mut lock = SpinLock::new(1);
        *lock.get_mut() = 2;
        assert_eq!(*lock.lock(), 2);
    }
}
