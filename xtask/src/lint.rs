//! `cargo xtask lint`: clippy with the table of the root manifest, over every target and the model-check build.

use crate::project::{CONCURRENT, Project, select};
use crate::shell::{Failure, Outcome, Step, heading};

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    heading("lint: clippy, warnings are errors");
    Step::new("cargo clippy --workspace --all-targets")
        .args(arguments)
        .args(["--", "-D", "warnings"])
        .dir(&project.root)
        .run()?;
    Step::new("cargo clippy --no-default-features --lib")
        .args(select(CONCURRENT))
        .args(["--", "-D", "warnings"])
        .dir(&project.root)
        .run()?;
    Ok(Outcome::Passed)
}
