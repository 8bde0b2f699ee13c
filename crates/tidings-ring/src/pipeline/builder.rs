//! How a pipeline is made.

use super::{error::PipelineError, handle::Pipeline, plan::Plan};
use crate::builder::Builder;
use core::fmt;
use tidings_core::wait::WaitStrategy;

/// Messages that a ring between two stages holds, if nobody says.
const CAPACITY: usize = 1024;

/// Makes a [`Pipeline`]: options, then [`input`](Self::input), then what the stages are. A clone is of the same pipeline.
#[derive(Clone)]
pub struct PipelineBuilder {
    pub(super) plan: Plan,
    capacity: usize,
    strategy: WaitStrategy,
}

impl Pipeline {
    /// A builder, with rings of 1024 messages and the default wait strategy.
    #[must_use = "a pipeline begins with its `input`"]
    pub fn builder() -> PipelineBuilder {
        PipelineBuilder {
            plan: Plan::default(),
            capacity: CAPACITY,
            strategy: WaitStrategy::default(),
        }
    }
}

impl PipelineBuilder {
    /// The capacity of the rings to come, in messages.
    pub const fn capacity(mut self, messages: usize) -> Self {
        self.capacity = messages;
        self
    }

    /// How the threads at the rings to come wait: stages for messages, unless their own options say otherwise; stages and inputs
    /// for room.
    pub const fn wait(mut self, strategy: WaitStrategy) -> Self {
        self.strategy = strategy;
        self
    }

    pub(super) const fn ring(&self) -> Builder {
        Builder::new(self.capacity).wait(self.strategy)
    }

    /// The pipeline of all that was led to a sink or an output, by whichever stage or clone of this builder; its threads start.
    ///
    /// # Errors
    /// [`PipelineError`]: some stage leads nowhere, or there is no thread for one.
    pub fn build(self) -> Result<Pipeline, PipelineError> {
        let parts = self.plan.take().map_err(PipelineError::OpenEnds)?;
        Pipeline::start(parts).map_err(PipelineError::Spawn)
    }
}

impl fmt::Debug for PipelineBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PipelineBuilder")
            .field("capacity", &self.capacity)
            .field("strategy", &self.strategy)
            .finish_non_exhaustive()
    }
}
