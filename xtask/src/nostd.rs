//! `cargo xtask nostd`: the libraries without a standard library, linked, not only type-checked.
//!
//! A plain `--no-default-features` build passes on the host even when a dependency still brings `std` in. The probe
//! defines what `std` would define, so the two collide.

use std::fmt::Write;

use crate::project::{LIBRARIES, Project};
use crate::shell::{Failure, Outcome, Step, heading};

const PROBE: &str = include_str!("../probes/nostd.rs");

pub fn run(project: &Project, _: &[String]) -> Result<Outcome, Failure> {
    heading("nostd: the libraries without a standard library");
    let probe = project.target("nostd-probe");
    std::fs::create_dir_all(probe.join("src"))?;
    std::fs::write(probe.join("src/lib.rs"), PROBE)?;
    std::fs::write(probe.join("Cargo.toml"), manifest(project))?;
    std::fs::copy(project.root.join("Cargo.lock"), probe.join("Cargo.lock"))?;
    Step::new("cargo build")
        .args(["--target-dir", &project.target("nostd").to_string_lossy()])
        .env("RUSTFLAGS", "-D warnings")
        .dir(&probe)
        .run()?;
    Ok(Outcome::Passed)
}

/// The probe's manifest: a workspace of its own, since features would otherwise be unified with the command's.
fn manifest(project: &Project) -> String {
    let mut text = String::from(
        "[package]\nname = \"nostd-probe\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"staticlib\"]\n\n\
         [profile.dev]\npanic = \"abort\"\n\n[workspace]\n\n[dependencies]\n",
    );
    for name in LIBRARIES {
        let features = if *name == "tidings" {
            ", features = [\"oneshot\", \"ring\"]"
        } else {
            ""
        };
        let path = project.package(name);
        let _ = writeln!(
            text,
            "{name} = {{ path = {path:?}, default-features = false{features} }}"
        );
    }
    text
}
