//! What can go wrong with a pipeline. Every error that refuses a message gives it back.

use core::{error::Error, fmt};
use std::io;

/// Why [`build`](super::PipelineBuilder::build) made no pipeline.
#[derive(Debug)]
#[non_exhaustive]
pub enum PipelineError {
    /// So many stages lead nowhere: they have no next stage, no sink, no output, and were not dropped. Messages would pile up
    /// there, and hold up the rest. They can still be led on, and built.
    OpenEnds(usize),
    /// The operating system gave no thread for a stage. Those that had one have ended, and the inputs are closed.
    Spawn(io::Error),
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenEnds(1) => f.write_str("a stage leads nowhere"),
            Self::OpenEnds(count) => write!(f, "{count} stages lead nowhere"),
            Self::Spawn(error) => write!(f, "no thread for a stage: {error}"),
        }
    }
}

impl Error for PipelineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Spawn(error) => Some(error),
            Self::OpenEnds(_) => None,
        }
    }
}

const CLOSED: &str = "the pipeline accepts nothing any more";

/// The pipeline accepts nothing any more: it was shut down, or has ended. Holds the refused message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct InputClosed<T>(pub T);

impl<T> InputClosed<T> {
    /// The message that was not accepted.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> fmt::Debug for InputClosed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("InputClosed(..)")
    }
}

impl<T> fmt::Display for InputClosed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(CLOSED)
    }
}

impl<T> Error for InputClosed<T> {}

/// Why a message was not accepted at once. Holds it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TryInputError<T> {
    /// The first ring is full.
    Full(T),
    /// As [`InputClosed`].
    Closed(T),
}

impl<T> TryInputError<T> {
    /// The message that was not accepted.
    pub fn into_inner(self) -> T {
        match self {
            Self::Full(value) | Self::Closed(value) => value,
        }
    }
}

impl<T> fmt::Debug for TryInputError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full(_) => "Full(..)",
            Self::Closed(_) => "Closed(..)",
        })
    }
}

impl<T> fmt::Display for TryInputError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full(_) => "the first ring of the pipeline is full",
            Self::Closed(_) => CLOSED,
        })
    }
}

impl<T> Error for TryInputError<T> {}

/// Why a message was not accepted in time. Holds it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum InputTimeoutError<T> {
    /// The first ring was full up to the deadline.
    Timeout(T),
    /// As [`InputClosed`].
    Closed(T),
}

impl<T> InputTimeoutError<T> {
    /// The message that was not accepted.
    pub fn into_inner(self) -> T {
        match self {
            Self::Timeout(value) | Self::Closed(value) => value,
        }
    }
}

impl<T> fmt::Debug for InputTimeoutError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Timeout(_) => "Timeout(..)",
            Self::Closed(_) => "Closed(..)",
        })
    }
}

impl<T> fmt::Display for InputTimeoutError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Timeout(_) => "the first ring of the pipeline was full up to the deadline",
            Self::Closed(_) => CLOSED,
        })
    }
}

impl<T> Error for InputTimeoutError<T> {}
