//! Every atomic access says why its ordering is right: an `ORDERING` comment near it, in the same function.
//!
//! A fence that names its protocol step is argued in the header that the step leads to (see `steps.rs`).

use super::Finding;
use super::source::{Source, words};

/// How many lines of code above an access its comment may be; comment lines are not counted.
const REACH: usize = 8;

const COMMENT: &str = "ORDERING";

const ACCESSES: &[&str] = &[
    ".load(",
    ".store(",
    ".swap(",
    ".fetch_",
    ".compare_exchange",
    "fence(",
];

const ORDERINGS: &[&str] = &["Relaxed", "Acquire", "Release", "AcqRel", "SeqCst"];

pub fn check(source: &Source) -> Vec<Finding> {
    if !source.is_shipped() || source.is_test_file() {
        return Vec::new();
    }
    let accesses = (0..source.lines.len())
        .filter(|&number| !source.lines[number].is_test && is_access(source, number));
    accesses
        .filter(|&number| !is_argued(source, number))
        .map(|number| {
            Finding::new(
                &source.path,
                number + 1,
                "an atomic access without an ORDERING comment near",
            )
        })
        .collect()
}

/// Whether an access begins on this line: its call holds an ordering.
fn is_access(source: &Source, number: usize) -> bool {
    let code = &source.lines[number].code;
    ACCESSES.iter().any(|access| {
        code.match_indices(access).any(|(at, _)| {
            let whole_word = access.starts_with('.')
                || !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let call = call(source, number, at);
            let names_step = *access == "fence(" && call.contains('"');
            whole_word && !names_step && words(&call).any(|word| ORDERINGS.contains(&word))
        })
    })
}

/// The text of a call from `column` to its closing parenthesis, over as many lines as it takes.
fn call(source: &Source, number: usize, column: usize) -> String {
    let first = &source.lines[number].code[column..];
    let more = source.lines[number + 1..]
        .iter()
        .map(|line| line.code.as_str());
    let mut text = String::new();
    let mut depth = 0;
    for line in std::iter::once(first).chain(more) {
        for character in line.chars() {
            text.push(character);
            match character {
                '(' => depth += 1,
                ')' if depth == 1 => return text,
                ')' => depth -= 1,
                _ => {}
            }
        }
        text.push(' ');
    }
    text
}

fn is_argued(source: &Source, number: usize) -> bool {
    if source.lines[number].comment.contains(COMMENT) {
        return true;
    }
    let first = source
        .function_at(number)
        .map_or(0, |function| function.first);
    let mut code = 0;
    for line in source.lines[first..number].iter().rev() {
        if line.comment.contains(COMMENT) {
            return true;
        }
        code += usize::from(!line.code.trim().is_empty());
        if code > REACH {
            return false;
        }
    }
    source.comment_above_holds(first, COMMENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        check(&Source::new("crates/x/src/a.rs", text)).len()
    }

    #[test]
    fn an_access_without_comment_is_found() {
        assert_eq!(count("fn a() {\n    s.load(Ordering::Acquire);\n}\n"), 1);
        assert_eq!(
            count(
                "fn a() {\n    s.compare_exchange(\n        1,\n        2,\n        AcqRel, Relaxed);\n}\n"
            ),
            1
        );
        assert_eq!(count("fn a() {\n    fence(SeqCst);\n}\n"), 1);
    }

    #[test]
    fn a_comment_counts_above_beside_and_over_a_short_function() {
        assert_eq!(
            count("fn a() {\n    // ORDERING: Acquire pairs with P4.\n    s.load(Acquire);\n}\n"),
            0
        );
        assert_eq!(
            count("fn a() {\n    s.load(Acquire); // ORDERING: pairs with P4\n}\n"),
            0
        );
        assert_eq!(
            count(
                "// ORDERING: a count, nothing is read through it\nfn a() {\n    s.load(Relaxed);\n}\n"
            ),
            0
        );
    }

    #[test]
    fn a_comment_in_another_function_or_far_above_does_not_count() {
        assert_eq!(
            count("fn a() {\n    // ORDERING: x\n}\nfn b() {\n    s.load(Acquire);\n}\n"),
            1
        );
        let far = "    c();\n".repeat(REACH + 1);
        assert_eq!(
            count(&format!(
                "fn a() {{\n    // ORDERING: x\n{far}    s.load(Acquire);\n}}\n"
            )),
            1
        );
    }

    #[test]
    fn a_fence_that_names_its_step_is_argued_there() {
        assert_eq!(count("fn a() {\n    fence(SeqCst, \"gate J2\");\n}\n"), 0);
    }

    #[test]
    fn calls_of_the_same_name_without_an_ordering_are_no_accesses() {
        assert_eq!(
            count("fn a() {\n    v.swap(1, 2);\n    file.load(path);\n    defence(Relaxed);\n}\n"),
            0
        );
    }
}
