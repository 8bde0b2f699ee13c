//! What can go wrong with topics.

use super::options::TopicMode;
use crate::error::BuildError;
use core::{error::Error, fmt};

/// Why a bus of topics did not do what was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TopicError {
    /// There is no such topic.
    Unknown,
    /// There is one of that name.
    Exists,
    /// Its publisher is out, and may come back.
    Taken,
    /// Its publisher does not come back: it was swapped out of the handle that the bus lent. Remove the topic.
    Ended,
    /// It has one publisher, and one of many was asked for.
    One,
    /// It has many publishers, and the one was asked for.
    Many,
    /// It promises something else.
    Mode {
        /// What was asked for.
        asked: TopicMode,
        /// What the topic is.
        found: TopicMode,
    },
    /// It carries messages of another type.
    Type {
        /// The type that was asked for.
        asked: &'static str,
        /// The type that the topic carries.
        found: &'static str,
    },
    /// Its ring cannot be made.
    Build(BuildError),
}

impl fmt::Display for TopicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("there is no such topic"),
            Self::Exists => f.write_str("there is a topic of that name"),
            Self::Taken => f.write_str("the topic's publisher is in use"),
            Self::Ended => f.write_str("the topic's publisher does not come back"),
            Self::One => f.write_str("the topic has one publisher, not many"),
            Self::Many => f.write_str("the topic has many publishers, not one"),
            Self::Mode { asked, found } => write!(f, "the topic is {found}, not {asked}"),
            Self::Type { asked, found } => write!(f, "the topic carries {found}, not {asked}"),
            Self::Build(error) => error.fmt(f),
        }
    }
}

impl Error for TopicError {}

impl From<BuildError> for TopicError {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}
