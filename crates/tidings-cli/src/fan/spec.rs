//! A consumer as asked for on the command line.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// What a consumer is promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    /// Every record; the input waits for it.
    Gating,
    /// What it can keep up with; nobody waits for it.
    Lossy,
}

/// Where a consumer's records go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Command(OsString),
    File(PathBuf),
    Stdout,
}

/// A consumer as asked for.
#[derive(Clone, Debug)]
pub struct Spec {
    pub name: String,
    pub contract: Contract,
    pub target: Target,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Command(command) => write!(f, "{}", command.to_string_lossy()),
            Target::File(path) => write!(f, "{}", path.display()),
            Target::Stdout => f.write_str("stdout"),
        }
    }
}
