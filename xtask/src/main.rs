//! `cargo xtask`: what this repository does beside building, one command each.
//!
//! `COMMANDS` is the whole table; a command lives in the file of its name. Nothing here needs more than cargo and
//! this workspace: a command whose tool is absent says so loudly and is counted as skipped, never as passed.

mod apt;
mod bench;
mod ci;
mod doc;
mod fmt;
mod lint;
mod loom;
mod miri;
mod msrv;
mod nostd;
mod project;
mod sanitize;
mod shell;
mod tally;
mod test;
mod test_binaries;
mod tidy;

use std::process::ExitCode;

use project::Project;
use shell::{Failure, Outcome};

/// One row of the table: how a command is called and what it does.
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(&Project, &[String]) -> Result<Outcome, Failure>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "fmt",
        about: "format the code; --check only looks",
        run: fmt::run,
    },
    Command {
        name: "lint",
        about: "clippy over everything, warnings are errors",
        run: lint::run,
    },
    Command {
        name: "test",
        about: "the README's test command; --print shows it",
        run: test::run,
    },
    Command {
        name: "doc",
        about: "build the documentation, warnings are errors",
        run: doc::run,
    },
    Command {
        name: "loom",
        about: "model checks and their mutants; --bound N, a name filters",
        run: loom::run,
    },
    Command {
        name: "miri",
        about: "the tests under Miri, where it is installed",
        run: miri::run,
    },
    Command {
        name: "sanitize",
        about: "ThreadSanitizer, AddressSanitizer, planted faults",
        run: sanitize::run,
    },
    Command {
        name: "nostd",
        about: "link the libraries without a standard library",
        run: nostd::run,
    },
    Command {
        name: "msrv",
        about: "check the crates with the oldest compiler",
        run: msrv::run,
    },
    Command {
        name: "bench",
        about: "the benchmarks; arguments are handed on",
        run: bench::run,
    },
    Command {
        name: "tidy",
        about: "the house rules that no lint can check",
        run: tidy::run,
    },
    Command {
        name: "ci",
        about: "all of it; --only a,b and --skip a,b",
        run: ci::run,
    },
];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments
        .next()
        .filter(|name| !matches!(name.as_str(), "help" | "-h" | "--help"))
    else {
        print_help();
        return ExitCode::SUCCESS;
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        eprintln!("error: no command `{name}`\n");
        print_help();
        return ExitCode::from(2);
    };
    let arguments: Vec<String> = arguments.collect();
    match (command.run)(&Project::here(), &arguments) {
        Ok(Outcome::Passed) => ExitCode::SUCCESS,
        Ok(Outcome::Skipped(reason)) => {
            println!("\nSKIPPED: {reason}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("\nerror: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn print_help() {
    println!("cargo xtask COMMAND [arguments]\n");
    for command in COMMANDS {
        println!("  {:9} {}", command.name, command.about);
    }
}
