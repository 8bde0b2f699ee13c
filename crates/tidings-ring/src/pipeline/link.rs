//! Who publishes into a ring between stages, and who reads it: an end that comes from below goes up here.
//!
//! ```text
//! I1  `readers` counts the seats, and the outputs for good; when it comes to 0 nobody is left for whom the writers work
//! I2  a seat is left before its subscriber is, so a writer that the subscriber held up finds that it is to stop
//! ```

use super::door::Door;
use crate::consumer::{Control, Stop};
use alloc::vec::Vec;
use tidings_core::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::*},
};

/// See the module.
pub(super) struct Link {
    readers: AtomicUsize,
    writers: Vec<Writer>,
}

/// Who publishes into a ring.
pub(super) enum Writer {
    Input(Arc<Door>),
    Stage(Arc<Control>),
}

/// A reader's place at a ring.
pub(super) struct Seat {
    /// `None` once it was left.
    link: Option<Arc<Link>>,
}

impl Link {
    pub(super) fn new(writers: Vec<Writer>) -> Arc<Self> {
        Arc::new(Self {
            readers: AtomicUsize::new(0),
            writers,
        })
    }

    fn stop(&self, blame: Option<&str>) {
        for writer in &self.writers {
            match (writer, blame) {
                (Writer::Input(door), _) => door.close(),
                (Writer::Stage(control), Some(name)) => control.stop_because(name),
                (Writer::Stage(control), None) => control.stop(Stop::Immediate),
            }
        }
    }
}

impl Seat {
    pub(super) fn new(link: &Arc<Link>) -> Self {
        // ORDERING: Relaxed: the count alone matters; whoever takes a seat has one, or is making the ring.
        link.readers.fetch_add(1, Relaxed);
        let link = Some(Arc::clone(link));
        Self { link }
    }

    /// A second one at the same ring.
    pub(super) fn twin(&self) -> Self {
        match &self.link {
            Some(link) => Self::new(link),
            None => Self { link: None },
        }
    }

    /// Leaves, because of the panic of the one of that name, or for another reason: then the writers stop if nobody else reads.
    pub(super) fn leave(mut self, blame: Option<&str>) {
        match (self.link.take(), blame) {
            (Some(link), Some(_)) => link.stop(blame),
            (link, _) => self.link = link,
        }
    }

    /// Reads on for good.
    pub(super) fn keep(mut self) {
        self.link = None;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let Some(link) = &self.link else {
            return;
        };
        // ORDERING: AcqRel: the last one stops the writers after everybody else has left.
        if link.readers.fetch_sub(1, AcqRel) == 1 {
            link.stop(None);
        }
    }
}
