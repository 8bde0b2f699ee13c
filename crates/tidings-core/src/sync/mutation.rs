//! Switching one named protocol step off, so that a model can show that it would notice.
//!
//! The switch is a thread-local: loom and shuttle run all threads of a model as coroutines of one operating-system
//! thread, and tests in other threads stay untouched.

use core::cell::Cell;

std::thread_local! {
    static OFF: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Puts the former switch back, also while unwinding.
struct Restore(Option<&'static str>);

impl Drop for Restore {
    fn drop(&mut self) {
        OFF.set(self.0);
    }
}

/// Runs `model` with the step named `step` switched off; nested calls replace the step for their duration.
pub fn with<R>(step: &'static str, model: impl FnOnce() -> R) -> R {
    let _restore = Restore(OFF.replace(Some(step)));
    model()
}

pub(crate) fn is_off(step: &'static str) -> bool {
    OFF.get() == Some(step)
}
