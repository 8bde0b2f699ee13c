//! `cargo xtask lint`: clippy with the table of the root manifest, over every target, the features that the defaults
//! leave out, and the code that only model checks or other systems build.

use crate::project::{CONCURRENT, LIBRARIES, Project, select};
use crate::shell::{Failure, Outcome, Step, heading};

/// Builds of the concurrent crates beside the plain one: a `--cfg` for each.
const BUILDS: &[&str] = &["loom", "shuttle", "tidings_portable", "tidings_word_copy"];

/// Not asked of these builds: what the model checkers put in the place of an atomic is large.
const SIZES: &[&str] = &["clippy::result_large_err", "clippy::large_enum_variant"];

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    heading("lint: clippy, warnings are errors");
    Step::new("cargo clippy --workspace --all-targets")
        .args(arguments)
        .args(["--", "-D", "warnings"])
        .dir(&project.root)
        .run()?;
    Step::new("cargo clippy --no-default-features --lib")
        .args(select(LIBRARIES))
        .args(["--", "-D", "warnings"])
        .dir(&project.root)
        .run()?;
    Step::new("cargo clippy --all-features --lib --tests")
        .args(select(LIBRARIES))
        .args(["--", "-D", "warnings"])
        .dir(&project.root)
        .run()?;
    for build in BUILDS {
        let target = project.target("lint").join(build);
        Step::new("cargo clippy --lib --tests")
            .args(select(CONCURRENT))
            .args(["--target-dir", &target.to_string_lossy()])
            .args(["--", "-D", "warnings"])
            .args(SIZES.iter().flat_map(|lint| ["-A", lint]))
            .env("RUSTFLAGS", format!("--cfg {build}"))
            .dir(&project.root)
            .run()?;
    }
    Ok(Outcome::Passed)
}
