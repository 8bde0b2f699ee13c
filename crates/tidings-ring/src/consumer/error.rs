//! Why joining gave no report, or one that is no good news.

use super::report::{Report, Reports};
use alloc::boxed::Box;
use core::{error::Error, fmt};

/// A consumer ended by a panic; in a graph or a pipeline, one of several did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Halted<R = Report> {
    report: Box<R>,
}

impl<R> Halted<R> {
    /// What became of it all.
    #[must_use]
    pub fn report(&self) -> &R {
        &self.report
    }

    /// What became of it all.
    #[must_use]
    pub fn into_report(self) -> R {
        *self.report
    }
}

impl Report {
    /// The report, as an error if it is of one that did not end well.
    pub(crate) fn judge(self) -> Result<Self, Halted> {
        if self.outcome.is_healthy() {
            Ok(self)
        } else {
            Err(Halted {
                report: Box::new(self),
            })
        }
    }
}

impl Reports {
    /// The reports, as an error if one is of a consumer that did not end well.
    pub(crate) fn judge(self) -> Result<Self, Halted<Self>> {
        if self.is_healthy() {
            Ok(self)
        } else {
            Err(Halted {
                report: Box::new(self),
            })
        }
    }
}

impl fmt::Display for Halted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { name, outcome, .. } = &*self.report;
        write!(f, "consumer `{name}` {outcome}")
    }
}

impl fmt::Display for Halted<Reports> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Somebody panicked, though perhaps one that is in the graph no more.
        let culprit = self.report.panicked();
        let victim = || {
            self.report
                .iter()
                .find(|report| !report.outcome.is_healthy())
        };
        match culprit.or_else(victim) {
            Some(Report { name, outcome, .. }) => write!(f, "consumer `{name}` {outcome}"),
            None => f.write_str("a consumer panicked"),
        }
    }
}

impl Error for Halted {}
impl Error for Halted<Reports> {}

/// Why joining with a deadline gave no report.
#[derive(Debug)]
pub enum JoinTimeoutError<H, R = Report> {
    /// The time is up. Dropping the handle stops it; joining again goes on waiting.
    Timeout {
        /// What was to be joined.
        handle: H,
        /// Messages that were still to be handled, as the handle's `left` counts them.
        left: u64,
    },
    /// It ended, by a panic.
    Halted(Halted<R>),
}

impl<H, R> JoinTimeoutError<H, R> {
    /// What was to be joined, if it still runs.
    pub fn into_handle(self) -> Option<H> {
        match self {
            Self::Timeout { handle, .. } => Some(handle),
            Self::Halted(_) => None,
        }
    }
}

impl<H, R> fmt::Display for JoinTimeoutError<H, R>
where
    Halted<R>: fmt::Display,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout { left, .. } => {
                write!(f, "still running at the deadline, {left} messages left")
            }
            Self::Halted(halted) => halted.fmt(f),
        }
    }
}

impl<H: fmt::Debug, R: fmt::Debug> Error for JoinTimeoutError<H, R> where Halted<R>: fmt::Display {}
