//! No file takes part in a circle of imports: whoever reads one can begin with what it imports, and come to an end.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Finding;
use super::imports::Imports;
use super::source::Source;

/// What ships, and what judges it; elsewhere a circle is a warning.
const STRICT: &[&str] = &["crates/", "xtask/"];

pub fn check(sources: &[Source]) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.is_test_file()) {
        if let Some((name, _)) = source.path.split_once("/src/") {
            crates.entry(name).or_default().push(source);
        }
    }
    crates
        .values()
        .flat_map(|sources| circles(&Imports::new(sources)))
        .collect()
}

/// The shortest circle through each file, none of them twice.
fn circles(imports: &Imports) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut named = BTreeSet::new();
    for file in imports.files() {
        if named.contains(file) {
            continue;
        }
        let Some(circle) = shortest_circle(imports, file) else {
            continue;
        };
        let line = imports.edges[file][circle[1]];
        let message = format!("imports in a circle: {}", circle.join(" → "));
        let finding = Finding::new(file, line, message);
        let is_strict = STRICT.iter().any(|folder| file.starts_with(folder));
        findings.push(if is_strict {
            finding
        } else {
            finding.warning()
        });
        named.extend(circle);
    }
    findings
}

/// The files of the shortest way from `start` back to it, which stands at both ends.
fn shortest_circle<'a>(imports: &'a Imports, start: &'a str) -> Option<Vec<&'a str>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(file) = waiting.pop_front() {
        for next in imports.edges.get(file).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                let mut way = vec![start, file];
                while let Some(before) = came_from.get(way[way.len() - 1]) {
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            if !came_from.contains_key(next.as_str()) {
                came_from.insert(next, file);
                waiting.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_files(files: &[(&str, &str)]) -> Vec<String> {
        let sources: Vec<Source> = files
            .iter()
            .map(|(name, text)| Source::new(&format!("crates/{name}.rs"), text))
            .collect();
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_circle_is_found_once_with_its_way() {
        let found = check_files(&[
            ("x/src/lib", "mod a; mod b; mod c; mod d;\n"),
            ("x/src/a", "\nuse crate::b::B;\n"),
            ("x/src/b", "use super::c::C;\n"),
            ("x/src/c", "use crate::a::A;\n"),
            ("x/src/d", "use crate::a::A;\n"),
        ]);
        let way = "crates/x/src/a.rs → crates/x/src/b.rs → crates/x/src/c.rs → crates/x/src/a.rs";
        assert_eq!(
            found,
            [format!(
                "error: crates/x/src/a.rs:2: imports in a circle: {way}"
            )]
        );
    }

    #[test]
    fn a_parent_and_a_child_that_import_each_other_are_found() {
        let parent = "mod child;\nuse child::C;\npub struct P;\n";
        let both = [("x/src/a", parent), ("x/src/a/child", "use super::P;\n")];
        assert_eq!(check_files(&both).len(), 1);
        let one_way = [("x/src/a", parent), ("x/src/a/child", "pub struct C;\n")];
        assert!(check_files(&one_way).is_empty());
    }

    #[test]
    fn crates_are_apart_and_tests_do_not_count() {
        let apart = [
            ("x/src/a", "use crate::b::B;\n"),
            ("y/src/b", "use crate::a::A;\n"),
            (
                "x/src/b",
                "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n",
            ),
        ];
        assert!(check_files(&apart).is_empty());
    }
}
