//! `cargo xtask tidy`: the house rules that no compiler lint can check. Each rule is a file below `tidy/`.

mod cycles;
mod documents;
mod door;
mod finding;
mod floors;
mod headers;
mod imports;
mod leftovers;
mod lengths;
mod orderings;
mod source;
mod steps;
mod unsafe_places;

use crate::project::Project;
use crate::shell::{Failure, Outcome, fail, heading};
pub use documents::first_command;
pub use finding::Finding;
use source::Source;

/// A rule about one Rust file.
type FileRule = fn(&Source) -> Vec<Finding>;

const FILE_RULES: &[FileRule] = &[
    unsafe_places::check,
    door::check,
    lengths::check,
    headers::check,
    leftovers::check,
    orderings::check,
];

pub fn run(project: &Project, _: &[String]) -> Result<Outcome, Failure> {
    heading("tidy: house rules");
    let mut findings = Vec::new();
    let mut sources = Vec::new();
    let files = project.files();
    for path in &files {
        let name = path.to_string_lossy().replace('\\', "/");
        let Ok(text) = std::fs::read_to_string(project.root.join(path)) else {
            continue;
        };
        findings.extend(leftovers::check_any_file(&name, &text));
        if name.ends_with("Cargo.toml") {
            findings.extend(floors::check(&name, &text));
        }
        if name.ends_with(".rs") {
            let source = Source::new(&name, &text);
            findings.extend(FILE_RULES.iter().flat_map(|rule| rule(&source)));
            sources.push(source);
        }
    }
    findings.extend(steps::check(&sources));
    findings.extend(cycles::check(&sources));
    findings.extend(documents::check(&|name| {
        std::fs::read_to_string(project.root.join(name)).ok()
    }));
    findings.sort_by_key(|finding| !finding.is_warning);
    findings.iter().for_each(|finding| println!("{finding}"));
    let errors = findings
        .iter()
        .filter(|finding| !finding.is_warning)
        .count();
    println!(
        "   {} files, {errors} errors, {} warnings",
        files.len(),
        findings.len() - errors
    );
    if errors > 0 {
        fail!("{errors} places break a house rule (CONTRIBUTING.md)");
    }
    Ok(Outcome::Passed)
}
