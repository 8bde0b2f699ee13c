//! `cargo xtask doc`: the documentation of the crates, with broken links as errors.

use crate::project::Project;
use crate::shell::{Failure, Outcome, Step, heading};

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    heading("doc: rustdoc, warnings are errors");
    Step::new("cargo doc --no-deps --document-private-items")
        .args(arguments)
        .env("RUSTDOCFLAGS", "-D warnings")
        .dir(&project.root)
        .run()?;
    Ok(Outcome::Passed)
}
