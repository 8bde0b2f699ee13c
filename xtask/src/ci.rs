//! `cargo xtask ci`: every stage in order, all of them even when one fails, and a table at the end.

use std::time::Instant;

use crate::project::{CONCURRENT, Project, select};
use crate::shell::{Failure, Outcome, Step, fail, heading};
use crate::tally::Tally;
use crate::tidy::first_command;
use crate::{bench, doc, fmt, lint, loom, miri, msrv, nostd, sanitize, test, tidy};

struct Stage {
    name: &'static str,
    run: fn(&Project) -> Result<Outcome, Failure>,
    /// Whether CI may go without it; where it is false, a skip in CI is a failure.
    is_optional: bool,
}

/// A stage that CI has to run.
const fn needed(name: &'static str, run: fn(&Project) -> Result<Outcome, Failure>) -> Stage {
    Stage {
        name,
        run,
        is_optional: false,
    }
}

/// A stage whose tool cannot be had everywhere.
const fn optional(name: &'static str, run: fn(&Project) -> Result<Outcome, Failure>) -> Stage {
    Stage {
        name,
        run,
        is_optional: true,
    }
}

const STAGES: &[Stage] = &[
    needed("test", |project| test::run(project, &[])),
    needed("readme", readme),
    needed("fmt", |project| fmt::run(project, &["--check".to_owned()])),
    needed("tidy", tidy_and_its_tests),
    needed("lint", |project| lint::run(project, &[])),
    needed("doc", |project| doc::run(project, &[])),
    needed("release", release),
    needed("portable", portable),
    needed("examples", examples),
    needed("loom", |project| loom::run(project, &[])),
    needed("nostd", |project| nostd::run(project, &[])),
    needed("sanitize", |project| sanitize::run(project, &[])),
    needed("bench", bench_smoke),
    optional("msrv", |project| msrv::run(project, &[])),
    optional("miri", |project| miri::run(project, &[])),
];

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    let stages = chosen(arguments)?;
    let in_ci = std::env::var_os("CI").is_some();
    let mut failed = Vec::new();
    let mut table = String::new();
    for stage in stages {
        let start = Instant::now();
        let result = match (stage.run)(project) {
            Ok(Outcome::Passed) => "passed".to_owned(),
            Ok(Outcome::Skipped(reason)) => {
                println!("\nSKIPPED {}: {reason}", stage.name);
                if in_ci && !stage.is_optional {
                    failed.push(stage.name);
                }
                format!("SKIPPED: {reason}")
            }
            Err(failure) => {
                println!("\nFAILED {}: {failure}", stage.name);
                failed.push(stage.name);
                "FAILED".to_owned()
            }
        };
        if in_ci {
            make_room(project)?;
        }
        table.push_str(&format!(
            "  {:9} {:6.1} s  {result}\n",
            stage.name,
            start.elapsed().as_secs_f32()
        ));
    }
    heading("summary");
    println!("{table}\ntests: {}", Tally::line());
    if failed.is_empty() {
        Ok(Outcome::Passed)
    } else {
        fail!("stages that failed: {}", failed.join(", "))
    }
}

/// Removes what a stage built with flags of its own, which no later stage uses: disks are small where CI runs.
fn make_room(project: &Project) -> Result<(), Failure> {
    let target = project.target("");
    let Ok(folders) = std::fs::read_dir(&target) else {
        return Ok(());
    };
    for folder in folders {
        let folder = folder?;
        let is_shared = ["debug", "release"]
            .iter()
            .any(|name| folder.file_name() == *name);
        if folder.file_type()?.is_dir() && !is_shared {
            std::fs::remove_dir_all(folder.path())?;
        }
    }
    Ok(())
}

/// The stages that `--only a,b` and `--skip a,b` leave.
fn chosen(arguments: &[String]) -> Result<Vec<&'static Stage>, Failure> {
    let mut stages: Vec<&Stage> = STAGES.iter().collect();
    for pair in arguments.chunks(2) {
        let [option, names] = pair else {
            fail!("{} needs names of stages", pair[0])
        };
        let names: Vec<&str> = names.split(',').collect();
        if let Some(unknown) = names
            .iter()
            .find(|name| !STAGES.iter().any(|stage| stage.name == **name))
        {
            let all: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
            fail!("no stage `{unknown}`; there are {}", all.join(", "));
        }
        match option.as_str() {
            "--only" => stages.retain(|stage| names.contains(&stage.name)),
            "--skip" => stages.retain(|stage| !names.contains(&stage.name)),
            _ => fail!("`{option}`: only --only and --skip are known"),
        }
    }
    Ok(stages)
}

/// The README's first command, taken from the README.
fn readme(project: &Project) -> Result<Outcome, Failure> {
    heading("readme: its first command");
    let text = std::fs::read_to_string(project.root.join("README.md"))?;
    let Some(command) = first_command(&text) else {
        fail!("the README has no first command")
    };
    Step::new("bash -c").arg(command).dir(&project.root).run()?;
    Ok(Outcome::Passed)
}

fn tidy_and_its_tests(project: &Project) -> Result<Outcome, Failure> {
    Step::new("cargo test -p xtask")
        .dir(&project.root)
        .run_tests()?;
    tidy::run(project, &[])
}

/// The concurrent crates once more as users run them: optimised, other interleavings, and with every feature.
fn release(project: &Project) -> Result<Outcome, Failure> {
    heading("release: the concurrent crates' tests, optimised, with every feature");
    Step::new("cargo test --release --all-features")
        .args(select(CONCURRENT))
        .dir(&project.root)
        .run_tests()?;
    Ok(Outcome::Passed)
}

/// Every example of the facade runs to its end.
fn examples(project: &Project) -> Result<Outcome, Failure> {
    heading("examples: each runs to its end");
    for name in project.examples("tidings") {
        Step::new("cargo run -q -p tidings --all-features --example")
            .arg(&name)
            .dir(&project.root)
            .run()?;
    }
    Ok(Outcome::Passed)
}

/// The code that other systems get, run on this one.
fn portable(project: &Project) -> Result<Outcome, Failure> {
    heading("portable: the concurrent crates' tests without what this system offers");
    Step::new("cargo test")
        .args(select(CONCURRENT))
        .args([
            "--lib",
            "--tests",
            "--target-dir",
            &project.target("portable").to_string_lossy(),
        ])
        .env("RUSTFLAGS", "--cfg tidings_portable")
        .dir(&project.root)
        .run_tests()?;
    Ok(Outcome::Passed)
}

/// The benchmarks compile, their own tests pass, and a short round of everything verifies its counts.
fn bench_smoke(project: &Project) -> Result<Outcome, Failure> {
    Step::new("cargo test --release -p tidings-bench")
        .dir(&project.root)
        .run_tests()?;
    bench::run(project, &["--smoke".to_owned()])
}
