//! One idea a file, and a function fits a screen.

use super::Finding;
use super::source::Source;

/// Lines of code, blank and comment lines not counted.
const FILE_AIM: usize = 400;
const FILE_LIMIT: usize = 700;
const FUNCTION_LIMIT: usize = 60;

/// A comment above a function that holds these words argues its length.
const ARGUED: &str = "long because";

pub fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let code = source
        .lines
        .len()
        .checked_sub(1)
        .map_or(0, |last| source.code_lines(0, last));
    if code > FILE_LIMIT {
        findings.push(Finding::new(
            &source.path,
            0,
            format!("{code} lines of code, at most {FILE_LIMIT}"),
        ));
    } else if code > FILE_AIM {
        findings.push(
            Finding::new(
                &source.path,
                0,
                format!("{code} lines of code, aim at {FILE_AIM}"),
            )
            .warning(),
        );
    }
    for function in &source.functions {
        let code = source.code_lines(function.first, function.last);
        if code > FUNCTION_LIMIT && !source.comment_above_holds(function.first, ARGUED) {
            let message = format!(
                "`{}` has {code} lines of code, at most {FUNCTION_LIMIT} unless a comment `// {ARGUED} …` stands above",
                function.name
            );
            findings.push(Finding::new(&source.path, function.first + 1, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(before: &str, lines: usize) -> Vec<Finding> {
        check(&Source::new(
            "a.rs",
            &format!(
                "{before}fn a() {{\n{}}}\n",
                "    b();\n    // c\n\n".repeat(lines)
            ),
        ))
    }

    #[test]
    fn a_long_function_needs_an_argument() {
        assert_eq!(file("", 58).len(), 0);
        assert_eq!(file("", 59).len(), 1);
        assert_eq!(
            file("// long because it is one table\n#[cold]\n", 59).len(),
            0
        );
    }

    #[test]
    fn a_long_file_is_warned_about_and_then_refused() {
        let [aim, limit] = [401, 701]
            .map(|lines| check(&Source::new("a.rs", &"const A: u8 = 1;\n".repeat(lines))));
        assert!(aim[0].is_warning && !limit[0].is_warning);
        assert!(check(&Source::new("a.rs", &"const A: u8 = 1;\n".repeat(400))).is_empty());
    }
}
