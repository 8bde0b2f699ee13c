//! Misuse that must not compile, each with the error a user would read.
#![cfg(all(feature = "std", not(any(loom, shuttle, miri))))]

/// The compiler whose words the `.stderr` files hold.
const COMPILER: &str = "rustc 1.95.";

/// Whose error names plain types in its help: with `latency` there is one more.
const NAMES_TYPES: [&str; 2] = ["str_payload.rs", "string_payload.rs"];

#[test]
fn b42_misuse_does_not_compile() {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = std::process::Command::new(compiler).arg("-V").output();
    let version = String::from_utf8_lossy(&said.expect("the compiler runs").stdout).into_owned();
    if !version.starts_with(COMPILER) {
        println!("SKIPPED: the error texts are those of {COMPILER}x, this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    for entry in std::fs::read_dir("tests/ui").expect("there are cases") {
        let path = entry.expect("a case can be found").path();
        let is_other =
            cfg!(feature = "latency") && NAMES_TYPES.iter().any(|name| path.ends_with(name));
        if path.extension().is_some_and(|extension| extension == "rs") && !is_other {
            cases.compile_fail(path);
        }
    }
}
