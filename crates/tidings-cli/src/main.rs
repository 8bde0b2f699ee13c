//! The command `tidings`: one input to many consumers, each under a contract of its own.

use std::process::ExitCode;

mod args;
mod fan;
mod parse;

fn main() -> ExitCode {
    fan::run(args::read())
}
