//! `unsafe` stands in files of a few names only, so that a reviewer knows where to look.

use super::Finding;
use super::source::Source;

/// Names of files, or of folders holding them, that may hold `unsafe` below a crate's `src`.
const NAMES: &[&str] = &[
    "slot", "cell", "claim", "region", "sys", "hint", "sync", "erased",
];

/// The same, by beginning: `wait.rs`, `wait_thread.rs`, …
const PREFIX: &str = "wait";

/// Files outside the libraries that need it: faults planted on purpose, programs that count allocations.
const OUTSIDE: &[&str] = &["xtask/planted/", "xtask/probes/"];

/// The same by name of file or folder: system calls, wakers made by hand.
const OUTSIDE_NAMES: &[&str] = &["sys", "wakers"];

/// And by a part of the name: allocators that count; models, which put cells of the checker's beside the shipped types
/// to see that these order the accesses.
const OUTSIDE_PARTS: &[&str] = &["alloc", "loom_"];

pub fn check(source: &Source) -> Vec<Finding> {
    let allowed = is_allowed(&source.path);
    let mut findings = Vec::new();
    let mut uses = 0;
    let mut grant = None;
    for (number, line) in source.lines.iter().enumerate() {
        if line.has_word("unsafe") {
            uses += 1;
            if !allowed {
                findings.push(Finding::new(
                    &source.path,
                    number + 1,
                    "`unsafe` outside the files meant for it",
                ));
            }
        }
        if line.code.contains("allow(") && line.has_word("unsafe_code") {
            grant = Some(number + 1);
            if !allowed {
                findings.push(Finding::new(
                    &source.path,
                    number + 1,
                    "this file may not allow `unsafe_code`",
                ));
            }
        }
    }
    if let (0, Some(line), true) = (uses, grant, allowed) {
        findings.push(Finding::new(
            &source.path,
            line,
            "allows `unsafe_code` and has none",
        ));
    }
    findings
}

fn is_allowed(path: &str) -> bool {
    if OUTSIDE.iter().any(|folder| path.starts_with(folder)) {
        return true;
    }
    let mut parts = path.trim_end_matches(".rs").split('/');
    match path.split_once("/src/") {
        Some((_, inner)) if path.starts_with("crates/") => inner
            .trim_end_matches(".rs")
            .split('/')
            .any(|part| NAMES.contains(&part) || part.starts_with(PREFIX)),
        _ => parts.any(|part| {
            OUTSIDE_NAMES.contains(&part) || OUTSIDE_PARTS.iter().any(|known| part.contains(known))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Source::new(path, text)).len()
    }

    #[test]
    fn unsafe_is_found_outside_its_files_only() {
        let text = "#![allow(unsafe_code)]\nfn a() { unsafe { b() } }\n";
        assert_eq!(count("crates/x/src/gate.rs", text), 2);
        assert_eq!(count("crates/x/tests/gate.rs", text), 2);
        for path in ["slot.rs", "sys/linux.rs", "wait_thread.rs", "wait/park.rs"] {
            assert_eq!(count(&format!("crates/x/src/{path}"), text), 0, "{path}");
        }
    }

    #[test]
    fn a_word_in_a_comment_or_an_attribute_is_no_unsafe() {
        assert_eq!(
            count("crates/x/src/gate.rs", "#![deny(unsafe_code)] // unsafe\n"),
            0
        );
    }

    #[test]
    fn an_allowance_that_nothing_needs_is_found() {
        assert_eq!(
            count(
                "crates/x/src/slot.rs",
                "#![allow(unsafe_code)]\nfn a() {}\n"
            ),
            1
        );
    }
}
