//! SIGINT and SIGTERM: the first asks the run to stop, the second ends everything at once.

use std::io;
use std::process;
use std::sync::mpsc::Sender;
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::child::Groups;
use super::supervise::Event;

/// Listens for signals from now on, in a thread of its own.
pub fn listen(events: Sender<Event>, groups: Groups) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::spawn(move || {
        for (earlier, signal) in signals.forever().enumerate() {
            if earlier > 0 || events.send(Event::Signal(signal)).is_err() {
                groups.kill_all();
                process::exit(128 + signal);
            }
        }
    });
    Ok(())
}
