//! The command `tidings-bench`: tidings beside its rivals, in one binary, interleaved, verified.
//!
//! Floors of this crate, each importing only what stands below it:
//! `main` → `runner`, `report` → `scenarios` → `work` → `engines` → `engine`, `message`, `clock`, `sys`.
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
mod options;
mod report;
mod round;
mod runner;
mod scenario;
mod scenarios;
mod stats;
mod sys;
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

/// Runs what the options ask for. A ratio that misses its target is a finding, not a failure; wrong work is a failure,
/// and so is a smoke run that finds a system call or an allocation where none may be.
fn run(options: &options::Options) -> Result<(), String> {
    engines::tidings::prepare();
    let scenarios = options.select(scenarios::group(&options.group)?)?;
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
    options.keep(&record)
}
