//! What a pipeline is to be made of, until it is built.

use super::door::Door;
use crate::consumer::Consumer;
use alloc::{boxed::Box, format, string::String, vec::Vec};
use std::io;
use tidings_core::sync::{Arc, Lock};

/// Starts the thread of a stage.
pub(super) type Start = Box<dyn FnOnce() -> io::Result<Consumer> + Send>;

/// See the module. Shared by the builder and its stages.
#[derive(Clone, Default)]
pub(super) struct Plan(Arc<Lock<Parts>>);

/// What a pipeline is made of.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) stages: Vec<Start>,
    pub(super) doors: Vec<Arc<Door>>,
    /// Stages that lead nowhere yet.
    open: usize,
    /// Stages that have got a number for a name.
    numbered: usize,
}

/// A stage that leads nowhere yet.
pub(super) struct OpenEnd(Plan);

impl Plan {
    pub(super) fn add_stage(&self, start: Start) {
        self.0.lock().stages.push(start);
    }

    pub(super) fn add_door(&self, door: Arc<Door>) {
        self.0.lock().doors.push(door);
    }

    pub(super) fn next_name(&self) -> String {
        let mut parts = self.0.lock();
        parts.numbered += 1;
        format!("stage {}", parts.numbered)
    }

    pub(super) fn open_end(&self) -> OpenEnd {
        self.0.lock().open += 1;
        OpenEnd(self.clone())
    }

    /// Whether both are of one pipeline.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// What is to be built, or how many ends are open.
    pub(super) fn take(&self) -> Result<Parts, usize> {
        let mut parts = self.0.lock();
        match parts.open {
            0 => Ok(Parts {
                stages: core::mem::take(&mut parts.stages),
                doors: core::mem::take(&mut parts.doors),
                ..Parts::default()
            }),
            open => Err(open),
        }
    }
}

impl Drop for OpenEnd {
    fn drop(&mut self) {
        self.0.0.lock().open -= 1;
    }
}

impl Drop for Parts {
    /// A pipeline that is never built accepts nothing.
    fn drop(&mut self) {
        self.doors.iter().for_each(|door| door.close());
    }
}
