//! Lossy consumers slow nobody down, get whole records only, and their account is exact.

use crate::run::{Ended, fan, numbers, until};

/// Asserts that the account of the consumer at `index` adds up.
#[track_caller]
fn assert_adds_up(ended: &Ended, index: usize) {
    let (summary, consumer) = (ended.summary(), ended.consumer(index));
    let part = |name: &str| consumer[name].as_u64().unwrap();
    let sum = part("delivered") + part("skipped") + part("not_taken");
    assert_eq!(
        sum,
        summary["input"]["records"].as_u64().unwrap(),
        "{consumer}"
    );
}

/// The numbers in `text`, which must be whole and in order.
#[track_caller]
fn ascending(text: &[u8]) -> Vec<u64> {
    let text = std::str::from_utf8(text).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    let numbers: Vec<u64> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b));
    numbers
}

#[test]
fn a_tap_that_reads_nothing_does_not_stop_the_gates() {
    let input = numbers(200_000);
    let taps = [
        "--gate",
        "cat > all",
        "--tap",
        "exec sleep 1000",
        "--linger",
        "100ms",
    ];
    let ended = fan(&taps).file(&input).run().expect(0);
    assert_eq!(ended.read("all"), input);
    let tap = ended.consumer(1);
    assert_eq!(
        (&tap["delivered"], &tap["state"]),
        (&0.into(), &"ended".into())
    );
    assert_eq!(tap["skipped"], 200_000);
}

#[test]
fn every_record_is_delivered_or_skipped() {
    for (capacity, records) in [
        ("1", 3_000),
        ("7", 20_000),
        ("64", 50_000),
        ("4096", 100_000),
    ] {
        let options = [
            "--capacity",
            capacity,
            "--tap",
            "cat > a",
            "--tap-file",
            "b",
            "--gate",
            "cat > all",
        ];
        let ended = fan(&options).file(&numbers(records)).run().expect(0);
        for (index, file) in ["a", "b"].into_iter().enumerate() {
            assert_adds_up(&ended, index);
            assert_eq!(ended.consumer(index)["not_taken"], 0);
            assert_eq!(
                ascending(&ended.read(file)).len() as u64,
                ended.consumer(index)["delivered"]
            );
        }
    }
}

#[test]
fn a_slow_tap_is_charged_for_what_it_left_in_its_pipe() {
    let slow = "while read -r line; do echo $line >> got; sleep 0.01; done";
    let ended = fan(&["--tap", slow, "--gate", "cat > all", "--linger", "200ms"])
        .file(&numbers(100_000))
        .run();
    let ended = ended.expect(0);
    assert_adds_up(&ended, 0);
    let read = ascending(&ended.read("got")).len() as u64;
    let delivered = ended.consumer(0)["delivered"].as_u64().unwrap();
    // The shell may have read a line that it did not come to print.
    assert!(
        delivered == read || delivered == read + 1,
        "{delivered} delivered, {read} read"
    );
}

#[test]
fn a_record_of_many_frames_is_whole_or_not_there() {
    let record = |letter: u8| [vec![letter; 5000], b"\n".to_vec()].concat();
    let input: Vec<u8> = (0..2000)
        .flat_map(|number| record(b'a' + (number % 26) as u8))
        .collect();
    let options = [
        "--capacity",
        "32",
        "--tap-file",
        "tapped",
        "--gate",
        "cat > all",
    ];
    let ended = fan(&options).file(&input).run().expect(0);
    assert_adds_up(&ended, 0);
    let tapped = ended.read("tapped");
    assert_eq!(tapped.len() % 5001, 0);
    for got in tapped.chunks(5001) {
        assert_eq!(got, record(got[0]));
    }
    assert_eq!(
        tapped.len() as u64 / 5001,
        ended.consumer(0)["delivered"].as_u64().unwrap()
    );
}

#[test]
fn a_tap_that_keeps_up_loses_nothing() {
    let options = [
        "--rate",
        "2k",
        "--tap",
        "cat > tapped",
        "--gate-file",
        "all",
    ];
    let ended = fan(&options).file(&numbers(200)).run().expect(0);
    assert_eq!(ended.read("tapped"), numbers(200));
    assert_eq!(ended.consumer(0)["skipped"], 0);
}

#[test]
fn a_tap_that_dies_is_reported_and_changes_nothing() {
    let options = ["--tap", "exit 3", "--gate", "cat > all"];
    let ended = fan(&options).file(&numbers(50_000)).run().expect(0);
    assert_eq!(ended.read("all"), numbers(50_000));
    assert_adds_up(&ended, 0);
    let tap = ended.consumer(0);
    assert_eq!(
        (&tap["state"], &tap["failed"]),
        (&"exit 3".into(), &true.into())
    );
    ended.says("warning: lossy consumer `exit 3`: command exited with status 3");
}

#[test]
fn a_tap_that_is_ended_has_got_whole_records() {
    let line = format!("{}END\n", "x".repeat(996));
    let mut running = fan(&["--tap-stdout", "--linger", "100ms"])
        .file(line.repeat(1000).as_bytes())
        .start();
    // Nothing is read before the run has given up.
    until("the run to end", || running.has_ended(), || {});
    let ended = running.wait().expect(0);
    assert_adds_up(&ended, 0);
    assert!(ended.stdout.ends_with(b"END\n"));
    assert_eq!(ended.consumer(0)["state"], "ended");
}
