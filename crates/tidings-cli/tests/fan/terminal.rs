//! On a terminal: the live table, and a terminal that takes nothing any more.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::run::{Fan, bare, kill, until, until_written};

/// A run of `tidings fan` with these arguments on a terminal made by `script`; its number goes to the file `pid`, and
/// its end makes the file `ended`. `None` where there is no such `script`.
fn on_terminal(arguments: &str) -> Option<Fan> {
    Command::new("script")
        .arg("--version")
        .output()
        .ok()
        .filter(|found| found.stdout.starts_with(b"script from util-linux"))?;
    let run = format!(
        "{} fan {arguments} & echo $! > pid; wait $!; status=$?; echo > ended; exit $status",
        env!("CARGO_BIN_EXE_tidings")
    );
    let setting = format!("TERM=xterm SHELL=/bin/sh exec script -qec '{run}' /dev/null");
    Some(bare(&[]).under(&setting))
}

fn signal(file: &Path, name: &str) {
    let pid = std::fs::read_to_string(file).unwrap();
    let sent = Command::new("kill").args(["-s", name, pid.trim()]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_live_table_is_drawn_and_gives_way_to_the_summary() {
    let gate = "--gate \"sleep 2; echo printed; cat > all\" --name slow-one";
    let Some(fan) = on_terminal(&format!("/dev/null {gate}")) else {
        return;
    };
    let ended = fan.run().expect(0);
    let shown = String::from_utf8_lossy(&ended.stdout);
    let place = |text: &str| {
        shown
            .find(text)
            .unwrap_or_else(|| panic!("no {text:?} in {shown:?}"))
    };
    assert!(place("CONSUMER") < place("printed"));
    assert!(place("slow-one") < place("printed"));
    assert!(place("printed") < place("ok after"));
    // The table is wiped before the summary.
    assert!(shown[..place("ok after")].contains("\x1b[J"));
}

#[test]
fn a_terminal_that_takes_nothing_does_not_keep_a_signal_from_being_heard() {
    let Some(fan) = on_terminal("/dev/zero --records fixed:64 --gate \"echo > on; yes >&2\"")
    else {
        return;
    };
    // Nobody reads what `script` passes on, so soon nothing can be written any more.
    let running = fan.start();
    until_written(&running.path("on"));
    // sleep: until the pipe and the terminal are full, of which nothing outside tells
    thread::sleep(Duration::from_millis(500));
    let pid = running.path("pid");
    signal(&pid, "TERM");
    let ended = running.path("ended");
    until("the run to end", || ended.exists(), || kill(&pid));
    drop(running);
}
