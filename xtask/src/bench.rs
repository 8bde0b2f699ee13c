//! `cargo xtask bench`: the benchmarks, in a release build; every argument is handed on.

use crate::project::Project;
use crate::shell::{Failure, Outcome, Step, heading};

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    heading("bench");
    Step::new("cargo run --release -p tidings-bench --")
        .args(arguments)
        .dir(&project.root)
        .run()?;
    Ok(Outcome::Passed)
}
