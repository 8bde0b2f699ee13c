//! `cargo xtask miri`: the tests in the Miri interpreter, each under several thread schedules.
//!
//! Miri comes with rustup and cannot be had everywhere, so this runs where a contributor has it.

use crate::project::{CONCURRENT, Project, select};
use crate::sanitize::is_instrumentable;
use crate::shell::{Failure, Outcome, Step, heading};

/// Thread schedules tried for each test.
const SEEDS: &str = "0..8";

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    heading("miri: the threaded tests, many schedules each");
    let found = ["cargo miri", "cargo +nightly miri"]
        .into_iter()
        .find(|miri| Step::new(&format!("{miri} --version")).succeeds());
    let Some(miri) = found else {
        return Ok(Outcome::Skipped(
            "Miri is not installed, so no test ran under it (`rustup component add miri` on a nightly toolchain)"
                .to_owned(),
        ));
    };
    for package in CONCURRENT {
        let tests = project
            .tests(package)
            .into_iter()
            .filter(|name| is_instrumentable(name));
        Step::new(&format!("{miri} test --lib --all-features"))
            .args(select(&[package]))
            .args(tests.flat_map(|name| ["--test".to_owned(), name]))
            .args(arguments)
            .env(
                "MIRIFLAGS",
                format!("-Zmiri-many-seeds={SEEDS} -Zmiri-disable-isolation"),
            )
            .dir(&project.root)
            .run_tests()?;
    }
    Ok(Outcome::Passed)
}
