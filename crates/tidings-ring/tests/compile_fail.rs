//! Misuse that must not compile, each with the error a user would read.
#![cfg(all(feature = "std", not(any(loom, shuttle, miri))))]

#[test]
fn b42_misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
