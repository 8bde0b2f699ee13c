//! Waiting for the end of everybody who can hear.
//!
//! ```text
//! States    `watch` of region.rs: null, or the latch on which announcers wait
//! Watch     A1 make the latch, exchange `watch`, AcqRel   A2 exchange counts for counts + WATCH, AcqRel; nobody can hear?
//!           abandoned
//! Pairs     A1, A2→A3 of region.rs publish the latch
//! Progress  lock-free
//! Source    none
//! ```
#![allow(unsafe_code)] // a latch that the region owns

use super::{Region, Role, Strong};
use crate::counts::Counts;
use alloc::boxed::Box;
use tidings_core::sync::atomic::Ordering;
use tidings_core::sync::ordering;
use tidings_core::wait::Latch;

impl<T, R: Role> Strong<T, R> {
    /// A1, A2: the latch that is opened when nobody can hear any more; `None` when that is so already.
    pub(crate) fn watch(&self) -> Option<&Latch> {
        let region = self.region();
        let mut counts = region.counts();
        if !counts.is_heard() {
            return None;
        }
        let latch = region.watch_latch();
        while counts.is_heard() {
            if counts.has(Counts::WATCH) {
                return Some(latch);
            }
            // ORDERING: AcqRel; Release publishes A1 to A3. Acquire on failure, as in `counts`.
            match region.counts.compare_exchange_weak(
                counts.bits(),
                counts.bits() | Counts::WATCH,
                ordering("region A2", Ordering::AcqRel),
                Ordering::Acquire,
            ) {
                Ok(_) => return Some(latch),
                Err(now) => counts = Counts::new(now),
            }
        }
        None
    }
}

impl<T> Region<T> {
    /// A1.
    fn watch_latch(&self) -> &Latch {
        // ORDERING: Acquire pairs with the exchange below by another announcer.
        let mut watch = self.watch.load(Ordering::Acquire);
        if watch.is_null() {
            let new = Box::into_raw(Box::new(Latch::new()));
            // ORDERING: AcqRel; Release publishes the latch, Acquire on failure takes over the other's.
            let exchange = self.watch.compare_exchange(
                watch,
                new,
                ordering("region A1", Ordering::AcqRel),
                Ordering::Acquire,
            );
            watch = match exchange {
                Ok(_) => new,
                Err(other) => {
                    // SAFETY: the box was shown to nobody.
                    drop(unsafe { Box::from_raw(new) });
                    other
                }
            };
        }
        // SAFETY: a latch that was put there lives as long as the region, which `self` keeps.
        unsafe { &*watch }
    }
}
