//! SIGINT and SIGTERM.

use std::io::Write;
use std::path::Path;

use crate::run::{Running, fan, until, until_written};

/// A run with an input that stays open, whose gates have begun to read.
fn begun(options: &[&str]) -> (Running, std::process::ChildStdin) {
    let mut running = fan(&["--gate", "cat > all"]).args(options).start();
    let mut stdin = running.stdin();
    stdin.write_all(b"1\n2\n").unwrap();
    until_written(&running.path("all"));
    (running, stdin)
}

/// Whether the process whose number a consumer wrote to `file` is gone.
fn is_gone(file: &Path) -> bool {
    let pid = std::fs::read_to_string(file).unwrap();
    let status = std::process::Command::new("kill")
        .args(["-0", pid.trim()])
        .output()
        .unwrap()
        .status;
    !status.success()
}

#[test]
fn sigint_ends_the_run_with_its_summary() {
    let (running, stdin) = begun(&[]);
    running.signal("INT");
    let ended = running.wait().expect(130);
    drop(stdin);
    assert_eq!(ended.read("all"), b"1\n2\n");
    let summary = ended.summary();
    assert_eq!(
        (&summary["signal"], &summary["input"]["end"]),
        (&2.into(), &"stopped".into())
    );
    assert_eq!(ended.consumer(0)["state"], "done");
}

#[test]
fn sigterm_does_the_same() {
    let (running, stdin) = begun(&[]);
    running.signal("TERM");
    assert_eq!(running.wait().expect(143).summary()["signal"], 15);
    drop(stdin);
}

#[test]
fn a_command_that_ignores_everything_is_killed_in_the_end() {
    let stubborn = "trap '' TERM; echo $$ > pid; while :; do sleep 1; done";
    let (running, stdin) = begun(&["--gate", stubborn]);
    until_written(&running.path("pid"));
    running.signal("INT");
    let ended = running.wait().expect(130);
    drop(stdin);
    assert_eq!(ended.consumer(1)["state"], "interrupted");
    assert!(is_gone(&ended.path("pid")));
}

#[test]
fn a_second_signal_ends_everything_at_once() {
    let stubborn = "trap '' TERM; echo $$ > pid; while :; do sleep 1; done";
    let (running, stdin) = begun(&["--gate", stubborn]);
    until_written(&running.path("pid"));
    let pid = running.path("pid");
    running.signal("INT");
    // The first signal is taken in when the other gate has seen the end of its input.
    running.signal("TERM");
    let ended = running.wait();
    drop(stdin);
    assert!([130, 143].contains(&ended.code), "{}", ended.stderr);
    until("the command to be gone", || is_gone(&pid), || {});
}
