//! Weak handles.
//!
//! ```text
//! States    `weaks` of region.rs: weak handles, plus one for all that are not weak
//! Weaken    K1 set WEAK in counts, Relaxed   K2 weaks + 1, Relaxed
//! Upgrade   J2 exchange counts for counts + 1 listener, Relaxed, only while somebody can hear   J3 and the value was not
//!           TAKEN
//! Leave     E2, E3 of region.rs
//! I1        a weak handle keeps the memory (region.rs I1): it touches `counts` and `weaks`, never the board
//! I2        who can hear has a handle, so after J2 the board is there
//! Pairs     K1→R1, R2 of region.rs, in one word: who ends the region after K1 sees WEAK; K2→E2
//! Progress  J2 lock-free, the rest wait-free
//! Source    the standard library's Weak
//! ```
#![allow(unsafe_code)] // memory of which only two words may be touched

use super::{Listening, Region, Strong, TOO_MANY};
use crate::counts::Counts;
use core::marker::PhantomData;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr::NonNull;
use tidings_core::sync::atomic::Ordering;
use tidings_core::sync::mutant;

/// A handle that keeps the memory, but neither value nor channel.
pub(crate) struct Weak<T> {
    region: NonNull<Region<T>>,
    owns: PhantomData<Region<T>>,
}

// SAFETY: it can become a listener on any thread.
unsafe impl<T: Send + Sync> Send for Weak<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Weak<T> {}
// A pointer: moving it moves no value.
impl<T> Unpin for Weak<T> {}
impl<T: RefUnwindSafe> UnwindSafe for Weak<T> {}
impl<T: RefUnwindSafe> RefUnwindSafe for Weak<T> {}

impl<T> Strong<T, Listening> {
    /// K1, K2.
    pub(crate) fn downgrade(&self) -> Weak<T> {
        let region = self.region();
        if !region.counts().has(Counts::WEAK) && !mutant("weak K1") {
            // ORDERING: Relaxed; R2 of this handle comes later in the same word, and so does the end.
            region.counts.fetch_or(Counts::WEAK, Ordering::Relaxed);
        }
        Weak::join(self.region)
    }
}

impl<T> Weak<T> {
    /// As many as one channel may have; the unit of all other handles is counted beside them.
    const MOST: u32 = 1 << 31;

    /// K2.
    fn join(region: NonNull<Region<T>>) -> Self {
        // SAFETY: the caller's handle, strong or weak, keeps the memory; the board, which may be ending, is not borrowed.
        let weaks = unsafe { &(*region.as_ptr()).weaks };
        // ORDERING: Relaxed; as J1.
        if weaks.fetch_add(1, Ordering::Relaxed) > Self::MOST {
            weaks.fetch_sub(1, Ordering::Relaxed);
            panic!("{TOO_MANY}");
        }
        Self {
            region,
            owns: PhantomData,
        }
    }

    /// J2, J3.
    pub(crate) fn upgrade(&self) -> Option<Strong<T, Listening>> {
        // SAFETY: by I1 this handle keeps the memory; only the word is looked at, never the board.
        let word = unsafe { &(*self.region.as_ptr()).counts };
        // ORDERING: Relaxed; a first guess.
        let mut counts = Counts::new(word.load(Ordering::Relaxed));
        while (counts.is_heard() || mutant("weak J2"))
            && (!counts.has(Counts::TAKEN) || mutant("weak J3"))
        {
            assert!(!counts.is_full_of(Counts::LISTENER), "{TOO_MANY}");
            // ORDERING: Relaxed, as J1: the region was whole before there was a weak handle, the value comes through the latch,
            // and who ends the region acquires in R1 or R3 by the chain that this exchange continues.
            match word.compare_exchange_weak(
                counts.bits(),
                counts.bits() + Counts::LISTENER,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Some(Strong::adopt(self.region)),
                Err(now) => counts = Counts::new(now),
            }
        }
        None
    }
}

impl<T> Clone for Weak<T> {
    fn clone(&self) -> Self {
        Self::join(self.region)
    }
}

impl<T> Drop for Weak<T> {
    fn drop(&mut self) {
        // SAFETY: its own unit.
        unsafe { Region::leave_memory(self.region) };
    }
}
