//! A run of `tidings fan` as asked for, checked.

use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;

use crate::fan::records::Framing;
use crate::fan::spec::Spec;

/// What the end of a consumer means for the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnExit {
    /// The others go on
    Continue,
    /// The run stops: no more input is read, the others get what was read
    Stop,
}

/// What is shown while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Progress {
    /// A live table on a terminal, lines elsewhere
    Auto,
    /// A live table
    Table,
    /// A line every few seconds
    Lines,
    /// Nothing
    Never,
}

/// What is printed at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Summary {
    /// A table and a few lines
    Text,
    /// One JSON object on one line, the last line
    Json,
    /// Nothing
    None,
}

/// A run of `tidings fan`, checked.
pub struct Plan {
    /// The file to read; `None` reads standard input.
    pub input: Option<PathBuf>,
    pub consumers: Vec<Spec>,
    pub framing: Framing,
    pub max_record: usize,
    /// Passes over the input, at least 1.
    pub repeat: u64,
    /// Records a second at most.
    pub rate: Option<f64>,
    /// Slots of the ring, at least 1.
    pub capacity: usize,
    pub on_exit: OnExit,
    pub stall: Option<Duration>,
    pub linger: Duration,
    pub progress: Progress,
    pub summary: Summary,
}
