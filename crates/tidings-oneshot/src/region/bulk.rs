//! Many listeners, counted at once.
#![allow(unsafe_code)] // units of the count that are handles only when they are taken

use super::{Listening, Making, Region, Strong, TOO_MANY, leave};
use crate::counts::Counts;
use core::marker::PhantomData;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr::NonNull;
use tidings_core::sync::atomic::Ordering;

/// Listeners that were counted but not handed out yet.
pub(crate) struct Bulk<T> {
    /// There while there is a listener left, which then keeps it.
    region: Option<NonNull<Region<T>>>,
    left: u32,
    owns: PhantomData<Region<T>>,
}

// SAFETY: as for the handles that come out of it.
unsafe impl<T: Send + Sync> Send for Bulk<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Bulk<T> {}
// As for the handles.
impl<T> Unpin for Bulk<T> {}
impl<T: RefUnwindSafe> UnwindSafe for Bulk<T> {}
impl<T: RefUnwindSafe> RefUnwindSafe for Bulk<T> {}

impl<T> Bulk<T> {
    pub(crate) const fn left(&self) -> usize {
        self.left as usize
    }

    #[inline]
    pub(crate) fn next(&mut self) -> Option<Strong<T, Listening>> {
        let region = self.region?;
        self.left -= 1;
        if self.left == 0 {
            self.region = None;
        }
        Some(Strong::adopt(region))
    }
}

impl<T> Drop for Bulk<T> {
    fn drop(&mut self) {
        if let Some(region) = self.region {
            // SAFETY: the listeners that are left are this one's.
            unsafe { leave(region, u64::from(self.left) * Counts::LISTENER) };
        }
    }
}

impl<T> Strong<T, Making> {
    /// As many listeners at once.
    ///
    /// # Panics
    /// When there would be too many.
    pub(crate) fn listeners(&self, n: usize) -> Bulk<T> {
        // More than fit are refused as too many.
        let left = u32::try_from(n).unwrap_or(u32::MAX);
        if left > 0 {
            self.region().add_listeners(left);
        }
        Bulk {
            region: (left > 0).then_some(self.region),
            left,
            owns: PhantomData,
        }
    }
}

impl<T> Region<T> {
    /// J1 of many; exact, because so many at once could run over.
    fn add_listeners(&self, n: u32) {
        let mut counts = self.counts();
        loop {
            let room = Counts::MOST_LISTENERS.saturating_sub(counts.listeners());
            assert!(n <= room, "{TOO_MANY}");
            // ORDERING: Relaxed; as J1.
            match self.counts.compare_exchange_weak(
                counts.bits(),
                counts.bits() + u64::from(n) * Counts::LISTENER,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(now) => counts = Counts::new(now),
            }
        }
    }
}
