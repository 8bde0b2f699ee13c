//! `cargo bench -p tidings-cli`: what `tidings fan` costs beside `tee`, and what a slow tap costs the gating consumers.
//!
//! Rows take turns, round by round, so that a busy machine hits all of them alike. Every row moves the same 100 MiB of
//! lines through the same consumers, a copy and a count; the copy is compared with the input and the count is checked.
//!
//! Wall time is taken around the whole shell command. The time of the gates is the command's own account of its slower
//! gating consumer, from its start to its exit: what a tap adds there is what it slows the others. Minimum and median
//! of all rounds (`ROUNDS`, 9 if not set) are printed. The copy goes to the folder for temporary files; where that is a
//! disk, its noise is in every row.
//!
//! The slow tap is this program again: it reads a line, sleeps 10 ms, and takes next to no processor time.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, io, thread};

/// One way to do the job.
struct Row {
    name: &'static str,
    script: &'static str,
    /// Wall time, and time of the gates, in seconds.
    walls: Vec<f64>,
    gates: Vec<f64>,
}

/// `$FAN` is the command under test with its input, `$SLOW` a tap that takes 10 ms for a line.
const ROWS: [(&str, &str); 7] = [
    ("tee, file and pipe", "tee copy < input | wc -l"),
    (
        "tee, two pipes",
        "mkfifo pipe; cat < pipe > copy & tee pipe < input | wc -l; wait; rm pipe",
    ),
    (
        "fan, file and command",
        "$FAN --gate-file copy --gate 'wc -l'",
    ),
    (
        "fan, two commands",
        "$FAN --gate 'cat > copy' --gate 'wc -l'",
    ),
    (
        "fan, two commands (again)",
        "$FAN --gate 'cat > copy' --gate 'wc -l'",
    ),
    (
        "fan, two commands, slow tap",
        "$FAN --gate 'cat > copy' --gate 'wc -l' --tap '$SLOW'",
    ),
    (
        "fan, two commands, stuck tap",
        "$FAN --gate 'cat > copy' --gate 'wc -l' --tap 'exec sleep 1000'",
    ),
];

/// The row that others are compared with.
const BASE: usize = 3;

fn main() {
    if env::args().any(|argument| argument == "slow-tap") {
        return slow_tap();
    }
    let rounds: usize =
        env::var("ROUNDS").map_or(9, |text| text.parse().expect("ROUNDS is a number"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = input();
    fs::write(folder.path().join("input"), &input).expect("room for the input");
    let mut rows = ROWS.map(|(name, script)| Row {
        name,
        script,
        walls: Vec::new(),
        gates: Vec::new(),
    });
    for _ in 0..rounds {
        for row in &mut rows {
            let (wall, gates) = run(row.script, folder.path(), &input);
            row.walls.push(wall);
            row.gates.push(gates);
        }
    }
    print(&mut rows, rounds, input.len());
}

/// Takes 10 ms for each line.
fn slow_tap() {
    for _ in io::stdin().lines() {
        thread::sleep(Duration::from_millis(10));
    }
}

/// 100 MiB of lines: the example data over and over.
fn input() -> Vec<u8> {
    let once = include_bytes!("../../../examples/data/seattle-weather.csv");
    once.repeat((100 << 20) / once.len())
}

/// Runs `script` in `folder`, checks the copy and the count it leaves, and gives the two times.
fn run(script: &str, folder: &Path, input: &[u8]) -> (f64, f64) {
    let slow = format!(
        "exec \"{}\" slow-tap",
        env::current_exe().expect("a path").display()
    );
    let fan = format!(
        "\"{}\" fan input --linger 0 --summary json",
        env!("CARGO_BIN_EXE_tidings")
    );
    let script = script.replace("$FAN", &fan).replace("$SLOW", &slow);
    let _ = fs::remove_file(folder.join("copy"));
    let start = Instant::now();
    let mut command = Command::new("sh");
    command
        .args(["-c", &script])
        .current_dir(folder)
        .stdin(Stdio::null());
    let output = command.output().expect("sh can be started");
    let wall = start.elapsed().as_secs_f64();
    let (count, messages) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{script}: {messages}");
    let lines = input.iter().filter(|byte| **byte == b'\n').count();
    assert_eq!(count.trim(), lines.to_string(), "{script}");
    assert!(
        fs::read(folder.join("copy")).expect("a copy") == input,
        "{script}: the copy differs"
    );
    (wall, gates(&messages).unwrap_or(wall))
}

/// The time of the slower gate, from the JSON summary; `None` for another command than ours.
fn gates(messages: &str) -> Option<f64> {
    let summary: serde_json::Value = serde_json::from_str(messages.lines().last()?).ok()?;
    let consumers = summary["consumers"].as_array()?;
    let gates = consumers
        .iter()
        .filter(|consumer| consumer["contract"] == "gating");
    gates
        .filter_map(|gate| gate["seconds"].as_f64())
        .reduce(f64::max)
}

fn print(rows: &mut [Row], rounds: usize, bytes: usize) {
    rows.iter_mut().for_each(|row| {
        row.walls.sort_by(f64::total_cmp);
        row.gates.sort_by(f64::total_cmp);
    });
    let middle = rounds / 2;
    let (base, base_median) = (rows[BASE].gates[0], rows[BASE].gates[middle]);
    println!(
        "{:.0} MiB of lines, {rounds} rounds, seconds",
        bytes as f64 / f64::from(1 << 20)
    );
    println!(
        "{:30} {:>15} {:>15} {:>7} {:>15}",
        "", "wall", "gates", "MiB/s", "gates to base"
    );
    println!(
        "{:30} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7}",
        "", "min", "median", "min", "median", "", "min", "median"
    );
    for Row {
        name, walls, gates, ..
    } in rows
    {
        let speed = bytes as f64 / f64::from(1 << 20) / gates[0];
        println!(
            "{name:30} {:7.3} {:7.3} {:7.3} {:7.3} {speed:7.0} {:7.2} {:7.2}",
            walls[0],
            walls[middle],
            gates[0],
            gates[middle],
            gates[0] / base,
            gates[middle] / base_median,
        );
    }
}
