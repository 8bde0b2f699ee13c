//! Wakers that own nothing, and a ledger in which each clone, wake and drop is entered.
//!
//! What is dropped twice, or after its ledger, fails an assertion instead of corrupting memory.
#![allow(unsafe_code, reason = "only a raw waker can see its clones")]
#![allow(dead_code, reason = "shared by binaries that each use some of it")]

use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::{RawWaker, RawWakerVTable, Waker};

/// The accounts of all wakers that come from it; must outlive them.
pub struct Ledger(NonNull<Page>);

struct Page {
    alive: AtomicUsize,
    clones: AtomicUsize,
    wakes: AtomicUsize,
    on_wake: Box<dyn Fn() + Send + Sync>,
}

// SAFETY: the page is shared, and made of what threads may share.
unsafe impl Send for Ledger {}
// SAFETY: as above.
unsafe impl Sync for Ledger {}

impl Default for Ledger {
    fn default() -> Self {
        Self::calling(|| {})
    }
}

impl Ledger {
    /// Wakers that call `on_wake` when they are woken.
    pub fn calling(on_wake: impl Fn() + Send + Sync + 'static) -> Self {
        let page = Box::new(Page {
            alive: AtomicUsize::new(0),
            clones: AtomicUsize::new(0),
            wakes: AtomicUsize::new(0),
            on_wake: Box::new(on_wake),
        });
        Self(NonNull::from(Box::leak(page)))
    }

    pub fn waker(&self) -> Waker {
        self.page().alive.fetch_add(1, SeqCst);
        // SAFETY: the functions of the table treat the pointer as what it is, a page that outlives its wakers.
        unsafe { Waker::from_raw(raw(self.0.as_ptr().cast_const().cast())) }
    }

    /// Wakers that were made or cloned, and neither dropped nor woken by value.
    pub fn alive(&self) -> usize {
        self.page().alive.load(SeqCst)
    }

    pub fn clones(&self) -> usize {
        self.page().clones.load(SeqCst)
    }

    pub fn wakes(&self) -> usize {
        self.page().wakes.load(SeqCst)
    }

    fn page(&self) -> &Page {
        // SAFETY: the page is freed by the ledger's destructor alone.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Ledger {
    /// Keeps the page when a waker is left, and fails.
    fn drop(&mut self) {
        let alive = self.alive();
        if alive == 0 {
            // SAFETY: it came from a box, and no waker leads to it any more.
            drop(unsafe { Box::from_raw(self.0.as_ptr()) });
        } else if !std::thread::panicking() {
            panic!("{alive} wakers were never dropped");
        }
    }
}

static TABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, strike);

fn raw(data: *const ()) -> RawWaker {
    RawWaker::new(data, &TABLE)
}

/// # Safety
/// The pointer is that of a ledger's page, which is there.
unsafe fn page<'a>(data: *const ()) -> &'a Page {
    // SAFETY: by the contract of this function.
    unsafe { &*data.cast() }
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: the contract of the table is the contract of `page`.
    let page = unsafe { page(data) };
    page.clones.fetch_add(1, SeqCst);
    page.alive.fetch_add(1, SeqCst);
    raw(data)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: the caller gives a waker away; it is alive until it is struck out, also when the callback panics.
    let waker = unsafe { Waker::from_raw(raw(data)) };
    waker.wake_by_ref();
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: as in `clone`.
    let page = unsafe { page(data) };
    page.wakes.fetch_add(1, SeqCst);
    (page.on_wake)();
}

unsafe fn strike(data: *const ()) {
    // SAFETY: as in `clone`.
    let page = unsafe { page(data) };
    let alive = page
        .alive
        .fetch_update(SeqCst, SeqCst, |alive| alive.checked_sub(1));
    assert!(alive.is_ok(), "a waker was dropped twice");
}
