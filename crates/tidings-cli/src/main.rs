//! The command `tidings`: one input to many consumers, each under a contract of its own.

use std::process::ExitCode;

mod args;
mod fan;
mod parse;
mod plan;

#[cfg(not(unix))]
compile_error!(
    "the command `tidings` is for Unix: it is built on process groups, signals and poll"
);

fn main() -> ExitCode {
    fan::run(args::read())
}
