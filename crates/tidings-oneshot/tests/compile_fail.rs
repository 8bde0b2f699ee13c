//! Misuse that must not compile, each with the error a user would read.
#![cfg(all(feature = "std", not(any(loom, shuttle, miri))))]

/// The compiler whose words the `.stderr` files hold.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn a06_misuse_does_not_compile() {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = std::process::Command::new(compiler).arg("-V").output();
    let version = String::from_utf8_lossy(&said.expect("the compiler runs").stdout).into_owned();
    if !version.starts_with(COMPILER) {
        println!("SKIPPED: the error texts are those of {COMPILER}x, this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    // With a program that is to pass the others are built, not only checked: some errors come as late as that.
    cases.pass("tests/ui/use_as_meant.rs");
    cases.compile_fail("tests/ui/misuse_*.rs");
}
