//! Graphs on one ring: `and_then`. Waiting is a type: `BusySpin`, or one that yields, which the crate lets a user write.

use std::marker::PhantomData;
use std::thread;

use disruptor::wait_strategies::WaitStrategy;
use disruptor::{
    BusySpin, Producer, Sequence, SingleConsumerBarrier, SingleProducer, build_single_producer,
};

use crate::engine::graph::{Diamond, Line};
use crate::engine::ring::{Publish, Sink};
use crate::engines::ring::cells::Cells;
use crate::stage::{Stage, join};

/// A graph whose handlers wait so.
pub struct Graph<W>(PhantomData<W>);

/// Handlers that spin.
pub type SpinningGraph = Graph<BusySpin>;
/// Handlers that yield.
pub type YieldingGraph = Graph<Yielding>;

/// How a type says how handlers wait.
pub trait Waits: WaitStrategy + Send + 'static {
    /// The strategy.
    const STRATEGY: Self;
}

impl Waits for BusySpin {
    const STRATEGY: Self = Self;
}

/// Gives the core away.
#[derive(Clone, Copy)]
pub struct Yielding;

impl WaitStrategy for Yielding {
    fn wait_for(&self, _sequence: Sequence) {
        thread::yield_now();
    }
}

impl Waits for Yielding {
    const STRATEGY: Self = Self;
}

/// The producer; it spins while the ring is full.
pub struct Head(SingleProducer<Cells, SingleConsumerBarrier>);

impl Publish<u64> for Head {
    #[inline(always)]
    fn publish(&mut self, message: &u64) {
        self.0.publish(|slot| slot.set(0, *message));
    }
}

impl<W: Waits> Line for Graph<W> {
    type Publisher = Head;

    fn start(
        capacity: usize,
        stages: [Stage; 3],
        mut sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher {
        let [a, b, c] = stages;
        Head(
            build_single_producer(capacity, Cells::default, W::STRATEGY)
                .handle_events_with(move |slot: &Cells, _, _| slot.set(1, a.run(slot.get(0))))
                .and_then()
                .handle_events_with(move |slot: &Cells, _, _| slot.set(2, b.run(slot.get(1))))
                .and_then()
                .handle_events_with(move |slot: &Cells, _, _| sink.message(&c.run(slot.get(2))))
                .build(),
        )
    }
}

impl<W: Waits> Diamond for Graph<W> {
    type Publisher = Head;

    fn start(
        capacity: usize,
        stages: [Stage; 4],
        mut sink: impl Sink<u64> + Send + 'static,
    ) -> Self::Publisher {
        let [a, b, c, d] = stages;
        let last = move |slot: &Cells, _, _| sink.message(&d.run(join(slot.get(2), slot.get(3))));
        Head(
            build_single_producer(capacity, Cells::default, W::STRATEGY)
                .handle_events_with(move |slot: &Cells, _, _| slot.set(1, a.run(slot.get(0))))
                .and_then()
                .handle_events_with(move |slot: &Cells, _, _| slot.set(2, b.run(slot.get(1))))
                .handle_events_with(move |slot: &Cells, _, _| slot.set(3, c.run(slot.get(1))))
                .and_then()
                .handle_events_with(last)
                .build(),
        )
    }
}
