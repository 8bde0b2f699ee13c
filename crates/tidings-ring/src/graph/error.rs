//! Why a node did not join a graph.

use crate::error::SubscribeError;
use alloc::string::String;
use core::{error::Error, fmt};
use std::io;

/// Why [`NodeBuilder::spawn`](super::NodeBuilder::spawn) made no node. Nothing has changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum AttachError {
    /// A node of the graph has that name.
    NameTaken {
        /// The name.
        name: String,
    },
    /// A node that it was to come after is of another ring.
    OtherRing,
    /// The graph was told to shut down.
    ShutDown,
    /// The operating system gave no thread.
    Spawn(io::Error),
}

impl From<SubscribeError> for AttachError {
    /// Of one that joins at the next message: nothing else can be wrong.
    fn from(_: SubscribeError) -> Self {
        Self::OtherRing
    }
}

impl fmt::Display for AttachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameTaken { name } => write!(f, "the graph has a node `{name}` already"),
            Self::OtherRing => f.write_str("a node that it was to come after is of another ring"),
            Self::ShutDown => f.write_str("the graph was told to shut down"),
            Self::Spawn(error) => write!(f, "no thread for the node: {error}"),
        }
    }
}

impl Error for AttachError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Spawn(error) => Some(error),
            _ => None,
        }
    }
}
