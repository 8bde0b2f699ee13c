//! Stages on threads: `Lined`, a pipeline with a ring between each two; `OneRing`, a graph of consumers of one in-place ring.

use tidings::ring::graph::Node;
use tidings::ring::{EventPublisher, EventSubscribable, Graph, Pipeline, event_channel, pipeline};

use crate::engine::graph::{Diamond, Line};
use crate::engine::ring::{Publish, Sink};
use crate::engines::ring::cells::Cells;
use crate::stage::{Stage, join};

/// `Pipeline`.
pub struct Lined;

/// Its input, and the pipeline, which ends with it.
pub struct Inlet {
    input: pipeline::Input<u64>,
    _pipeline: Pipeline,
}

impl Publish<u64> for Inlet {
    #[inline(always)]
    fn publish(&mut self, message: &u64) {
        // A pipeline that has ended is found by the count.
        let _ = self.input.publish(*message);
    }
}

impl Line for Lined {
    type Publisher = Inlet;

    fn start(
        capacity: usize,
        stages: [Stage; 3],
        mut sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher {
        let [a, b, c] = stages;
        let (input, first) = Pipeline::builder().capacity(capacity).input();
        let pipeline = first
            .then(move |value: &u64| a.run(*value))
            .then(move |value: &u64| b.run(*value))
            .sink(move |value: &u64| sink.message(&c.run(*value)))
            .build()
            .expect("threads can be started");
        Inlet {
            input,
            _pipeline: pipeline,
        }
    }
}

/// `Graph`.
pub struct OneRing;

/// The publisher, and the graph, which ends with it.
pub struct Head {
    publisher: EventPublisher<Cells>,
    _graph: Graph<EventSubscribable<Cells>>,
}

impl Publish<u64> for Head {
    #[inline(always)]
    fn publish(&mut self, message: &u64) {
        self.publisher.publish(|slot| slot.set(0, *message));
    }
}

/// Adds a node.
fn node(
    graph: &mut Graph<EventSubscribable<Cells>>,
    name: &str,
    after: &[&Node],
    mut work: impl FnMut(&Cells) + Send + 'static,
) -> Node {
    let spawned = graph
        .node(name)
        .after(after)
        .spawn(move |slot: &Cells, _| work(slot));
    spawned.expect("threads can be started")
}

impl Line for OneRing {
    type Publisher = Head;

    fn start(
        capacity: usize,
        stages: [Stage; 3],
        mut sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher {
        let [a, b, c] = stages;
        let (publisher, ring) = event_channel(capacity, Cells::default);
        let mut graph = Graph::new(ring);
        let first = node(&mut graph, "a", &[], move |slot| {
            slot.set(1, a.run(slot.get(0)));
        });
        let second = node(&mut graph, "b", &[&first], move |slot| {
            slot.set(2, b.run(slot.get(1)));
        });
        node(&mut graph, "c", &[&second], move |slot| {
            sink.message(&c.run(slot.get(2)));
        });
        Head {
            publisher,
            _graph: graph,
        }
    }
}

impl Diamond for OneRing {
    type Publisher = Head;

    fn start(
        capacity: usize,
        stages: [Stage; 4],
        mut sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher {
        let [a, b, c, d] = stages;
        let (publisher, ring) = event_channel(capacity, Cells::default);
        let mut graph = Graph::new(ring);
        let first = node(&mut graph, "a", &[], move |slot| {
            slot.set(1, a.run(slot.get(0)));
        });
        let left = node(&mut graph, "b", &[&first], move |slot| {
            slot.set(2, b.run(slot.get(1)));
        });
        let right = node(&mut graph, "c", &[&first], move |slot| {
            slot.set(3, c.run(slot.get(1)));
        });
        node(&mut graph, "d", &[&left, &right], move |slot| {
            sink.message(&d.run(join(slot.get(2), slot.get(3))));
        });
        Head {
            publisher,
            _graph: graph,
        }
    }
}
