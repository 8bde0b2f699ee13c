//! `cargo xtask loom`: every interleaving, up to a bound, of the shipped types.
//!
//! A package's models are its files `tests/loom_*.rs` (built with `--cfg loom`) and `tests/shuttle_*.rs` (`--cfg
//! shuttle`, random schedules for what is too big for loom). Mutants, each with one protocol step switched off, are
//! tests in the same files that call `mutation::must_fail`: it runs the model in a process of its own, where it has to
//! fail with the symptom named. So a mutant that survives fails here like any test.

use std::time::Duration;

use crate::project::{CONCURRENT, Project};
use crate::shell::{Failure, Outcome, Step, fail, heading};
use crate::test_binaries::{self, Job};

/// A model that runs longer than this has outgrown its bound.
const LIMIT: Duration = Duration::from_secs(180);

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    let mut bound = "2".to_owned();
    let mut filter = String::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bound" => match arguments.next() {
                Some(number) if number.parse::<u32>().is_ok() => bound.clone_from(number),
                _ => fail!("--bound needs a number"),
            },
            name => name.clone_into(&mut filter),
        }
    }
    heading(&format!(
        "loom: at most {bound} preemptions, {} s a model",
        LIMIT.as_secs()
    ));
    let mut models = 0;
    for package in CONCURRENT {
        models += check(project, package, "loom", &bound, &filter)?;
        models += check(project, package, "shuttle", &bound, &filter)?;
    }
    println!("   {models} models and mutants");
    if models == 0 {
        fail!("no model was run");
    }
    Ok(Outcome::Passed)
}

fn check(
    project: &Project,
    package: &str,
    tool: &str,
    bound: &str,
    filter: &str,
) -> Result<usize, Failure> {
    let files: Vec<String> = project
        .tests(package)
        .into_iter()
        .filter(|name| name.starts_with(&format!("{tool}_")))
        .collect();
    if files.is_empty() {
        return Ok(0);
    }
    let target = project.target(tool);
    let binaries = test_binaries::build(
        Step::new("cargo test --release -p")
            .arg(package)
            .args(files.iter().flat_map(|name| ["--test", name.as_str()]))
            .args(["--target-dir", &target.to_string_lossy()])
            .env("RUSTFLAGS", format!("--cfg {tool} -D warnings"))
            .dir(&project.root),
    )?;
    let mut jobs = Vec::new();
    for binary in binaries {
        for test in binary.tests()? {
            let label = format!("{package} {}::{test}", binary.name);
            if label.contains(filter) {
                let step = Step::new(&binary.path.to_string_lossy())
                    .args([&test, "--exact", "--test-threads=1"])
                    .env("LOOM_MAX_PREEMPTIONS", bound)
                    .env("RUST_BACKTRACE", "0")
                    .dir(&project.package(package));
                jobs.push(Job { label, step });
            }
        }
    }
    let models = jobs.len();
    test_binaries::run_all(jobs, LIMIT, &target.join("logs"))?;
    Ok(models)
}
