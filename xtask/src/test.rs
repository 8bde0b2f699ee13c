//! `cargo xtask test`: exactly what the README tells a newcomer to run.

use crate::project::Project;
use crate::shell::{Failure, Outcome, Step, heading};

/// The README's test command. It needs cargo and nothing else; the root manifest's `default-members` keep the
/// benchmarks, and with them every rival, out of it. `tidy` checks that the README says the same.
pub const TEST_COMMAND: &str = "cargo test";

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    if arguments.iter().any(|argument| argument == "--print") {
        println!("{TEST_COMMAND}");
        return Ok(Outcome::Passed);
    }
    heading("test: the README's test command");
    Step::new(TEST_COMMAND)
        .args(arguments)
        .dir(&project.root)
        .run_tests()?;
    Ok(Outcome::Passed)
}
