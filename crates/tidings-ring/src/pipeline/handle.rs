//! The handle of a pipeline: how it is stopped, and how it ended.

use super::{door::Door, plan::Parts};
use crate::consumer::{Consumer, Halted, JoinTimeoutError, Reports, Stop};
use alloc::vec::Vec;
use core::{fmt, mem};
use std::{
    io,
    time::{Duration, Instant},
};
use tidings_core::{sync::Arc, wait::Deadline};

/// Stages on threads of their own; see [the module](crate::pipeline). One that is dropped is shut down immediately, and its threads are
/// joined.
///
/// # Examples
/// ```
/// use tidings_ring::Pipeline;
/// let (input, lines) = Pipeline::builder().capacity(64).input::<String>();
/// let words = lines.named("split").then(|line| {
///     line.split(' ').map(str::to_owned).collect::<Vec<_>>()
/// });
/// let (mut output, pipeline) = words.named("count").then(|words| words.len()).build()?;
///
/// input.publish("three little words".into())?;
/// assert_eq!(**output.recv_ref()?, 3);
/// drop(input);
/// let reports = pipeline.join()?;
/// assert_eq!(reports.get("split").unwrap().received, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a pipeline that is dropped is stopped"]
pub struct Pipeline {
    stages: Vec<Consumer>,
    doors: Vec<Arc<Door>>,
}

impl Pipeline {
    /// Starts the threads of all stages. If there is none for one of them, the others end again.
    pub(super) fn start(mut parts: Parts) -> io::Result<Self> {
        let mut pipeline = Self {
            stages: Vec::new(),
            doors: mem::take(&mut parts.doors),
        };
        for start in mem::take(&mut parts.stages) {
            pipeline.stages.push(start()?);
        }
        Ok(pipeline)
    }

    /// Tells the pipeline to stop. It accepts nothing from now on, and gives inputs back, also to those who wait. A second call
    /// can only hurry it.
    ///
    /// With [`Stop::Drain`] it delivers what it has accepted, and ends then; the output has to be read, or dropped, for that.
    /// With [`Stop::Immediate`] each stage ends with the message at hand. What a stage was about to hand on to a full ring counts
    /// as not handled.
    ///
    /// Returns when every message that was accepted has its place, which it has at once unless the thread that hands it in is
    /// held up by the operating system.
    pub fn shutdown(&self, stop: Stop) {
        self.doors.iter().for_each(|door| door.close());
        if stop == Stop::Immediate {
            self.stages.iter().for_each(|stage| stage.shutdown(stop));
        }
    }

    /// Waits until every stage has ended, and tells what became of each: when every input was dropped, or after a shutdown.
    ///
    /// # Errors
    /// [`Halted`] when a panic ended one, with all reports.
    pub fn join(mut self) -> Result<Reports, Halted<Reports>> {
        let mut stages = mem::take(&mut self.stages);
        let reports: Reports = stages.iter_mut().map(Consumer::finish).collect();
        reports.judge()
    }

    /// [`join`](Self::join) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// As [`join_deadline`](Self::join_deadline).
    pub fn join_timeout(
        self,
        timeout: Duration,
    ) -> Result<Reports, JoinTimeoutError<Self, Reports>> {
        self.join_by(Deadline::after(timeout))
    }

    /// [`join`](Self::join) that gives up at `deadline`, and gives the pipeline back, which runs on.
    ///
    /// # Errors
    /// [`JoinTimeoutError::Timeout`] with the pipeline and how many messages are left; [`JoinTimeoutError::Halted`] when all
    /// stages have ended, one by a panic.
    pub fn join_deadline(
        self,
        deadline: Instant,
    ) -> Result<Reports, JoinTimeoutError<Self, Reports>> {
        self.join_by(Deadline::at(deadline))
    }

    fn join_by(self, deadline: Deadline) -> Result<Reports, JoinTimeoutError<Self, Reports>> {
        if self.stages.iter().all(|stage| stage.wait_for_end(deadline)) {
            self.join().map_err(JoinTimeoutError::Halted)
        } else {
            let left = self.left();
            Err(JoinTimeoutError::Timeout { handle: self, left })
        }
    }

    /// Gives the handle up; the threads run until the inputs are dropped, or a stage panics.
    pub fn detach(mut self) {
        self.doors.clear();
        mem::take(&mut self.stages)
            .into_iter()
            .for_each(Consumer::detach);
    }

    /// Messages that lie before some stage, as of now; one that goes through several branches counts in each.
    pub fn left(&self) -> u64 {
        self.stages.iter().map(Consumer::left).sum()
    }

    /// How many stages it has, sinks included.
    pub fn stage_count(&self) -> usize {
        self.stages.len()
    }

    /// Whether every stage has ended.
    pub fn is_finished(&self) -> bool {
        self.stages.iter().all(Consumer::is_finished)
    }

    /// Whether no panic has ended a stage: also true of a pipeline that has ended as it should.
    pub fn is_healthy(&self) -> bool {
        self.stages.iter().all(Consumer::is_healthy)
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        // Each consumer joins its thread.
        self.shutdown(Stop::Immediate);
    }
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline")
            .field("stages", &self.stages)
            .finish_non_exhaustive()
    }
}
