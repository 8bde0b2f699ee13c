//! Channels in the states with which tests begin, and ways to end them.
#![allow(dead_code, reason = "shared by binaries that each use some of it")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use tidings_oneshot::{Announcement, Announcer, CloseCause};

/// Every way to close.
pub const CAUSES: [CloseCause; 3] = [
    CloseCause::Closed,
    CloseCause::Dropped,
    CloseCause::Panicked,
];

/// A channel on which that was announced.
pub fn announced<T>(value: T) -> Announcement<T> {
    let (announcer, announcement) = Announcement::new();
    assert!(announcer.announce(value).is_ok());
    announcement
}

/// A channel that was closed in that way.
pub fn closed<T>(cause: CloseCause) -> Announcement<T> {
    let (announcer, announcement) = Announcement::new();
    end(announcer, cause);
    announcement
}

/// Closes in that way.
pub fn end<T>(announcer: Announcer<T>, cause: CloseCause) {
    match cause {
        CloseCause::Closed => announcer.close(),
        CloseCause::Dropped => drop(announcer),
        CloseCause::Panicked => panics(|| {
            let _unwound = announcer;
            panic!("on purpose");
        }),
    }
}

/// Runs what has to panic, and goes on.
#[track_caller]
pub fn panics<T>(body: impl FnOnce() -> T) {
    assert!(catch_unwind(AssertUnwindSafe(body)).is_err(), "it panics");
}
