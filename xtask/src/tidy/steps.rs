//! Named protocol steps: `fence(SeqCst, "gate J2")` and `mutant("gate J3")` lead to step J2, J3 in the header of
//! `gate.rs`, or of the file they stand in; and a model switches each off in a mutant that has to fail.

use super::Finding;
use super::source::{Source, words};

/// Calls that name a step.
const CALLS: &[&str] = &["fence(", "ordering(", "mutant("];

/// A step that code names: where, and as what.
struct Step<'a> {
    source: &'a Source,
    line: usize,
    name: &'a str,
}

pub fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for step in sources
        .iter()
        .filter(|source| source.is_shipped())
        .flat_map(steps)
    {
        let Some((file, label)) = step.name.rsplit_once(' ') else {
            findings.push(step.finding("is no name of a step: file, blank, label"));
            continue;
        };
        if !sources
            .iter()
            .any(|source| is_header(source, step.source, file, label))
        {
            findings.push(step.finding(&format!(
                "leads nowhere: neither this file's header nor that of a `{file}.rs` has a step {label}"
            )));
        }
        if !seen.contains(&step.name)
            && !sources.iter().any(|source| is_model_of(source, step.name))
        {
            findings.push(
                step.finding("is switched off by no model (tests/loom_*.rs, tests/shuttle_*.rs)")
                    .warning(),
            );
        }
        seen.push(step.name);
    }
    findings
}

impl Step<'_> {
    fn finding(&self, message: &str) -> Finding {
        Finding::new(
            &self.source.path,
            self.line,
            format!("step `{}` {message}", self.name),
        )
    }
}

/// The steps that a file names outside its own tests.
fn steps(source: &Source) -> Vec<Step<'_>> {
    let mut found = Vec::new();
    for (number, line) in source
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.is_test)
    {
        let named = CALLS.iter().any(|call| line.code.contains(call)) && !line.has_word("fn");
        if let Some(name) = line
            .raw
            .split('"')
            .nth(1)
            .filter(|_| named && line.code.contains('"'))
        {
            found.push(Step {
                source,
                line: number + 1,
                name,
            });
        }
    }
    found
}

/// Whether a step's name leads to a file: the one it stands in, or one of that name in the same crate.
fn is_header(source: &Source, from: &Source, file: &str, label: &str) -> bool {
    let package = |source: &Source| {
        source
            .path
            .split_once("/src/")
            .map(|(package, _)| package.to_owned())
    };
    let stem = source.path.trim_end_matches(".rs").rsplit('/').next();
    let is_meant =
        source.path == from.path || stem == Some(file) && package(source) == package(from);
    is_meant && words(&source.header()).any(|word| word == label)
}

/// Whether a file is a model that switches a step off.
fn is_model_of(source: &Source, name: &str) -> bool {
    let is_model = source.path.contains("/tests/loom_") || source.path.contains("/tests/shuttle_");
    is_model
        && source.lines.iter().any(|line| {
            line.raw
                .split('"')
                .any(|text| text.split(" + ").any(|step| step == name))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        "//! Join  J1 say so  J2 fence SeqCst\nfn a() {\n    fence(SeqCst, \"gate J2\");\n}\n";

    fn check_with(path: &str, text: &str) -> Vec<Finding> {
        check(&[
            Source::new("crates/x/src/gate.rs", HEADER),
            Source::new(path, text),
        ])
    }

    #[test]
    fn a_step_of_a_header_with_a_mutant_is_fine() {
        assert!(
            check_with("crates/x/tests/loom_gate.rs", "with(\"gate J2\", model);\n").is_empty()
        );
    }

    #[test]
    fn a_step_without_a_mutant_is_warned_about() {
        let findings = check_with("crates/x/tests/gate.rs", "with(\"gate J2\", model);\n");
        assert!(findings.len() == 1 && findings[0].is_warning);
    }

    #[test]
    fn a_step_of_the_files_own_header_is_fine() {
        let text = "//! K2 take the lock\nfn a() {\n    if mutant(\"block K2\") {}\n}\n";
        assert!(
            check_with("crates/x/src/b.rs", text)
                .iter()
                .all(|finding| finding.is_warning)
        );
    }

    #[test]
    fn a_step_that_no_header_has_is_found() {
        let model = Source::new(
            "crates/x/tests/loom_gate.rs",
            "[\"gate J9\", \"gate J2\", \"slot C3\", \"J2\"]\n",
        );
        for name in ["gate J9", "slot C3", "J2"] {
            let text = format!("fn a() {{\n    if mutant(\"{name}\") {{}}\n}}\n");
            let sources = [
                Source::new("crates/x/src/gate.rs", &text),
                Source::new("crates/x/src/b.rs", HEADER),
            ];
            let findings = check(&[&sources[..1], std::slice::from_ref(&model)].concat());
            assert!(
                findings.len() == 1 && !findings[0].is_warning,
                "{name}: {findings:?}"
            );
        }
    }
}
