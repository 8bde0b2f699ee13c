//! `cargo xtask fmt`: one layout for all code.

use crate::project::Project;
use crate::shell::{Failure, Outcome, Step, heading};

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    heading("fmt: rustfmt");
    Step::new("cargo fmt --all")
        .args(arguments)
        .dir(&project.root)
        .run()?;
    Ok(Outcome::Passed)
}
