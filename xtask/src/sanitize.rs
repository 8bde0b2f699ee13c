//! `cargo xtask sanitize [thread|address]`: the tests with every memory access watched, and nothing suppressed.
//!
//! ThreadSanitizer needs a standard library built with it, else std's own synchronisation looks like races. Debian's
//! `rustc-web` carries matching sources and its LLVM's runtime; AddressSanitizer works on any stable toolchain.
//! A sanitizer that reports nothing proves something only if it can report: each must first find a planted fault.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::apt;
use crate::project::{CONCURRENT, HOST, Project, select};
use crate::shell::{Failure, Outcome, Step, fail, heading};
use crate::test_binaries::{self, Job, TestBinary};

/// One program under a sanitizer runs at most this long.
const LIMIT: Duration = Duration::from_secs(300);

/// Programs named `stress…` run this often: what they provoke depends on the schedule.
const STRESS_ROUNDS: usize = 3;

/// Tries that a planted fault gets, for the same reason.
const PLANTED_TRIES: usize = 20;

/// A sanitizer: the toolchain it needs, its flags, and the faults it must report.
struct Sanitizer {
    name: &'static str,
    target: PathBuf,
    toolchain: Toolchain,
    flags: String,
    /// Planted program, and the words its report must hold.
    planted: &'static [(&'static str, &'static str)],
}

enum Toolchain {
    /// The one that runs this.
    Here,
    /// Debian's, with the standard library built from its sources.
    Debian,
}

/// Whether a test file makes sense in an instrumented build: model checks and compile-fail tests do not.
pub fn is_instrumentable(test: &str) -> bool {
    !["loom_", "shuttle_", "compile"]
        .iter()
        .any(|prefix| test.starts_with(prefix))
}

pub fn run(project: &Project, arguments: &[String]) -> Result<Outcome, Failure> {
    if !cfg!(all(
        target_os = "linux",
        target_arch = "x86_64",
        target_env = "gnu"
    )) {
        return Ok(Outcome::Skipped(format!(
            "the sanitizer recipes are for {HOST}"
        )));
    }
    let wanted =
        |name: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == name);
    if let Some(unknown) = arguments
        .iter()
        .find(|name| !["thread", "address"].contains(&name.as_str()))
    {
        fail!("no sanitizer `{unknown}`: thread or address");
    }
    let mut outcome = Outcome::Passed;
    if wanted("address") {
        check(project, &address(project))?;
    }
    if wanted("thread") {
        match thread(project)? {
            Ok(sanitizer) => check(project, &sanitizer)?,
            Err(skipped) => outcome = skipped,
        }
    }
    Ok(outcome)
}

fn address(project: &Project) -> Sanitizer {
    Sanitizer {
        name: "AddressSanitizer",
        target: project.target("asan"),
        toolchain: Toolchain::Here,
        flags: "-Zsanitizer=address".to_owned(),
        planted: &[
            ("planted_use_after_free", "heap-use-after-free"),
            ("planted_leak", "detected memory leaks"),
        ],
    }
}

fn thread(project: &Project) -> Result<Result<Sanitizer, Outcome>, Failure> {
    if let Some(skipped) = apt::ensure(&["rustc-web", "cargo-web", "rust-web-src"])? {
        return Ok(Err(skipped));
    }
    let version = Step::new("/usr/bin/rustc -vV").output()?;
    let llvm = version
        .lines()
        .find_map(|line| line.strip_prefix("LLVM version: "));
    let Some(llvm) = llvm.and_then(|version| version.split('.').next()) else {
        fail!("which LLVM?\n{version}")
    };
    if let Some(skipped) = apt::ensure(&[&format!("libclang-rt-{llvm}-dev")])? {
        return Ok(Err(skipped));
    }
    let runtime =
        format!("/usr/lib/llvm-{llvm}/lib/clang/{llvm}/lib/linux/libclang_rt.tsan-x86_64.a");
    if !Path::new(&runtime).exists() {
        fail!("the sanitizer's runtime is not at {runtime}");
    }
    // The ring then copies payloads through atomic words: ThreadSanitizer sees no assembly.
    let flags = format!(
        "-Zsanitizer=thread --cfg tidings_word_copy \
         -Zexternal-clangrt -Zpre-link-arg=-Wl,--whole-archive,{runtime},--no-whole-archive"
    );
    Ok(Ok(Sanitizer {
        name: "ThreadSanitizer",
        target: project.target("tsan"),
        toolchain: Toolchain::Debian,
        flags,
        planted: &[("planted_race", "data race")],
    }))
}

fn check(project: &Project, sanitizer: &Sanitizer) -> Result<(), Failure> {
    heading(&format!("sanitize: {}", sanitizer.name));
    for (program, report) in sanitizer.planted {
        find_planted(project, sanitizer, program, report)?;
    }
    for package in CONCURRENT {
        let tests = project
            .tests(package)
            .into_iter()
            .filter(|name| is_instrumentable(name));
        let step = cargo(project, sanitizer, "test --lib --all-features")
            .args(select(&[package]))
            .args(tests.flat_map(|name| ["--test".to_owned(), name]));
        let binaries = test_binaries::build(step)?;
        let jobs = binaries
            .iter()
            .flat_map(|binary| jobs(project, package, binary))
            .collect();
        test_binaries::run_all(jobs, LIMIT, &sanitizer.target.join("logs"))?;
    }
    Ok(())
}

/// Runs a planted fault until the sanitizer reports it, and fails when it never does.
fn find_planted(
    project: &Project,
    sanitizer: &Sanitizer,
    program: &str,
    report: &str,
) -> Result<(), Failure> {
    cargo(
        project,
        sanitizer,
        &format!("build -p xtask --example {program}"),
    )
    .run()?;
    let path = sanitizer
        .target
        .join(HOST)
        .join("debug/examples")
        .join(program);
    for attempt in 1..=PLANTED_TRIES {
        let (passed, text) = watched(Step::new(&path.to_string_lossy())).captured()?;
        if !passed && text.contains(report) {
            println!("   {program}: reported (`{report}`), attempt {attempt}");
            return Ok(());
        }
    }
    fail!(
        "{} does not report `{program}`, so its silence about the tests means nothing",
        sanitizer.name
    )
}

fn jobs(project: &Project, package: &str, binary: &TestBinary) -> Vec<Job> {
    let rounds = if binary.name.starts_with("stress") {
        STRESS_ROUNDS
    } else {
        1
    };
    let job = |round| Job {
        label: format!("{package} {} ({round}/{rounds})", binary.name),
        step: watched(Step::new(&binary.path.to_string_lossy())).dir(&project.package(package)),
    };
    (1..=rounds).map(job).collect()
}

/// The environment in which an instrumented program runs. A backtrace out of one takes half a minute.
fn watched(step: Step) -> Step {
    step.env("TSAN_OPTIONS", "halt_on_error=1")
        .env("RUST_BACKTRACE", "0")
}

/// A cargo command that builds with the sanitizer.
fn cargo(project: &Project, sanitizer: &Sanitizer, words: &str) -> Step {
    let step = match sanitizer.toolchain {
        Toolchain::Here => Step::new(&format!("cargo {words}")),
        Toolchain::Debian => Step::new(&format!("/usr/bin/cargo {words} -Zbuild-std"))
            .env("RUSTC", "/usr/bin/rustc")
            .env("RUSTDOC", "/usr/bin/rustdoc"),
    };
    step.args([
        "--target",
        HOST,
        "--target-dir",
        &sanitizer.target.to_string_lossy(),
    ])
    .env("RUSTC_BOOTSTRAP", "1")
    .env("RUSTFLAGS", &sanitizer.flags)
    .without_env("RUSTUP_TOOLCHAIN")
    .dir(&project.root)
}
