//! What happens when a consumer ends before the input does.

use std::io::Write;

use crate::run::{Fan, Running, fan, kill, numbers, until};

/// More than a pipe and a ring hold.
fn plenty() -> Vec<u8> {
    numbers(100_000)
}

/// Starts a run on an input that never ends by itself; it has to be kept.
fn endless(fan: Fan) -> (Running, std::process::ChildStdin) {
    let mut running = fan.start();
    let mut stdin = running.stdin();
    stdin.write_all(b"1\n2\n3\n").unwrap();
    (running, stdin)
}

#[test]
fn a_gate_that_fails_fails_the_run_and_the_others_go_on() {
    let options = [
        "--gate",
        "head -n 1 > /dev/null; exit 3",
        "--gate",
        "cat > all",
    ];
    let ended = fan(&options).file(&plenty()).run().expect(1);
    assert_eq!(ended.read("all"), plenty());
    let (failed, fine) = (ended.consumer(0), ended.consumer(1));
    assert_eq!(
        (&failed["state"], &failed["exit_status"]),
        (&"exit 3".into(), &3.into())
    );
    assert_eq!(
        (&fine["state"], &fine["exit_status"]),
        (&"done".into(), &0.into())
    );
    ended.says("error: gating consumer");
}

#[test]
fn a_gate_that_fails_after_the_last_record_fails_the_run() {
    let ended = fan(&["--gate", "cat > all; exit 4"])
        .file(&plenty())
        .run()
        .expect(1);
    assert_eq!(ended.read("all"), plenty());
    assert_eq!(ended.consumer(0)["delivered"], 100_000);
}

#[test]
fn a_gate_that_is_killed_is_reported_with_its_signal() {
    let ended = fan(&["--gate", "kill -9 $$"])
        .file(&plenty())
        .run()
        .expect(1);
    let gate = ended.consumer(0);
    assert_eq!(
        (&gate["state"], &gate["signal"]),
        (&"died SIGKILL".into(), &9.into())
    );
}

#[test]
fn a_gate_that_has_had_enough_is_no_failure() {
    let options = ["--gate", "head -n 5", "--gate", "cat > all"];
    let ended = fan(&options).file(&plenty()).run().expect(0);
    assert_eq!(ended.stdout, numbers(5));
    assert_eq!(ended.read("all"), plenty());
    let head = ended.consumer(0);
    assert_eq!(
        (&head["state"], &head["failed"]),
        (&"closed early".into(), &false.into())
    );
    let part = |name: &str| head[name].as_u64().unwrap();
    assert_eq!(part("delivered") + part("not_taken"), 100_000);
    assert!(part("not_taken") > 0);
}

#[test]
fn a_gate_that_reads_nothing_of_a_small_input_got_nothing() {
    let ended = fan(&["--gate", "true"]).file(&numbers(3)).run().expect(0);
    let gate = ended.consumer(0);
    assert_eq!(
        (&gate["delivered"], &gate["not_taken"]),
        (&0.into(), &3.into())
    );
    assert_eq!(gate["state"], "closed early");
}

#[test]
fn on_exit_stop_ends_the_run_with_the_first_consumer() {
    let options = [
        "--on-exit",
        "stop",
        "--gate",
        "read line; exit 3",
        "--gate",
        "cat > all",
    ];
    let (running, stdin) = endless(fan(&options));
    let ended = running.wait().expect(1);
    drop(stdin);
    assert_eq!(ended.read("all"), b"1\n2\n3\n");
    assert_eq!(ended.summary()["input"]["end"], "stopped");
}

#[test]
fn on_exit_stop_counts_the_failure_of_a_tap() {
    let options = [
        "--on-exit",
        "stop",
        "--tap",
        "exit 3",
        "--gate",
        "cat > all",
    ];
    let (running, stdin) = endless(fan(&options));
    running
        .wait()
        .expect(1)
        .says("command exited with status 3");
    drop(stdin);
}

#[test]
fn the_run_ends_when_no_consumer_is_left() {
    let (running, stdin) = endless(fan(&["--gate", "head -n 1", "--tap", "exit 0"]));
    let ended = running.wait().expect(0);
    drop(stdin);
    assert_eq!(ended.stdout, b"1\n");
}

#[test]
fn a_gate_that_reads_nothing_is_taken_off_after_stall() {
    let options = [
        "--gate",
        "exec sleep 1000",
        "--gate",
        "cat > all",
        "--stall",
        "2s",
    ];
    let ended = fan(&options).file(&plenty()).run().expect(1);
    assert_eq!(ended.read("all"), plenty());
    assert_eq!(ended.consumer(0)["state"], "stalled");
    ended.says("held everything back");
}

#[test]
fn standard_output_that_nobody_reads_is_taken_off_after_stall() {
    let options = ["--gate-stdout", "--gate", "cat > all", "--stall", "2s"];
    let running = fan(&options).file(&plenty()).start();
    // Nothing reads until the other gate has everything.
    let all = running.path("all");
    let is_complete = || {
        all.metadata()
            .is_ok_and(|data| data.len() == plenty().len() as u64)
    };
    until("the other gate to get everything", is_complete, || {});
    let ended = running.wait().expect(1);
    assert_eq!(ended.consumer(0)["state"], "stalled");
    let whole = ended.stdout.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(ended.consumer(0)["delivered"], whole);
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let options = ["--gate", "no-such-command", "--gate", "cat > all"];
    let ended = fan(&options).file(&plenty()).run().expect(1);
    assert_eq!(ended.read("all"), plenty());
    ended.says("gating consumer `no-such-command`: command not found (exit status 127)");
    let ended = fan(&["--tap", "no-such-command", "--gate", "cat > all"])
        .file(&plenty())
        .run();
    ended
        .expect(0)
        .says("lossy consumer `no-such-command`: command not found");
}

#[test]
fn a_full_disk_is_a_failure() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    let ended = fan(&["--gate-file", "/dev/full", "--gate", "cat > all"])
        .file(&plenty())
        .run();
    let ended = ended
        .expect(1)
        .says("writing failed: No space left on device");
    assert_eq!(ended.read("all"), plenty());
    assert_eq!(ended.consumer(0)["state"], "write error");
}

#[test]
fn a_reader_of_standard_output_may_go_away() {
    let mut running = fan(&["--gate-stdout", "--gate", "cat > all"])
        .file(&plenty())
        .start();
    running.close_stdout();
    let ended = running.wait().expect(0);
    assert_eq!(ended.read("all"), plenty());
    assert_eq!(ended.consumer(0)["state"], "closed early");
}

#[test]
fn a_command_that_has_exited_holds_nobody_back_through_what_it_left_behind() {
    let leaves = "exec 3<&0; sleep 1000 <&3 > /dev/null 2>&1 & echo $! > left; exit 7";
    let running = fan(&["--gate", leaves, "--gate", "cat > all"])
        .file(&plenty())
        .start();
    let all = running.path("all");
    let is_complete = || {
        all.metadata()
            .is_ok_and(|data| data.len() == plenty().len() as u64)
    };
    let left = running.path("left");
    until("the other gate to get everything", is_complete, || {
        kill(&left)
    });
    let ended = running.wait();
    kill(&left);
    let ended = ended.expect(1);
    assert_eq!(ended.consumer(0)["state"], "exit 7");
}

#[test]
fn an_ignored_sigchld_is_not_inherited() {
    // A shell cannot ignore it.
    let perl =
        "command -v perl > /dev/null && exec perl -e '$SIG{CHLD} = \"IGNORE\"; exec @ARGV' \"$@\"";
    let ended = fan(&["--gate", "cat > all; exit 3"])
        .file(&plenty())
        .under(perl)
        .run()
        .expect(1);
    assert_eq!(ended.consumer(0)["state"], "exit 3");
}
