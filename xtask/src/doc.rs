//! `cargo xtask doc`: the documentation of the libraries, with broken links as errors.
//!
//! Twice: for those who work on them, private items included, and then as users see it.

use crate::project::{LIBRARIES, Project, select};
use crate::shell::{Failure, Outcome, Step, heading};

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    heading("doc: rustdoc, warnings are errors");
    for scope in [&["--document-private-items"][..], &[]] {
        Step::new("cargo doc --no-deps")
            .args(select(LIBRARIES))
            .args(scope)
            .args(arguments)
            .env("RUSTDOCFLAGS", "-D warnings")
            .dir(&project.root)
            .run()?;
    }
    Ok(Outcome::Passed)
}
