//! A node as others see it who want to come after it.

use crate::{consumer::Control, upstream::Upstream};
use core::fmt;
use tidings_core::sync::Arc;

/// A node of a [`Graph`](super::Graph), to come after, or to detach. It neither keeps the node running nor holds anything back.
#[derive(Clone)]
pub struct Node {
    pub(super) upstream: Upstream,
    pub(super) control: Arc<Control>,
}

impl Node {
    /// Its name.
    pub fn name(&self) -> &str {
        self.control.name()
    }

    /// Whether it has ended.
    pub fn is_finished(&self) -> bool {
        self.control.has_ended()
    }

    /// The sequence of the message that it handles, or will handle next, as of now.
    pub fn cursor(&self) -> u64 {
        self.control.next().get()
    }

    /// Messages that were published and that it has not handled, as of now.
    pub fn left(&self) -> u64 {
        self.control.left()
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("name", &self.name())
            .field("cursor", &self.cursor())
            .field("finished", &self.is_finished())
            .finish_non_exhaustive()
    }
}
