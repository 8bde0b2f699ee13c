//! Graphs by hand: a thread a stage, a bounded channel between each two.

use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::engine::graph::{Diamond, Line};
use crate::engine::ring::{Publish, Sink};
use crate::stage::{Stage, join};

/// Threads and channels.
pub struct ByHand;

/// The first channel; dropped, it ends thread after thread, and waits for them.
pub struct Inlet {
    sender: Option<Sender<u64>>,
    threads: Vec<JoinHandle<()>>,
}

impl Publish<u64> for Inlet {
    #[inline(always)]
    fn publish(&mut self, message: &u64) {
        if let Some(sender) = &self.sender {
            // A thread that is gone is found by the count.
            let _ = sender.send(*message);
        }
    }
}

impl Drop for Inlet {
    fn drop(&mut self) {
        self.sender = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked is found by the count.
            let _ = thread.join();
        }
    }
}

/// Whatever comes in goes through the stage and out.
fn stage(
    from: Receiver<u64>,
    stage: Stage,
    mut out: impl FnMut(u64) + Send + 'static,
) -> JoinHandle<()> {
    thread::spawn(move || {
        for value in from {
            out(stage.run(value));
        }
    })
}

/// Into a channel.
fn into(sender: Sender<u64>) -> impl FnMut(u64) + Send + 'static {
    move |value| {
        let _ = sender.send(value);
    }
}

impl Line for ByHand {
    type Publisher = Inlet;

    fn start(
        capacity: usize,
        stages: [Stage; 3],
        mut sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher {
        let [a, b, c] = stages;
        let (sender, to_a) = bounded(capacity);
        let (from_a, to_b) = bounded(capacity);
        let (from_b, to_c) = bounded(capacity);
        let threads = vec![
            stage(to_a, a, into(from_a)),
            stage(to_b, b, into(from_b)),
            stage(to_c, c, move |value| sink.message(&value)),
        ];
        Inlet {
            sender: Some(sender),
            threads,
        }
    }
}

impl Diamond for ByHand {
    type Publisher = Inlet;

    fn start(
        capacity: usize,
        stages: [Stage; 4],
        mut sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher {
        let [a, b, c, d] = stages;
        let (sender, to_a) = bounded(capacity);
        let (a_to_b, to_b) = bounded(capacity);
        let (a_to_c, to_c) = bounded(capacity);
        let (from_b, b_to_d) = bounded(capacity);
        let (from_c, c_to_d) = bounded(capacity);
        let (mut left, mut right) = (into(a_to_b), into(a_to_c));
        let both = move |value| {
            left(value);
            right(value);
        };
        let last = move || {
            for (left, right) in b_to_d.iter().zip(&c_to_d) {
                sink.message(&d.run(join(left, right)));
            }
        };
        let threads = vec![
            stage(to_a, a, both),
            stage(to_b, b, into(from_b)),
            stage(to_c, c, into(from_c)),
            thread::spawn(last),
        ];
        Inlet {
            sender: Some(sender),
            threads,
        }
    }
}
