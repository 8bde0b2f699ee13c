//! Bad input: a message that names what is wrong, and the exit status.

use crate::run::{bare, fan, numbers};

/// Asserts exit status 2 and a message with `text`, and that nothing ran.
#[track_caller]
fn refused(options: &[&str], text: &str) {
    let ended = fan(options)
        .args(&["--gate", "touch ran"])
        .run()
        .expect(2)
        .says(text);
    assert!(!ended.path("ran").exists());
}

#[test]
fn a_wrong_command_line_is_refused() {
    refused(&["--capacity", "0"], "--capacity <N>");
    refused(&["--capacity", "99999999999"], "--capacity <N>");
    refused(&["--capacity", "many"], "--capacity <N>");
    refused(&["--records", "fixed:0"], "--records <FORMAT>");
    refused(&["--records", "xml"], "--records <FORMAT>");
    refused(&["--records", "fixed:2M"], "--max-record");
    refused(&["--max-record", "0"], "--max-record <BYTES>");
    refused(&["--rate", "0"], "--rate <N>");
    refused(&["--stall", "soon"], "--stall <TIME>");
    refused(&["--linger", "1x"], "--linger <TIME>");
    refused(&["--repeat", "0"], "--repeat <N>");
    refused(&["--repeat", "2"], "--repeat needs an INPUT file");
    refused(&["--repeat", "2", "-"], "--repeat needs an INPUT file");
    refused(&["--on-exit", "panic"], "--on-exit <WHAT>");
    refused(&["--no-such-option"], "--no-such-option");
    refused(&["--name", "early"], "--name \"early\"");
    refused(
        &["--tap", "cat", "--name", "one", "--name", "two"],
        "--name \"two\"",
    );
    refused(&["--gate-stdout", "--tap-stdout"], "--gate-stdout");
    refused(&["--gate-file", "x", "--tap-file", "x"], "the one file x");
}

#[test]
fn no_consumers_are_refused() {
    fan(&[]).file(b"").run().expect(2).says("no consumers");
    bare(&[]).run().expect(2).says("Usage: tidings");
    bare(&["fun"]).run().expect(2).says("fun");
}

#[test]
fn an_input_that_cannot_be_read_is_named() {
    let consumer = ["--gate", "cat > all"];
    fan(&["missing.txt"])
        .args(&consumer)
        .run()
        .expect(1)
        .says("missing.txt: No such file");
    fan(&["."])
        .args(&consumer)
        .run()
        .expect(1)
        .says("INPUT .: is a directory");
}

#[test]
fn an_output_that_cannot_be_written_is_named_before_anything_runs() {
    let ended = fan(&["--gate", "touch ran", "--gate-file", "no/such/folder/x"])
        .run()
        .expect(1);
    let ended = ended.says("cannot write to no/such/folder/x: No such file");
    assert!(!ended.path("ran").exists());
}

#[test]
fn the_input_is_not_overwritten() {
    let ended = fan(&["--gate-file", "input"])
        .file(b"precious\n")
        .run()
        .expect(2);
    assert_eq!(ended.read("input"), b"precious\n");
    ended.says("input is the input");
}

#[test]
fn a_record_over_the_limit_ends_the_run_after_all_before_it() {
    let input = [numbers(3), vec![b'x'; 200], b"\nmore\n".to_vec()].concat();
    let ended = fan(&["--max-record", "100", "--gate", "cat > all"])
        .file(&input)
        .run()
        .expect(1);
    assert_eq!(ended.read("all"), numbers(3));
    ended.says("record 4 at byte 6 is longer than --max-record allows (100 bytes)");
}

#[test]
fn a_length_over_the_limit_ends_the_run() {
    let input = [2, 0, 0, 0, b'a', b'b', 0xff, 0xff, 0xff, 0xff];
    let ended = fan(&["--records", "length:u32le", "--gate", "cat > all"])
        .file(&input)
        .run()
        .expect(1);
    assert_eq!(ended.read("all"), &input[..6]);
    ended.says("record 2 at byte 6").says("4294967299 bytes");
}

#[test]
fn a_last_record_that_is_cut_off_is_passed_on_and_reported() {
    let ended = fan(&["--records", "fixed:4", "--gate", "cat > all"])
        .file(b"aaaabb")
        .run()
        .expect(0);
    assert_eq!(ended.read("all"), b"aaaabb");
    ended.says("the last record has 2 of 4 bytes");
    let ended = fan(&["--records", "length:u8", "--gate", "cat > all"])
        .file(b"\x01a\x05bb")
        .run()
        .expect(1);
    assert_eq!(ended.read("all"), b"\x01a\x05bb");
    ended.says("3 of the 6 bytes");
}

#[test]
fn one_file_under_two_names_is_refused() {
    let conflicts = [
        ("mkdir d", "d/../out"),
        (":", "./out"),
        ("ln -s out link", "link"),
        ("touch out; ln out link", "link"),
    ];
    for (setting, name) in conflicts {
        fan(&["--gate-file", "out", "--tap-file", name])
            .file(&numbers(10))
            .under(setting)
            .run()
            .expect(2)
            .says("two consumers would write the one file");
    }
}

#[test]
fn standard_output_that_is_a_file_in_use_is_refused() {
    fan(&["--gate-stdout", "--gate-file", "out"])
        .file(&numbers(10))
        .under("exec > out")
        .run()
        .expect(2)
        .says("two consumers would write the one file");
    let ended = fan(&["--gate-stdout"])
        .file(&numbers(10))
        .under("exec >> input")
        .run()
        .expect(2)
        .says("standard output is the input");
    assert_eq!(ended.read("input"), numbers(10));
}

#[test]
fn no_file_is_truncated_when_one_is_refused() {
    let ended = fan(&["--gate-file", "old", "--gate-file", "input"])
        .file(b"precious\n")
        .under("echo kept > old")
        .run()
        .expect(2);
    assert_eq!(ended.read("old"), b"kept\n");
}

#[test]
fn too_few_resources_are_a_message() {
    let taps = ["--tap-file", "/dev/null"].repeat(300);
    fan(&["--gate-file", "all"])
        .args(&taps)
        .file(&numbers(10))
        .under("ulimit -v 300000")
        .run()
        .expect(1)
        .says("cannot start a thread");
    let endless = ["/dev/zero", "--max-record", "16G", "--gate-file", "all"];
    fan(&endless)
        .under("ulimit -v 200000")
        .run()
        .expect(1)
        .says("longer than there is memory for");
}
