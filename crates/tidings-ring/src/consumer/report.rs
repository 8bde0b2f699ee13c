//! What became of consumers, and of the messages that they were to handle.

use alloc::{string::String, vec::Vec};
use core::fmt;

/// What became of one consumer.
///
/// `received + lagged + aborted` is how far its cursor went.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The consumer's name, or its thread's.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Messages handled; also those at which the handler panicked for good.
    pub received: u64,
    /// Messages that were overwritten before they were read.
    pub lagged: u64,
    /// Places in which there was no message, see [`Subscriber::total_aborted`](crate::Subscriber::total_aborted).
    pub aborted: u64,
    /// Panics of the handler, also those that were got over.
    pub panics: u64,
    /// Messages that were published and not handled when it ended.
    pub left: u64,
    /// Why the thread did not stay on the core that was asked for, if one was, and it did not.
    #[cfg(feature = "platform")]
    pub unpinned: Option<crate::platform::PlatformError>,
}

/// How a consumer ended.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The ring ended, and every message was handled.
    Closed,
    /// The handler said so.
    Stopped,
    /// It was told to.
    ShutDown,
    /// Its handler, or a hook of it, panicked, and the policy did not get over it.
    Panicked {
        /// The message at hand, or the next one.
        sequence: u64,
        /// What the panic said.
        message: String,
    },
    /// One that it depends on panicked: one that it came after in a graph, one that takes its messages in a pipeline.
    HaltedBy {
        /// The name of the one that panicked.
        name: String,
    },
}

impl Outcome {
    /// Whether nobody panicked for good.
    #[must_use]
    pub const fn is_healthy(&self) -> bool {
        !matches!(self, Self::Panicked { .. } | Self::HaltedBy { .. })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed => f.write_str("ring ended"),
            Self::Stopped => f.write_str("handler stopped"),
            Self::ShutDown => f.write_str("shut down"),
            Self::Panicked { sequence, message } => {
                write!(f, "panicked at message {sequence}: {message}")
            }
            Self::HaltedBy { name } => write!(f, "halted by `{name}`"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, outcome, .. } = self;
        write!(f, "`{name}` {outcome}; {} received", self.received)?;
        for (count, what) in [
            (self.lagged, "lost"),
            (self.aborted, "without a message"),
            (self.panics, "panics"),
            (self.left, "left"),
        ] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        Ok(())
    }
}

/// What became of several consumers, in the order in which they were made. Displays as a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reports(Vec<Report>);

impl Reports {
    /// The report of the first one of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Report> {
        self.iter().find(|report| report.name == name)
    }

    /// Every report.
    pub fn iter(&self) -> core::slice::Iter<'_, Report> {
        self.0.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every one of them ended well.
    #[must_use]
    pub fn is_healthy(&self) -> bool {
        self.iter().all(|report| report.outcome.is_healthy())
    }

    /// The first one that panicked for good.
    #[must_use]
    pub fn panicked(&self) -> Option<&Report> {
        self.iter()
            .find(|report| matches!(report.outcome, Outcome::Panicked { .. }))
    }
}

impl FromIterator<Report> for Reports {
    fn from_iter<I: IntoIterator<Item = Report>>(reports: I) -> Self {
        Self(reports.into_iter().collect())
    }
}

impl IntoIterator for Reports {
    type Item = Report;
    type IntoIter = alloc::vec::IntoIter<Report>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Reports {
    type Item = &'a Report;
    type IntoIter = core::slice::Iter<'a, Report>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

const NAME: &str = "name";

impl fmt::Display for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.iter().map(|report| report.name.chars().count());
        let width = names.max().unwrap_or(0).max(NAME.len());
        write!(
            f,
            "{NAME:width$} {:>10} {:>8} {:>8} {:>7} {:>8}  end",
            "received", "lagged", "aborted", "panics", "left"
        )?;
        for report in self {
            let Report {
                name,
                received,
                lagged,
                aborted,
                panics,
                left,
                outcome,
                ..
            } = report;
            write!(
                f,
                "\n{name:width$} {received:>10} {lagged:>8} {aborted:>8} {panics:>7} {left:>8}  {outcome}"
            )?;
        }
        Ok(())
    }
}
