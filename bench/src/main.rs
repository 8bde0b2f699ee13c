//! The command `tidings-bench`: tidings beside its rivals, in one binary, interleaved, verified.
//!
//! Floors of this crate, each importing only what stands below it:
//! `main` → `runner`, `report` → `scenarios` → `work` → `engines` → `engine`, `stage`, `message`, `value`, `meter`, `clock`, `sys`.
//!
//! How a row is measured is written in `METHODOLOGY.md`; what may lean which way, in `BIAS.md`.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the harness must not stand on what it measures, so it uses core atomics and std::thread::park directly"
)]

mod clock;
mod consumer;
mod engine;
mod engines;
mod machine;
mod message;
mod meter;
mod options;
mod report;
mod round;
mod runner;
mod scenario;
mod scenarios;
mod stage;
mod stats;
mod sys;
mod value;
mod work;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match run(&options::Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("tidings-bench: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// Runs what the options ask for.
fn run(options: &options::Options) -> Result<(), String> {
    engines::ring::tidings::prepare();
    let concepts = scenarios::concepts(options.concept.as_deref())?;
    if options.json.is_some() && concepts.len() > 1 {
        return Err("--json holds one concept; name it".into());
    }
    concepts
        .into_iter()
        .try_for_each(|concept| run_one(options, concept))
}

/// Runs one concept. A ratio that misses its target is a finding, not a failure; wrong work is a failure, and so is a
/// smoke run that counts more system calls or allocations than may be.
fn run_one(options: &options::Options, concept: &scenarios::Concept) -> Result<(), String> {
    let scenarios = options.select((concept.scenarios)())?;
    if options.list {
        report::list(&scenarios);
        return Ok(());
    }
    let schedule = options.schedule();
    let mut outcomes = Vec::with_capacity(scenarios.len());
    for scenario in &scenarios {
        let outcome = runner::run(scenario, &schedule)?;
        print!(
            "{}",
            if schedule.smoke {
                report::smoke(&outcome)?
            } else {
                report::table(&outcome)
            }
        );
        outcomes.push(outcome);
    }
    if schedule.smoke {
        return Ok(());
    }
    let record = report::Record::new(machine::Machine::look(), schedule.rounds, outcomes);
    print!("{}", report::summary(&record));
    options.keep(concept.name, &record)
}
