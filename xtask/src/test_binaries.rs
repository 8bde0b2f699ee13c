//! Test programs as files: built once by cargo, then run one test at a time, with a time limit each.
//!
//! Cargo's own runner has no time limit and no figures for a single test. The model checks need both, and the
//! sanitizers run some programs several times.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::shell::{Failure, Step, fail};
use crate::tally::Tally;

/// A test program that cargo built.
pub struct TestBinary {
    /// The test file's name without `.rs`, or the crate's name for unit tests.
    pub name: String,
    pub path: PathBuf,
}

/// Builds tests with a `cargo test …` step and finds the programs.
pub fn build(step: Step) -> Result<Vec<TestBinary>, Failure> {
    let messages = step
        .args(["--no-run", "--message-format=json-render-diagnostics"])
        .output()?;
    Ok(messages.lines().filter_map(executable).collect())
}

/// Reads one line of cargo's messages. Only two plain strings are needed of it, so no JSON reader is.
fn executable(message: &str) -> Option<TestBinary> {
    let path = string_after(message, "\"executable\":\"")?;
    let target = message.split_once("\"target\":{")?.1;
    Some(TestBinary {
        name: string_after(target, "\"name\":\"")?.to_owned(),
        path: path.into(),
    })
}

fn string_after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.split_once(key)?.1.split('"').next()
}

impl TestBinary {
    /// The names of its tests.
    pub fn tests(&self) -> Result<Vec<String>, Failure> {
        let (listed, text) = Step::new(&self.path.to_string_lossy())
            .args(["--list", "--format=terse"])
            .captured()?;
        if !listed {
            fail!("{} does not list its tests:\n{text}", self.name);
        }
        Ok(text
            .lines()
            .filter_map(|line| line.strip_suffix(": test"))
            .map(str::to_owned)
            .collect())
    }
}

/// One test of one program, to be run alone.
pub struct Job {
    pub label: String,
    pub step: Step,
}

/// Runs the jobs on all cores, each at most `limit` long; prints a line a job, and the output of those that fail.
pub fn run_all(jobs: Vec<Job>, limit: Duration, log: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(log)?;
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let queue = Mutex::new(VecDeque::from(jobs));
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (queue, failed) = (&queue, &failed);
            scope.spawn(move || {
                loop {
                    let Some(job) = queue.lock().expect("no worker panics").pop_front() else {
                        break;
                    };
                    let label = job.label.clone();
                    let log = log.join(format!("worker-{worker}.log"));
                    if let Err(Failure(reason)) = run_one(job, limit, &log) {
                        println!("   FAILED {label}: {reason}");
                        failed.lock().expect("no worker panics").push(label);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no worker panics");
    if failed.is_empty() {
        Ok(())
    } else {
        Err(Failure(format!("failed: {}", failed.join(", "))))
    }
}

fn run_one(job: Job, limit: Duration, log: &Path) -> Result<(), Failure> {
    let file = std::fs::File::create(log)?;
    let start = Instant::now();
    let mut command = job.step.into_command();
    let mut child = command
        .stdout(file.try_clone()?)
        .stderr(Stdio::from(file))
        .spawn()?;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            fail!("still running after {} s\n{}", limit.as_secs(), tail(log));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    if !status.success() {
        Tally::add(0, 1, 0);
        fail!("{status}\n{}", tail(log));
    }
    std::fs::read_to_string(log)
        .unwrap_or_default()
        .lines()
        .for_each(Tally::count);
    println!("   {:6.1} s  {}", start.elapsed().as_secs_f32(), job.label);
    Ok(())
}

fn tail(log: &Path) -> String {
    let text = String::from_utf8_lossy(&std::fs::read(log).unwrap_or_default()).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(200)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cargo_message_names_program_and_file() {
        let message = r#"{"reason":"compiler-artifact","target":{"kind":["test"],"name":"loom_slot"},"executable":"/t/loom_slot-1"}"#;
        let binary = executable(message).expect("it has an executable");
        assert_eq!(
            (binary.name.as_str(), binary.path.to_str()),
            ("loom_slot", Some("/t/loom_slot-1"))
        );
        assert!(executable(r#"{"target":{"name":"x"},"executable":null}"#).is_none());
    }
}
