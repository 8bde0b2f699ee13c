//! Every Rust file opens by saying what it is, and a module is `name.rs` beside its folder.

use super::Finding;
use super::source::Source;

pub fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    if !source
        .lines
        .first()
        .is_some_and(|line| line.raw.starts_with("//! "))
    {
        findings.push(Finding::new(
            &source.path,
            1,
            "does not begin with `//! ` and what the file is",
        ));
    }
    if source.path.ends_with("/mod.rs") {
        findings.push(Finding::new(
            &source.path,
            0,
            "is `name.rs` beside its folder, not `mod.rs`",
        ));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_header_and_a_mod_rs_are_found() {
        let count = |path, text| check(&Source::new(path, text)).len();
        assert_eq!(count("crates/x/src/a.rs", "//! What it is.\n"), 0);
        assert_eq!(count("crates/x/src/a.rs", "use b::c;\n"), 1);
        assert_eq!(count("crates/x/src/a.rs", ""), 1);
        assert_eq!(count("crates/x/src/a/mod.rs", "//! What it is.\n"), 1);
    }
}
