//! The handle of a graph: its nodes, how it is stopped, how it ended.
//!
//! ```text
//! I1  `nodes` is in the order in which they joined, so whoever a node comes after stands before it
//! I2  those who come later are told to stop first, so a node that its upstream's end would let go on was told before
//!     (I2 of consumer/control.rs); and all of them drain to the same message
//! ```

use super::{error::AttachError, node::Node, ring::GraphRing};
use crate::consumer::{Consumer, Halted, JoinTimeoutError, Report, Reports, Stop};
use alloc::{string::ToString, vec::Vec};
use core::{fmt, mem};
use std::{
    thread,
    time::{Duration, Instant},
};
use tidings_core::{
    Sequence,
    sync::{Arc, Lock, mutant},
    wait::Deadline,
};

/// Consumers of one ring in an order; see [the module](crate::graph).
///
/// It ends when its ring does, each node after the last message; or by [`shutdown`](Self::shutdown). A graph that is dropped is
/// shut down, immediately unless [`on_drop`](Self::on_drop) says otherwise, and its threads are joined.
///
/// # Examples
/// ```
/// use std::sync::{Arc, atomic::{AtomicU64, Ordering::Relaxed}};
/// use tidings_ring::{Graph, channel_bounded};
/// let (mut publisher, subscribable) = channel_bounded::<u64>(64, 0);
/// let (written, sent) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
/// let (counts, copies) = (Arc::clone(&written), Arc::clone(&sent));
///
/// let mut graph = Graph::new(subscribable);
/// let journal = graph.node("journal").spawn(move |n: &u64, _| {
///     counts.fetch_add(n + 1, Relaxed);
/// })?;
/// let replica = graph.node("replica").spawn(move |n: &u64, _| {
///     copies.fetch_add(n + 1, Relaxed);
/// })?;
/// graph.node("reply").after(&[&journal, &replica]).spawn(move |n: &u64, _| {
///     let so_far = (0..=n + 1).sum();
///     assert!(written.load(Relaxed) >= so_far && sent.load(Relaxed) >= so_far);
/// })?;
///
/// (0..100).for_each(|n| publisher.publish(n));
/// drop(publisher);
/// let reports = graph.join()?;
/// assert_eq!(reports.get("reply").unwrap().received, 100);
/// println!("{reports}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a graph that is dropped is stopped"]
pub struct Graph<S: GraphRing> {
    pub(super) ring: S,
    pub(super) nodes: Vec<Consumer>,
    stopped: Lock<Stopped>,
    on_drop: Stop,
}

/// What a graph was told.
#[derive(Default)]
struct Stopped {
    is_told: bool,
    /// The message before which all nodes stop, the same for each of them.
    target: Option<Sequence>,
}

impl<S: GraphRing> Graph<S> {
    /// A graph without nodes, on the ring of `subscribable`.
    pub fn new(subscribable: S) -> Self {
        Self {
            ring: subscribable,
            nodes: Vec::new(),
            stopped: Lock::default(),
            on_drop: Stop::Immediate,
        }
    }

    /// How the graph is stopped when it is dropped; [`Stop::Immediate`] if not said. The drop waits for the nodes to end.
    pub fn on_drop(mut self, stop: Stop) -> Self {
        self.on_drop = stop;
        self
    }

    /// Whether a node of that name may join.
    pub(super) fn admit(&self, name: &str) -> Result<(), AttachError> {
        if self.stopped.lock().is_told {
            return Err(AttachError::ShutDown);
        }
        if self.nodes.iter().any(|node| node.name() == name) {
            let name = name.to_string();
            return Err(AttachError::NameTaken { name });
        }
        Ok(())
    }

    /// Takes a node out, after the message at hand, and waits for that. Those after it go on without it. `None` when it is not,
    /// or no longer, a node of this graph.
    ///
    /// The node has handled every message from where it joined to where it left.
    pub fn detach(&mut self, node: &Node) -> Option<Report> {
        let is_it = |consumer: &Consumer| Arc::ptr_eq(consumer.control(), &node.control);
        let place = self.nodes.iter().position(is_it)?;
        let mut consumer = self.nodes.remove(place);
        consumer.shutdown(Stop::Immediate);
        Some(consumer.finish())
    }

    /// Tells every node to stop, and returns at once. Nodes that wait are woken. A second call can only hurry them.
    ///
    /// With [`Stop::Drain`] each node handles every message that was published before this call, in order, and stops there.
    /// With [`Stop::Immediate`] each stops after the message at hand. In either case no node handles a message that one before
    /// it has not.
    pub fn shutdown(&self, stop: Stop) {
        let target = {
            let mut stopped = self.stopped.lock();
            stopped.is_told = true;
            *stopped.target.get_or_insert_with(|| self.ring.next())
        };
        let tell = |node: &Consumer| match stop {
            Stop::Drain => node.control().drain_to(target),
            Stop::Immediate => node.shutdown(stop),
        };
        if mutant("handle I2") {
            self.nodes.iter().for_each(tell);
        } else {
            self.nodes.iter().rev().for_each(tell);
        }
    }

    /// Waits until every node has ended, and tells what became of each.
    ///
    /// # Errors
    /// [`Halted`] when a panic ended one, with all reports.
    pub fn join(mut self) -> Result<Reports, Halted<Reports>> {
        let mut nodes = mem::take(&mut self.nodes);
        let reports: Reports = nodes.iter_mut().map(Consumer::finish).collect();
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

    /// [`join`](Self::join) that gives up at `deadline`, and gives the graph back, which runs on.
    ///
    /// # Errors
    /// [`JoinTimeoutError::Timeout`] with the graph and how many messages are left; [`JoinTimeoutError::Halted`] when all have
    /// ended, one by a panic.
    pub fn join_deadline(
        self,
        deadline: Instant,
    ) -> Result<Reports, JoinTimeoutError<Self, Reports>> {
        self.join_by(Deadline::at(deadline))
    }

    fn join_by(self, deadline: Deadline) -> Result<Reports, JoinTimeoutError<Self, Reports>> {
        if self.nodes.iter().all(|node| node.wait_for_end(deadline)) {
            self.join().map_err(JoinTimeoutError::Halted)
        } else {
            let left = self.left();
            Err(JoinTimeoutError::Timeout { handle: self, left })
        }
    }

    /// Messages that were published and that the last node has not handled, as of now.
    pub fn left(&self) -> u64 {
        self.nodes.iter().map(Consumer::left).max().unwrap_or(0)
    }

    /// Whether every node has ended.
    pub fn is_finished(&self) -> bool {
        self.nodes.iter().all(Consumer::is_finished)
    }

    /// Whether no panic has ended a node that is still in the graph.
    pub fn is_healthy(&self) -> bool {
        self.nodes.iter().all(Consumer::is_healthy)
    }

    /// How many nodes it has, those that have ended and were not detached included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }
}

impl<S: GraphRing> Drop for Graph<S> {
    fn drop(&mut self) {
        let drains = self.on_drop == Stop::Drain
            && !thread::panicking()
            && !self.nodes.iter().any(Consumer::is_current);
        if drains {
            self.shutdown(Stop::Drain);
            for node in &self.nodes {
                node.wait_for_end(Deadline::NEVER);
            }
        } else {
            self.shutdown(Stop::Immediate);
        }
        // Each consumer joins its thread.
    }
}

impl<S: GraphRing> fmt::Debug for Graph<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Graph")
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}
