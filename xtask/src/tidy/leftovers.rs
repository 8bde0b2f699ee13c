//! What work leaves behind: unfinished code, tests that sleep, and words that mean something on one machine only.

use super::Finding;
use super::source::Source;

/// Macros and attributes of unfinished code. Written apart, so that a search for them does not find this file.
const UNFINISHED: &[&str] = &[
    concat!("to", "do!("),
    concat!("unimpl", "emented!("),
    concat!("db", "g!("),
    concat!("#[ig", "nore"),
];

/// Words in comments that promise later work.
const PROMISES: &[&str] = &[
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("TO", "DO"),
];

/// A test that sleeps says why in a comment that begins like this.
const SLEEP_REASON: &str = "sleep:";

/// Folders of one machine, as absolute paths begin.
const FOLDERS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
];

/// Hosts that a reader of the project need not know.
const HOSTS: &[&str] = &[
    concat!("index.crates", ".io"),
    concat!("static.crates", ".io"),
    concat!("static.rust-lang", ".org"),
    concat!("pypi", ".org"),
    concat!("registry.npmjs", ".org"),
    concat!("deb.debian", ".org"),
];

pub fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, line) in source.lines.iter().enumerate() {
        let mut report =
            |message: String| findings.push(Finding::new(&source.path, number + 1, message));
        if let Some(word) = UNFINISHED.iter().find(|word| line.code.contains(**word)) {
            report(format!("`{word}` is left in the code"));
        }
        if let Some(word) = PROMISES.iter().find(|word| line.comment.contains(**word)) {
            report(format!("`{word}`: finish it, or file it"));
        }
        let in_test = source.is_test_file() || line.is_test;
        let sleeps = line.code.contains("thread::sleep") || line.code.contains("time::sleep");
        let argued =
            line.comment.contains(SLEEP_REASON) || source.comment_above_holds(number, SLEEP_REASON);
        if in_test && sleeps && !argued {
            report(format!(
                "a test sleeps without a comment `// {SLEEP_REASON} why`"
            ));
        }
    }
    findings
}

/// The part of the rule that holds for every text file, lock files apart: those are written by package managers.
pub fn check_any_file(path: &str, text: &str) -> Vec<Finding> {
    if path.ends_with(".lock") || path.ends_with("package-lock.json") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let host = HOSTS.iter().find(|host| line.contains(**host));
        let folder = FOLDERS.iter().find(|folder| begins_a_path(line, folder));
        if let Some(word) = host.or(folder) {
            let message = format!("`{word}` belongs to one machine");
            findings.push(Finding::new(path, number + 1, message));
        }
    }
    findings
}

/// Whether a line holds an absolute path in a folder, as opposed to a relative one that passes through its like.
fn begins_a_path(line: &str, folder: &str) -> bool {
    let before = |at: usize| line[..at].chars().next_back();
    line.match_indices(folder)
        .any(|(at, _)| !before(at).is_some_and(|c| c.is_alphanumeric() || "._-~}*".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Source::new(path, text)).len()
    }

    #[test]
    fn unfinished_code_is_found_and_strings_are_not() {
        for word in UNFINISHED {
            assert_eq!(
                count("a.rs", &format!("fn a() {{ {word} }}\n")),
                1,
                "{word}"
            );
            assert_eq!(
                count("a.rs", &format!("let a = \"{word}\";\n")),
                0,
                "{word}"
            );
        }
        for word in PROMISES {
            assert_eq!(count("a.rs", &format!("// {word} later\n")), 1, "{word}");
        }
    }

    #[test]
    fn a_sleeping_test_gives_its_reason() {
        let sleep = "std::thread::sleep(ms);\n";
        assert_eq!(count("crates/x/tests/a.rs", sleep), 1);
        assert_eq!(
            count(
                "crates/x/tests/a.rs",
                &format!("// sleep: makes the reader late\n{sleep}")
            ),
            0
        );
        assert_eq!(count("crates/x/src/a.rs", sleep), 0);
    }

    #[test]
    fn local_words_are_found_except_in_lock_files() {
        let text = format!("see {}\n", FOLDERS[0]);
        assert_eq!(check_any_file("README.md", &text).len(), 1);
        assert_eq!(check_any_file("Cargo.lock", &text).len(), 0);
        assert_eq!(
            check_any_file("README.md", &format!("src{}", FOLDERS[0])).len(),
            0
        );
        assert_eq!(check_any_file("README.md", HOSTS[0]).len(), 1);
    }
}
