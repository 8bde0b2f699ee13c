//! Ends a test that hangs, instead of the whole run.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Far beyond what any of these tests takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Runs `body` on a thread of its own and fails when it does not end.
pub fn ends(body: impl FnOnce() + Send + 'static) {
    let (done, finished) = channel();
    let worker = thread::spawn(move || {
        body();
        let _ = done.send(());
    });
    match finished.recv_timeout(PATIENCE) {
        Err(RecvTimeoutError::Timeout) => panic!("still waiting after {PATIENCE:?}"),
        Ok(()) | Err(RecvTimeoutError::Disconnected) => {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    }
}
