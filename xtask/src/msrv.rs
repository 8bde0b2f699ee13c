//! `cargo xtask msrv`: the crates checked by the oldest compiler that `rust-version` promises.
//!
//! Debian carries that compiler as `rustc-web`. Its packages are unpacked below the target folder, beside whatever
//! compiler the machine has, and nothing is installed.

use std::path::Path;

use crate::apt;
use crate::project::{LIBRARIES, Project, select};
use crate::shell::{Failure, Outcome, Step, fail, heading};

pub fn run(project: &Project, _: &[String]) -> Result<Outcome, Failure> {
    let version = rust_version(project)?;
    heading(&format!("msrv: the crates with rustc {version}"));
    let base = project.target("msrv");
    if !base.join("root/usr/bin/rustc").exists() {
        if !apt::can_install() {
            return Ok(Outcome::Skipped(format!(
                "needs rustc {version} out of Debian's packages, fetched with apt-get"
            )));
        }
        if let Some(skipped) = apt::ensure(LINKED)? {
            return Ok(skipped);
        }
        unpack(&version, &base)?;
    }
    let root = base.join("root/usr");
    let rustc = root.join("bin/rustc").to_string_lossy().into_owned();
    let libraries = root
        .join("lib/x86_64-linux-gnu")
        .to_string_lossy()
        .into_owned();
    let found = Step::new(&rustc)
        .arg("--version")
        .env("LD_LIBRARY_PATH", &libraries)
        .output()?;
    print!("   {found}");
    if !found.contains(&format!("rustc {version}.")) {
        fail!("unpacked another compiler than {version}");
    }
    let bare = [select(LIBRARIES), vec!["--no-default-features".to_owned()]].concat();
    for scope in [Vec::new(), bare] {
        Step::new("cargo check")
            .args(scope)
            .args(["--target-dir", &base.join("build").to_string_lossy()])
            .env("RUSTC", &rustc)
            .env("LD_LIBRARY_PATH", &libraries)
            .dir(&project.root)
            .run()?;
    }
    Ok(Outcome::Passed)
}

/// Libraries that the unpacked compiler's code generator is linked to.
const LINKED: &[&str] = &["libedit2", "libffi8", "libxml2", "libz3-4"];

/// The promise itself: `rust-version` in the root manifest.
fn rust_version(project: &Project) -> Result<String, Failure> {
    let manifest = std::fs::read_to_string(project.root.join("Cargo.toml"))?;
    let line = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = "));
    line.map(|value| value.trim_matches('"').to_owned())
        .ok_or_else(|| Failure("the root manifest states no rust-version".to_owned()))
}

/// Fetches the compiler, its library and the code generator it was built with, and unpacks them.
fn unpack(version: &str, base: &Path) -> Result<(), Failure> {
    let packages = base.join("packages");
    std::fs::create_dir_all(&packages)?;
    apt::update()?;
    Step::new("apt-get download -qq")
        .args([
            format!("rustc-web={version}*"),
            format!("libstd-rust-web-dev={version}*"),
            format!("libstd-rust-web-{version}"),
        ])
        .dir(&packages)
        .run()?;
    Step::new("apt-get download -qq")
        .arg(code_generator(&packages, version)?)
        .dir(&packages)
        .run()?;
    let root = base.join("root");
    for entry in std::fs::read_dir(&packages)?.flatten() {
        Step::new("dpkg -x")
            .args([entry.path().to_string_lossy(), root.to_string_lossy()])
            .run()?;
    }
    Ok(())
}

/// The name of the LLVM package that the compiler's library depends on.
fn code_generator(packages: &Path, version: &str) -> Result<String, Failure> {
    let prefix = format!("libstd-rust-web-{version}_");
    let library = std::fs::read_dir(packages)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with(&prefix))
        });
    let Some(library) = library else {
        fail!("the compiler's library was not fetched")
    };
    let depends = Step::new("dpkg-deb --field")
        .args([&library.to_string_lossy(), "Depends"])
        .output()?;
    let package = depends
        .split([',', ' ', '\n'])
        .find(|word| word.starts_with("libllvm"));
    package
        .map(str::to_owned)
        .ok_or_else(|| Failure(format!("no libllvm among: {depends}")))
}
