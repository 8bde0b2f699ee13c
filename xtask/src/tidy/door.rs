//! Atomics, cells and locks have one door, `tidings_core::sync`: what walks round it, loom cannot follow.
//!
//! Clippy bans what the door replaces, but it looks through re-exports, so what the door hands on is checked here.

use super::Finding;
use super::source::Source;

/// Crates whose sources take synchronisation from the door.
const CRATES: &[&str] = &["core", "oneshot", "ring", "shm", "event", "dag"];

/// The door itself.
const DOOR: &str = "crates/tidings-core/src/sync";

/// A comment that begins like this, on the line or above it, argues a way round the door.
const ARGUED: &str = "door:";

/// What only the door may name.
const BEHIND: &[&str] = &[
    "sync::atomic",
    "cell::UnsafeCell",
    "hint::spin_loop",
    "std::sync::Mutex",
    "std::sync::RwLock",
    "std::sync::Condvar",
    "std::sync::mpsc",
    "std::sync::Arc",
    "alloc::sync::Arc",
    "loom::",
    "shuttle::",
];

pub fn check(source: &Source) -> Vec<Finding> {
    let guarded = CRATES.iter().any(|name| {
        source
            .path
            .starts_with(&format!("crates/tidings-{name}/src/"))
    });
    if !guarded || source.path.starts_with(DOOR) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (number, line) in source
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.is_test)
    {
        let argued = line.comment.contains(ARGUED) || source.comment_above_holds(number, ARGUED);
        if let Some(name) = BEHIND
            .iter()
            .find(|name| !argued && goes_round(&line.code, name))
        {
            let message = format!(
                "`{}` only through `tidings_core::sync`",
                name.trim_end_matches(':')
            );
            findings.push(Finding::new(&source.path, number + 1, message));
        }
    }
    findings
}

/// Whether a line names it by a path that does not lead through the door.
fn goes_round(code: &str, name: &str) -> bool {
    // A fence for the compiler alone is no operation that a model could replace.
    let code = code.replace("sync::atomic::compiler_fence", "");
    code.match_indices(name).any(|(at, _)| {
        let path = code[..at]
            .rsplit(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
            .next()
            .unwrap_or("");
        match name.split_once("::") {
            // Names that begin with their crate: the path must not go on to the left.
            Some(("std" | "alloc" | "loom" | "shuttle", _)) => path.is_empty() || path == "::",
            _ => {
                path.ends_with("core::") && !path.contains("tidings_core")
                    || path.ends_with("std::")
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        check(&Source::new(path, text)).len()
    }

    #[test]
    fn paths_round_the_door_are_found() {
        for line in [
            "use core::sync::atomic::AtomicU64;",
            "use std::sync::atomic::{AtomicU64, Ordering};",
            "use core::cell::UnsafeCell;",
            "use std::sync::Mutex;",
            "use alloc::sync::Arc;",
            "loom::thread::yield_now();",
        ] {
            assert_eq!(count("crates/tidings-ring/src/slot.rs", line), 1, "{line}");
        }
    }

    #[test]
    fn the_door_itself_and_ways_through_it_are_fine() {
        for line in [
            "use tidings_core::sync::atomic::AtomicU64;",
            "use crate::sync::cell::UnsafeCell;",
        ] {
            assert_eq!(count("crates/tidings-ring/src/slot.rs", line), 0, "{line}");
        }
        assert_eq!(
            count(
                "crates/tidings-core/src/sync.rs",
                "pub use core::sync::atomic::AtomicU64;"
            ),
            0
        );
        assert_eq!(
            count(
                "crates/tidings-cli/src/signal.rs",
                "use std::sync::atomic::AtomicBool;"
            ),
            0
        );
    }
}
