//! What a handler is told beside the message, and what it may answer.

use core::ops::ControlFlow;

/// Where a message stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Delivery {
    /// The message's place in the whole stream.
    pub sequence: u64,
    /// Whether it is the last one of its batch: of what was there when the consumer looked, or of as many as the batch limit
    /// allows. A handler that gathers (a write, a flush) does it now: the consumer looks for more, and may wait, after this.
    pub end_of_batch: bool,
}

/// What a handler wants to happen next. A handler that returns nothing wants to go on; one may also return a [`ControlFlow`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Flow {
    /// The next message.
    #[default]
    Continue,
    /// No more: the consumer ends. The message at hand counts as handled.
    Stop,
}

impl From<()> for Flow {
    #[inline]
    fn from((): ()) -> Self {
        Self::Continue
    }
}

impl From<ControlFlow<()>> for Flow {
    #[inline]
    fn from(flow: ControlFlow<()>) -> Self {
        match flow {
            ControlFlow::Continue(()) => Self::Continue,
            ControlFlow::Break(()) => Self::Stop,
        }
    }
}

/// What becomes of a consumer after a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// As the handler says.
    Done(Flow),
    /// This message could not be handled, because the consumer was told to stop.
    Abandoned,
}
