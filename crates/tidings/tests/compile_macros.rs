//! What the derives refuse, each with the error a user would read, beside what they take.
// With `latency` there is one more plain type, which the compiler then names among others in its help.
#![cfg(all(
    not(feature = "latency"),
    feature = "macros",
    feature = "ring",
    not(any(loom, shuttle, miri))
))]

/// The compiler whose words the `.stderr` files hold.
const COMPILER: &str = "rustc 1.95.";

#[test]
fn derives_refuse_what_they_cannot_vouch_for() {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = std::process::Command::new(compiler).arg("-V").output();
    let version = String::from_utf8_lossy(&said.expect("the compiler runs").stdout).into_owned();
    if !version.starts_with(COMPILER) {
        println!("SKIPPED: the error texts are those of {COMPILER}x, this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}
