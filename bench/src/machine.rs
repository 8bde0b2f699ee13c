//! Where and from what a record was taken.

use std::fs;
use std::process::Command;

use serde::Serialize;

use crate::sys;

/// A machine, a commit, a command.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// Model of the processor.
    pub processor: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Kernel and its version.
    pub kernel: String,
    /// Compiler.
    pub rustc: String,
    /// Commit, with a note when bench or crates differ from it.
    pub commit: String,
    /// Day of the run, UTC.
    pub date: String,
    /// The command, without the path of the program.
    pub command: String,
    /// Nice value of the process: on a shared machine a run is given precedence, and the record says so.
    pub priority: i32,
    /// Average number of runnable tasks of the last minute, when the run ended.
    pub load: String,
}

impl Machine {
    /// Looks around.
    pub fn look() -> Self {
        let changed = !said(
            "git",
            &[
                "status",
                "--porcelain",
                "--",
                "bench",
                "crates",
                "Cargo.lock",
            ],
        )
        .is_empty();
        let note = if changed {
            ", with changes that are not committed"
        } else {
            ""
        };
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        Self {
            processor: processor(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            kernel: said("uname", &["-sr"]),
            rustc: said("rustc", &["--version"]),
            commit: format!("{}{note}", said("git", &["rev-parse", "--short", "HEAD"])),
            date: said("date", &["-u", "+%F"]),
            priority: sys::priority(),
            command: format!("cargo xtask bench {}", arguments.join(" ")),
            load: fs::read_to_string("/proc/loadavg")
                .ok()
                .and_then(|line| Some(line.split(' ').next()?.to_string()))
                .unwrap_or_default(),
        }
    }
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        info.lines()
            .find(|line| line.starts_with(name))
            .and_then(|line| line.split(": ").nth(1))
    };
    let model = field("model name").unwrap_or(std::env::consts::ARCH);
    match (field("cpu family"), field("model\t")) {
        (Some(family), Some(number)) => format!("{model} (family {family}, model {number})"),
        _ => model.to_string(),
    }
}

/// What a command printed; empty when it is not there.
fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string())
        .unwrap_or_default()
}
