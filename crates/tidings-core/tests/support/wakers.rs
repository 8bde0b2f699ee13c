//! Wakers that call back into the test at every act.
#![allow(unsafe_code, reason = "only a raw waker can see its clones")]

use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::task::{RawWaker, RawWakerVTable, Waker};

/// What an executor does to a waker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Clone,
    Wake,
    WakeByRef,
    Drop,
}

type Callback = Box<dyn Fn(Act) + Send + Sync>;

/// A waker that reports each act before it is done.
pub fn calling_back(callback: impl Fn(Act) + Send + Sync + 'static) -> Waker {
    let callback: Callback = Box::new(callback);
    let raw = Arc::into_raw(Arc::new(callback)).cast();
    // SAFETY: the functions of the table treat the pointer as what it is, an owned `Arc<Callback>`.
    unsafe { Waker::from_raw(RawWaker::new(raw, &TABLE)) }
}

static TABLE: RawWakerVTable = RawWakerVTable::new(clone, wake, wake_by_ref, drop_waker);

/// # Safety
/// The pointer comes from `Arc::into_raw` of an `Arc<Callback>` whose count the caller owns or borrows.
unsafe fn borrow(data: *const ()) -> ManuallyDrop<Arc<Callback>> {
    // SAFETY: by the contract of this function; ManuallyDrop leaves the caller's count alone.
    ManuallyDrop::new(unsafe { Arc::from_raw(data.cast()) })
}

unsafe fn clone(data: *const ()) -> RawWaker {
    // SAFETY: the contract of the table is the contract of `borrow`.
    let callback = unsafe { borrow(data) };
    callback(Act::Clone);
    RawWaker::new(Arc::into_raw(Arc::clone(&callback)).cast(), &TABLE)
}

unsafe fn wake(data: *const ()) {
    // SAFETY: as in `clone`; this call owns the count, so taking it out of ManuallyDrop gives it back, also on a panic.
    let callback = ManuallyDrop::into_inner(unsafe { borrow(data) });
    callback(Act::Wake);
}

unsafe fn wake_by_ref(data: *const ()) {
    // SAFETY: as in `clone`.
    let callback = unsafe { borrow(data) };
    callback(Act::WakeByRef);
}

unsafe fn drop_waker(data: *const ()) {
    // SAFETY: as in `wake`.
    let callback = ManuallyDrop::into_inner(unsafe { borrow(data) });
    callback(Act::Drop);
}
