//! Gating consumers get the input byte for byte.

use std::fs::File;
use std::io::{BufReader, Read, Write};

use crate::run::{Ended, fan, numbers};

/// Every kind of gating consumer at once.
const GATES: [&str; 5] = [
    "--gate",
    "cat > command",
    "--gate-file",
    "file",
    "--gate-stdout",
];

/// Asserts that every gating consumer got `expected`.
#[track_caller]
fn assert_all_got(ended: Ended, expected: &[u8]) {
    let ended = ended.expect(0);
    for got in [
        ended.read("command"),
        ended.read("file"),
        ended.stdout.clone(),
    ] {
        assert_eq!(got.len(), expected.len());
        assert!(got == expected, "the bytes differ");
    }
    let summary = ended.summary();
    assert_eq!(summary["input"]["bytes"], expected.len());
    for consumer in summary["consumers"].as_array().unwrap() {
        assert_eq!(consumer["bytes"], expected.len());
        assert_eq!(consumer["delivered"], summary["input"]["records"]);
    }
}

/// Runs `input` from a file and from standard input.
#[track_caller]
fn check(options: &[&str], input: &[u8]) {
    assert_all_got(fan(&GATES).args(options).file(input).run(), input);
    assert_all_got(fan(&GATES).args(options).run_with(input), input);
}

/// Bytes of every value, in runs of random length.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..len).map(|_| next()).collect()
}

#[test]
fn lines() {
    check(&[], &numbers(20_000));
}

#[test]
fn a_last_line_without_newline() {
    check(&[], b"one\ntwo\nthree");
}

#[test]
fn nothing_at_all() {
    check(&[], b"");
}

#[test]
fn bytes_that_are_not_text() {
    check(&[], &noise(100_000));
}

#[test]
fn empty_lines() {
    check(&[], &[b'\n'; 5000]);
}

#[test]
fn lines_of_many_frames() {
    let mut input = Vec::new();
    for len in [0, 233, 234, 235, 467, 468, 469, 100_000, 700_000, 1] {
        input.extend(std::iter::repeat_n(b'x', len));
        input.push(b'\n');
    }
    check(&[], &input);
}

#[test]
fn records_of_fixed_length() {
    check(&["--records", "fixed:1000"], &noise(64_000));
    check(&["--records", "fixed:3"], &noise(3000));
}

#[test]
fn records_with_a_length_in_front() {
    let mut input = Vec::new();
    for len in [0_u16, 1, 231, 232, 233, 60_000] {
        input.extend(len.to_be_bytes());
        input.extend(noise(usize::from(len)));
    }
    check(&["--records", "length:u16be"], &input);
}

#[test]
fn a_ring_of_one_slot() {
    check(&["--capacity", "1"], &numbers(500));
}

#[test]
fn a_file_read_several_times() {
    let once = b"first\nlast line, without newline";
    let ended = fan(&GATES).args(&["--repeat", "50"]).file(once).run();
    assert_eq!(ended.summary()["input"]["records"], 100);
    assert_all_got(ended, &once.repeat(50));
}

#[test]
fn a_named_pipe() {
    let fan = fan(&["--gate", "cat pipe > copy", "--gate-file", "pipe"]);
    let pipe = fan.folder.path().join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let ended = fan.run_with(&numbers(1000)).expect(0);
    assert_eq!(ended.read("copy"), numbers(1000));
}

#[test]
fn a_hundred_mebibytes_through_a_command() {
    const BLOCKS: usize = 100;
    let line = |number: usize| format!("{number:->0$}\n", 20 + number % 150).into_bytes();
    let mut block: Vec<u8> = (0..10_000).flat_map(line).collect();
    block.resize((1 << 20) - 1, b'.');
    block.push(b'\n');
    let fan = fan(&["input", "--gate", "cat > copy"]);
    let path = |name| fan.folder.path().join(name);
    let (from, to) = (path("input"), path("copy"));
    let mut file = File::create(&from).unwrap();
    (0..BLOCKS).for_each(|_| file.write_all(&block).unwrap());
    let _ended = fan.run().expect(0);
    let mut copy = BufReader::new(File::open(to).unwrap());
    let mut got = vec![0; block.len()];
    for number in 0..BLOCKS {
        copy.read_exact(&mut got).unwrap();
        assert!(got == block, "MiB {number} differs");
    }
    assert_eq!(copy.read(&mut got).unwrap(), 0, "bytes were added");
}

#[test]
fn an_empty_input_needs_one_pass() {
    let ended = fan(&["--repeat", "18446744073709551615", "--gate", "cat > all"])
        .file(b"")
        .run()
        .expect(0);
    assert_eq!(ended.read("all"), b"");
}
