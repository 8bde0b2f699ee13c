//! What can be asked of who runs handlers after handlers. One implementation a rival in `engines/ring/`.

use super::ring::{Publish, Sink};
use crate::stage::Stage;

/// Stages in a line, each on a thread of its own, each handing on what it makes of a message.
pub trait Line {
    /// The end that publishes; dropping it ends the threads.
    type Publisher: Publish<u64>;
    /// Starts a thread a stage; `sink` gets what the last one makes, on its thread.
    fn start(
        capacity: usize,
        stages: [Stage; 3],
        sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher;
}

/// One stage, two beside each other that work on what it made, and one that has what both made.
pub trait Diamond {
    /// The end that publishes; dropping it ends the threads.
    type Publisher: Publish<u64>;
    /// Starts a thread a stage; `sink` gets what the last one makes, on its thread.
    fn start(
        capacity: usize,
        stages: [Stage; 4],
        sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher;
}
