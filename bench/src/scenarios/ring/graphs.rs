//! Stages after stages, each on a thread: three in a line, and a diamond. `-tiny` does next to nothing in a stage, so that
//! handing on is what is measured.

use super::plan::plan;
use crate::engines::ring::{crossbeam, disruptor, tidings};
use crate::scenario::{Contract, Scenario, Waiting};
use crate::work::ring::graph::{diamond, diamond_on_one_thread, line, line_on_one_thread};

/// Words that a stage reads: about a microsecond.
const WORK: usize = 1024;
/// A few nanoseconds.
const TINY: usize = 4;

pub fn scenarios() -> Vec<Scenario> {
    vec![
        three::<WORK>("pipeline-3", 20_000),
        three::<TINY>("pipeline-3-tiny", 100_000),
        four::<WORK>("diamond", 20_000),
        four::<TINY>("diamond-tiny", 100_000),
    ]
}

fn scenario(name: &'static str, operation: &'static str, operations: u64) -> Scenario {
    let mut plan = plan(1024, 1, operations);
    plan.seconds = 1;
    Scenario::new(name, operation, plan)
        .under(Contract::Lossless, Waiting::Own)
        .among("sink")
        .rounds(20)
}

fn three<const WORDS: usize>(name: &'static str, operations: u64) -> Scenario {
    scenario(
        name,
        "one message through three stages, a thread each",
        operations,
    )
    .row("tidings", "Pipeline", line::<tidings::Lined, WORDS>)
    .row("tidings-one-ring", "Graph", line::<tidings::OneRing, WORDS>)
    .row(
        "disruptor",
        "and_then, BusySpin",
        line::<disruptor::SpinningGraph, WORDS>,
    )
    .row(
        "disruptor+yield",
        "and_then, a strategy that yields",
        line::<disruptor::YieldingGraph, WORDS>,
    )
    .row(
        "crossbeam",
        "threads and bounded channels by hand",
        line::<crossbeam::ByHand, WORDS>,
    )
    .row(
        "one-thread",
        "the stages called in turn",
        line_on_one_thread::<WORDS>,
    )
    .beats("crossbeam", 1.05)
    .beats("disruptor", 0.5)
}

fn four<const WORDS: usize>(name: &'static str, operations: u64) -> Scenario {
    scenario(
        name,
        "one message through a stage, two beside each other, and one that has both; a thread each",
        operations,
    )
    .row("tidings", "Graph", diamond::<tidings::OneRing, WORDS>)
    .row(
        "disruptor",
        "and_then, BusySpin",
        diamond::<disruptor::SpinningGraph, WORDS>,
    )
    .row(
        "disruptor+yield",
        "and_then, a strategy that yields",
        diamond::<disruptor::YieldingGraph, WORDS>,
    )
    .row(
        "crossbeam",
        "threads and bounded channels by hand",
        diamond::<crossbeam::ByHand, WORDS>,
    )
    .row(
        "one-thread",
        "the stages called in turn",
        diamond_on_one_thread::<WORDS>,
    )
    .beats("crossbeam", 1.05)
    .beats("disruptor", 0.5)
}
