//! What the documents promise: the README's two commands, an open changelog section, one version everywhere.

use super::Finding;
use crate::test::TEST_COMMAND;

/// How the README's first command begins.
pub const FIRST_COMMAND: &str = "cargo run --release -- fan ";

/// Reads a file of the root, if it is there.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

const REQUIRED: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    ".ci/run",
];

pub fn check(read: Read<'_>) -> Vec<Finding> {
    let missing = REQUIRED.iter().filter(|name| read(name).is_none());
    let mut findings: Vec<Finding> = missing
        .map(|name| Finding::new(name, 0, "is missing"))
        .collect();
    if let Some(readme) = read("README.md") {
        if first_command(&readme).is_none() {
            findings.push(Finding::new(
                "README.md",
                0,
                format!("has no command that begins `{FIRST_COMMAND}`"),
            ));
        }
        if !commands(&readme)
            .iter()
            .any(|command| command == TEST_COMMAND)
        {
            findings.push(Finding::new(
                "README.md",
                0,
                format!("has no command `{TEST_COMMAND}`"),
            ));
        }
    }
    if read("CHANGELOG.md").is_some_and(|text| {
        !text
            .lines()
            .any(|line| line.starts_with("## ") && line.contains("Unreleased"))
    }) {
        findings.push(Finding::new(
            "CHANGELOG.md",
            0,
            "has no section `## Unreleased`",
        ));
    }
    findings.extend(
        read("Cargo.toml")
            .iter()
            .flat_map(|manifest| versions(manifest)),
    );
    findings
}

/// The README's first command as one line for a shell.
pub fn first_command(readme: &str) -> Option<String> {
    commands(readme)
        .into_iter()
        .find(|command| command.starts_with(FIRST_COMMAND))
}

/// The lines of a document's fenced blocks, those that end in a backslash joined with the next.
fn commands(document: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut is_fenced = false;
    let mut open = String::new();
    for line in document.lines().map(str::trim) {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced {
            let part = line.trim_start_matches("$ ");
            open.push_str(part.trim_end_matches('\\'));
            if !part.ends_with('\\') {
                commands.push(std::mem::take(&mut open));
            }
        }
    }
    commands
}

/// The workspace's own crates are required in the version that the workspace has.
fn versions(manifest: &str) -> Vec<Finding> {
    let version_in = |line: &str| {
        line.split_once("version = \"")
            .and_then(|(_, rest)| rest.split('"').next().map(str::to_owned))
    };
    let package = manifest
        .split_once("[workspace.package]")
        .map_or("", |(_, rest)| rest);
    let Some(version) = package
        .lines()
        .find(|line| line.starts_with("version = "))
        .and_then(version_in)
    else {
        return vec![Finding::new(
            "Cargo.toml",
            0,
            "[workspace.package] states no version",
        )];
    };
    let ours = manifest
        .lines()
        .enumerate()
        .filter(|(_, line)| line.starts_with("tidings") && line.contains("path = "));
    ours.filter(|(_, line)| version_in(line).as_ref() != Some(&version))
        .map(|(number, _)| {
            Finding::new(
                "Cargo.toml",
                number + 1,
                format!("is not required as version {version}"),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const README: &str =
        "# x\n```sh\ncargo run --release -- fan a \\\n  --gate b\n```\n```sh\n$ cargo test\n```\n";

    const MANIFEST: &str = "[workspace.package]\nversion = \"0.1.0\"\n[workspace.dependencies]\ntidings = { path = \"x\", version = \"0.1.0\" }\n";

    fn count(name: &str, text: &str) -> usize {
        let read = |file: &str| match file {
            _ if file == name => Some(text.to_owned()),
            "README.md" => Some(README.to_owned()),
            "CHANGELOG.md" => Some("## [Unreleased]\n".to_owned()),
            "Cargo.toml" => Some(MANIFEST.to_owned()),
            _ => Some(String::new()),
        };
        check(&read).len()
    }

    #[test]
    fn documents_in_order_pass() {
        assert_eq!(count("", ""), 0);
        assert_eq!(
            first_command(README).as_deref(),
            Some("cargo run --release -- fan a --gate b")
        );
    }

    #[test]
    fn what_the_documents_lack_is_found() {
        assert_eq!(count("README.md", "cargo test\n"), 2);
        assert_eq!(count("CHANGELOG.md", "## 0.1.0\n"), 1);
        assert_eq!(
            count(
                "Cargo.toml",
                &MANIFEST.replace("version = \"0.1.0\" }", "version = \"0.2.0\" }")
            ),
            1
        );
        assert_eq!(
            check(&|name| (name == "Cargo.toml").then(|| MANIFEST.to_owned())).len(),
            REQUIRED.len()
        );
    }
}
