//! Switching one named protocol step off, so that a model can show that it would notice.
//!
//! The switch is a thread-local: loom and shuttle run all threads of a model as coroutines of one operating-system
//! thread, and tests in other threads stay untouched.
//!
//! A model in which a wake-up is lost ends in a deadlock, which loom reports by a panic in the middle of a wait; guards that
//! unwind then panic again and the process aborts. So a mutant runs in a process of its own: see [`must_fail`].

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

/// Asserts that `model` fails with `symptom` in its output when the step named `step` is switched off, or several steps that
/// do each other's work, joined by ` + `.
///
/// `test` is the full name of the calling test: the test binary is run a second time with only that test, and there the
/// model runs with the switch thrown.
///
/// # Panics
/// When the model passes, or fails without the symptom.
pub fn must_fail(test: &str, step: &'static str, symptom: &str, model: impl FnOnce()) {
    const INSIDE: &str = "TIDINGS_MUTANT";
    if std::env::var_os(INSIDE).is_some() {
        return with(step, model);
    }
    let binary = std::env::current_exe().expect("a test knows its binary");
    let run = std::process::Command::new(binary)
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, test)
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("a test can run its binary");
    let said = alloc::string::String::from_utf8_lossy(&run.stderr);
    assert!(
        !run.status.success(),
        "{test}: the model passes without {step}"
    );
    assert!(
        said.contains(symptom),
        "{test}: failed without a word of {symptom:?}:\n{said}"
    );
}

pub(crate) fn is_off(step: &'static str) -> bool {
    OFF.get()
        .is_some_and(|off| off.split(" + ").any(|off| off == step))
}
