//! SIGINT and SIGTERM.

use std::io::Write;

use crate::run::{Running, fan, is_gone, kill, numbers, until, until_written};

/// A run with an input that stays open, whose gates have begun to read.
fn begun(options: &[&str], setting: &str) -> (Running, std::process::ChildStdin) {
    let mut running = fan(&["--gate", "cat > all"])
        .args(options)
        .under(setting)
        .start();
    let mut stdin = running.stdin();
    stdin.write_all(b"1\n2\n").unwrap();
    until_written(&running.path("all"));
    (running, stdin)
}

#[test]
fn sigint_ends_the_run_with_its_summary() {
    let (running, stdin) = begun(&[], ":");
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
    let (running, stdin) = begun(&[], ":");
    running.signal("TERM");
    assert_eq!(running.wait().expect(143).summary()["signal"], 15);
    drop(stdin);
}

#[test]
fn a_command_that_ignores_everything_is_killed_in_the_end() {
    let stubborn = "trap '' TERM; echo $$ > pid; while :; do sleep 1; done";
    let (running, stdin) = begun(&["--gate", stubborn], ":");
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
    let other = "cat > other; echo > seen-end";
    let (running, stdin) = begun(&["--gate", stubborn, "--gate", other], ":");
    until_written(&running.path("pid"));
    let pid = running.path("pid");
    running.signal("INT");
    // The first signal is taken in when the other gate has seen the end of its input.
    until_written(&running.path("seen-end"));
    running.signal("TERM");
    let ended = running.wait().expect(143);
    drop(stdin);
    assert!(!ended.stderr.contains("exit_status"), "it ended at once");
    until("the command to be gone", || is_gone(&pid), || {});
}

#[test]
fn a_terminal_that_goes_away_ends_the_run_with_its_summary() {
    for (name, code) in [("HUP", 129), ("QUIT", 131)] {
        let (running, stdin) = begun(&[], "trap - HUP QUIT");
        running.signal(name);
        // It is often said twice: by the shell and by the kernel.
        if name == "HUP" {
            running.signal(name);
        }
        let ended = running.wait().expect(code);
        drop(stdin);
        assert_eq!(ended.summary()["signal"], code - 128);
        assert_eq!(ended.consumer(0)["state"], "done");
    }
}

#[test]
fn a_hang_up_that_was_ignored_before_stays_ignored() {
    let (running, mut stdin) = begun(&[], "trap '' HUP");
    running.signal("HUP");
    stdin.write_all(b"3\n").unwrap();
    let all = running.path("all");
    let passed = || all.metadata().is_ok_and(|data| data.len() == 6);
    until("the next record", passed, || {});
    drop(stdin);
    running.wait().expect(0);
}

#[test]
fn what_a_command_has_started_is_ended_too() {
    let lonely = "(trap '' TERM; exec sleep 1000) > /dev/null 2>&1 & echo $! > left; sleep 1000";
    for (contract, option) in [("--gate", "--stall"), ("--tap", "--linger")] {
        let ended = fan(&[contract, lonely, "--gate", "cat > all", option, "200ms"])
            .file(&numbers(100_000))
            .run();
        until(
            "it to be gone",
            || is_gone(&ended.path("left")),
            || kill(&ended.path("left")),
        );
        ended.says("exit_status");
    }
}
