//! Who may import whom: a crate depends on the floors below it, never on a sibling and never upwards.

use super::Finding;

/// One crate and what it may depend on.
struct Floor {
    name: &'static str,
    /// Crates of this workspace.
    below: &'static [&'static str],
    /// Crates of others; `None` leaves them free.
    others: Option<&'static [&'static str]>,
}

/// The third floor, as seen by the facade.
const CONCEPTS: &[&str] = &[
    "tidings-core",
    "tidings-oneshot",
    "tidings-ring",
    "tidings-shm",
    "tidings-event",
    "tidings-dag",
    "tidings-macros",
];

const FLOORS: &[Floor] = &[
    Floor {
        name: "tidings-core",
        below: &[],
        others: Some(&["rustix", "portable-atomic", "loom", "shuttle"]),
    },
    Floor {
        name: "tidings-oneshot",
        below: &["tidings-core"],
        others: Some(CONCURRENT),
    },
    Floor {
        name: "tidings-ring",
        below: &["tidings-core"],
        others: Some(RING),
    },
    Floor {
        name: "tidings-shm",
        below: &["tidings-core"],
        others: Some(&["rustix", "bytemuck", "loom", "shuttle"]),
    },
    Floor {
        name: "tidings-event",
        below: &[
            "tidings-core",
            "tidings-oneshot",
            "tidings-ring",
            "tidings-shm",
        ],
        others: Some(CONCURRENT),
    },
    Floor {
        name: "tidings-dag",
        below: &[
            "tidings-core",
            "tidings-oneshot",
            "tidings-ring",
            "tidings-shm",
        ],
        others: Some(CONCURRENT),
    },
    Floor {
        name: "tidings-macros",
        below: &[],
        others: Some(&["proc-macro2", "quote", "syn"]),
    },
    Floor {
        name: "tidings",
        below: CONCEPTS,
        others: Some(&["serde", "tracing", "bytemuck"]),
    },
    Floor {
        name: "tidings-cli",
        below: &["tidings"],
        others: None,
    },
    Floor {
        name: "tidings-bench",
        below: &["tidings"],
        others: None,
    },
    Floor {
        name: "xtask",
        below: &[],
        others: Some(&[]),
    },
];

/// The same for the ring, which also has sinks, histograms, and the memory under its slots.
const RING: &[&str] = &[
    "bytemuck",
    "futures-core",
    "futures-sink",
    "hdrhistogram",
    "libc",
    "rustix",
    "tracing",
    "loom",
    "shuttle",
];

/// What a concurrent concept may take from others.
const CONCURRENT: &[&str] = &[
    "bytemuck",
    "futures-core",
    "serde",
    "tracing",
    "loom",
    "shuttle",
];

pub fn check(path: &str, manifest: &str) -> Vec<Finding> {
    let Some(name) = value_of(manifest, "name") else {
        return Vec::new();
    };
    let Some(floor) = FLOORS.iter().find(|floor| floor.name == name) else {
        return vec![Finding::new(
            path,
            0,
            format!("`{name}` stands on no floor: add it to xtask/src/tidy/floors.rs"),
        )];
    };
    let mut findings = Vec::new();
    for (line, dependency) in dependencies(manifest) {
        let ours = dependency == "tidings" || dependency.starts_with("tidings-");
        let allowed = if ours {
            Some(floor.below)
        } else {
            floor.others
        };
        if allowed.is_some_and(|allowed| !allowed.contains(&dependency)) {
            findings.push(Finding::new(
                path,
                line,
                format!("`{name}` may not depend on `{dependency}`"),
            ));
        }
    }
    findings
}

/// The value of a key of `[package]`.
fn value_of<'a>(manifest: &'a str, key: &str) -> Option<&'a str> {
    let package = manifest.split_once("[package]")?.1;
    let line = package.lines().find(|line| {
        line.split('=')
            .next()
            .is_some_and(|found| found.trim() == key)
    })?;
    line.split('"').nth(1)
}

/// Names under every `[dependencies]` table, those of targets included, with their lines; not dev or build ones.
fn dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (number, line) in manifest.lines().map(str::trim).enumerate() {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            inside = table == "dependencies" || table.ends_with(".dependencies");
            if let Some(name) = table.strip_prefix("dependencies.") {
                found.push((number + 1, name));
            }
        } else if inside && !line.starts_with('#') && line.contains('=') {
            let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
            found.push((number + 1, name.trim_matches('"')));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(name: &str, rest: &str) -> usize {
        check(
            "Cargo.toml",
            &format!("[package]\nname = \"{name}\"\n{rest}"),
        )
        .len()
    }

    #[test]
    fn imports_of_siblings_and_of_higher_floors_are_found() {
        assert_eq!(
            count(
                "tidings-ring",
                "[dependencies]\ntidings-core.workspace = true\nbytemuck = \"1\"\n"
            ),
            0
        );
        assert_eq!(
            count(
                "tidings-ring",
                "[dependencies]\ntidings-shm.workspace = true\n"
            ),
            1
        );
        assert_eq!(
            count(
                "tidings-core",
                "[dependencies]\ntidings = { path = \"..\" }\n"
            ),
            1
        );
        assert_eq!(
            count(
                "tidings-core",
                "[dependencies.tidings-ring]\npath = \"..\"\n"
            ),
            1
        );
        assert_eq!(
            count(
                "tidings-cli",
                "[dependencies]\ntidings-core.workspace = true\n"
            ),
            1
        );
    }

    #[test]
    fn imports_of_other_crates_are_found_in_every_table() {
        assert_eq!(
            count(
                "tidings-core",
                "[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n"
            ),
            1
        );
        assert_eq!(
            count("tidings-core", "[dev-dependencies]\nproptest = \"1\"\n"),
            0
        );
        assert_eq!(count("tidings-cli", "[dependencies]\nclap = \"4\"\n"), 0);
        assert_eq!(count("tidings-new", ""), 1);
    }
}
