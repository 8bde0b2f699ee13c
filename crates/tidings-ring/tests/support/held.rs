//! Handlers that a test holds at a message, and what tests of managed threads share.
#![allow(dead_code, reason = "shared by binaries that each use some of it")]

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// As many messages as a test sends through at length.
pub const MANY: usize = if cfg!(miri) { 60 } else { 3_000 };

/// Longer than anything takes, unless it hangs.
pub const GUARD: Duration = Duration::from_secs(60);

/// A function that says what it begins with and returns when it is let go: by a message, or for good when the sender is dropped.
pub fn held<T: Copy + Send + 'static>() -> (
    impl FnMut(&T) -> T + Send + 'static,
    Receiver<T>,
    Sender<()>,
) {
    let ((says, began), (go, goes)) = (channel(), channel());
    let handle = move |message: &T| {
        says.send(*message).unwrap();
        let _ = goes.recv();
        *message
    };
    (handle, began, go)
}
