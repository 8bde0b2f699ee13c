//! Signals that end a run: the first asks it to stop, the second ends everything at once.
//!
//! Commands have process groups of their own, so what a terminal sends does not reach them: passing it on, in the
//! form of an end of their input, is up to us.

use std::io;
use std::process;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::thread;

use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use super::child::Groups;
use super::supervise::Event;

/// Listens for signals from now on, in a thread of its own.
pub fn listen(events: Sender<Event>, groups: Groups) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGQUIT])?;
    if !is_ignored(SIGHUP) {
        signals.add_signal(SIGHUP)?;
    }
    // Where a parent had this one ignored, ended commands would leave no status behind. Any handler undoes that.
    signal_hook::flag::register(SIGCHLD, Arc::new(AtomicBool::new(false)))?;
    thread::Builder::new().spawn(move || {
        let mut first = None;
        for signal in signals.forever() {
            // A shell and the kernel both tell of a terminal that goes away.
            if first == Some(SIGHUP) && signal == SIGHUP {
                continue;
            }
            if first.is_some() || events.send(Event::Signal(signal)).is_err() {
                groups.kill_all();
                process::exit(128 + signal);
            }
            first = Some(signal);
        }
    })?;
    Ok(())
}

/// Whether the process was started with `signal` ignored, as `nohup` does; only Linux tells.
fn is_ignored(signal: i32) -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignores(&status, signal))
}

/// The same, from the text of `/proc/self/status`.
fn ignores(status: &str, signal: i32) -> bool {
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        let status = "Name:\ttidings\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000002\n";
        assert!(ignores(status, SIGHUP));
        assert!(!ignores(status, SIGINT));
        assert!(!ignores("", SIGHUP));
    }
}
