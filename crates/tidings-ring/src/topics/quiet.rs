//! Ending things whose wakers may panic: each of them is ended, and one panic at most goes on.

use alloc::boxed::Box;
use core::{any::Any, mem};
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    thread::panicking,
};

/// Ends each of `things`. The first panic goes on when all are ended, unless the thread unwinds already: a second one would end
/// the process.
pub(super) fn each<T>(things: impl IntoIterator<Item = T>, end: impl Fn(T)) {
    let mut thrown = None;
    for thing in things {
        let Err(payload) = catch_unwind(AssertUnwindSafe(|| end(thing))) else {
            continue;
        };
        if thrown.is_some() || panicking() {
            discard(payload);
        } else {
            thrown = Some(payload);
        }
    }
    if let Some(payload) = thrown {
        resume_unwind(payload);
    }
}

/// Drops what a panic carried. Should that panic too, what it carries is leaked: it might go on like this for ever.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        mem::forget(again);
    }
}
