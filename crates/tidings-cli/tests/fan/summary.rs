//! What is printed, and where.

use crate::run::{bare, fan, numbers};

#[test]
fn the_json_summary_is_one_line_with_everything() {
    let ended = fan(&[
        "--gate",
        "cat > all",
        "--name",
        "copy",
        "--tap-file",
        "tapped",
    ])
    .file(b"a\nb\n")
    .run();
    let ended = ended.expect(0);
    assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    let summary = ended.summary();
    assert_eq!(summary["exit_status"], 0);
    assert_eq!(summary["failures"], serde_json::json!([]));
    assert_eq!(summary["input"]["name"], "input");
    assert_eq!(summary["input"]["format"], "lines");
    assert_eq!(summary["input"]["end"], "complete");
    let (gate, tap) = (ended.consumer(0), ended.consumer(1));
    assert_eq!(
        (&gate["name"], &gate["target"]),
        (&"copy".into(), &"cat > all".into())
    );
    assert_eq!(
        (&gate["kind"], &gate["contract"]),
        (&"command".into(), &"gating".into())
    );
    assert_eq!(
        (&tap["kind"], &tap["contract"]),
        (&"file".into(), &"lossy".into())
    );
    assert_eq!(
        (&gate["exit_status"], &tap["exit_status"]),
        (&0.into(), &serde_json::Value::Null)
    );
}

#[test]
fn the_text_summary_is_a_table_on_standard_error() {
    let options = [
        "fan",
        "--gate",
        "cat > all",
        "--tap",
        "cat > tapped",
        "--name",
        "look",
    ];
    let ended = bare(&options).file(&numbers(3)).run().expect(0);
    assert!(ended.stdout.is_empty());
    let lines: Vec<&str> = ended.stderr.lines().collect();
    assert!(lines[0].starts_with("CONSUMER"));
    assert!(lines[1].starts_with("cat > all  gate") && lines[1].ends_with("done"));
    assert!(lines[2].starts_with("look       tap"));
    assert!(lines[3].starts_with("3 records, 6 B in"));
    assert!(lines[4].ends_with("every gating consumer got every record"));
}

#[test]
fn summary_none_prints_nothing() {
    let ended = bare(&["fan", "--summary", "none", "--gate", "cat > all"])
        .file(b"a\n")
        .run()
        .expect(0);
    assert_eq!(
        (ended.stderr.as_str(), ended.stdout.as_slice()),
        ("", b"".as_slice())
    );
}

#[test]
fn standard_output_carries_the_records_of_its_consumer_alone() {
    let ended = bare(&["fan", "--gate-stdout"])
        .file(&numbers(1000))
        .run()
        .expect(0);
    assert_eq!(ended.stdout, numbers(1000));
}

#[test]
fn consumers_keep_their_order_and_namesakes_are_told_apart() {
    let options = [
        "--tap",
        "cat",
        "--gate-file",
        "f",
        "--tap",
        "cat",
        "--name",
        "c",
        "--gate",
        "cat",
        "--tap-stdout",
    ];
    let ended = fan(&options).file(b"").run().expect(0);
    let names: Vec<String> = (0..5)
        .map(|at| ended.consumer(at)["name"].as_str().unwrap().into())
        .collect();
    assert_eq!(names, ["cat", "f", "c", "cat #2", "stdout"]);
}

#[test]
fn a_rate_is_kept() {
    let ended = fan(&["--rate", "200/s", "--gate", "cat > all"])
        .file(&numbers(41))
        .run()
        .expect(0);
    let seconds = ended.summary()["seconds"].as_f64().unwrap();
    assert!(seconds >= 0.2, "{seconds}");
}

#[test]
fn help_and_version_are_there() {
    let help = String::from_utf8(bare(&["fan", "--help"]).run().expect(0).stdout).unwrap();
    assert!(help.contains("Examples:") && help.contains("Exit status:"));
    let version = bare(&["--version"]).run().expect(0).stdout;
    assert!(version.starts_with(b"tidings "));
}
