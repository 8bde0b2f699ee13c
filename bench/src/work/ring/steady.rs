//! Allocations and system calls in steady flow, counted exactly.
//!
//! Every thread of the flow runs under `meter::watched`, which counts only while messages flow; starting and ending
//! threads is outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::{Stream, each_of_many, warm_up};
use crate::clock::Clock;
use crate::engine::ring::{Engine, Publish, Sink, Subscribe};
use crate::message::{END, Message, Source, expected};
use crate::meter::{Cost, Meter, watched};
use crate::round::{Round, verify};
use crate::scenario::Plan;

fn round(spent: crate::clock::Spent, operations: u64, costs: &[Cost]) -> Result<Round, String> {
    if costs.iter().any(|cost| !cost.seen) {
        return Err(
            "system calls cannot be counted here: the kernel refuses seccomp listeners".into(),
        );
    }
    let per = |count: u64| count as f64 / operations as f64;
    let allocations: u64 = costs.iter().map(|cost| cost.allocations).sum();
    let calls: u64 = costs.iter().map(|cost| cost.calls).sum();
    Ok(Round::new(spent, operations)
        .with("allocations per message", per(allocations))
        .with("system calls per message", per(calls)))
}

/// One thread publishes and each subscriber receives.
pub fn one_thread<E: Engine<u64>>(plan: &Plan) -> Result<Round, String> {
    let (result, cost) = watched(|meter| {
        let (mut publisher, mut subscribers) = E::open(plan.capacity, plan.receivers);
        let warm = warm_up(plan.capacity);
        let source = <u64 as Message>::Source::new(plan.seed);
        let (source, before) = each_of_many(&mut publisher, &mut subscribers, source, warm);
        let clock = Clock::start();
        meter.start();
        let (_, tally) = each_of_many(&mut publisher, &mut subscribers, source, plan.operations);
        meter.stop();
        let spent = clock.stop();
        tally
            .and(before)
            .check::<u64>(plan, warm + plan.operations, plan.receivers as u64)?;
        Ok::<_, String>(spent)
    })?;
    round(result?, plan.operations, &[cost])
}

/// Sums, and switches the meter on and off at the markers.
struct Metered<'a, 'b> {
    meter: &'a mut Meter<'b>,
    received: u64,
    sum: u64,
    phase: &'a AtomicU64,
    mine: u64,
}

impl Sink<u64> for Metered<'_, '_> {
    #[inline(always)]
    fn message(&mut self, message: &u64) {
        if *message == END {
            return self.mark();
        }
        self.received += 1;
        self.sum = self.sum.wrapping_add(*message);
    }

    fn skipped(&mut self, _skipped: u64) {}
}

impl Metered<'_, '_> {
    #[cold]
    fn mark(&mut self) {
        self.mine += 1;
        if self.mine == 1 {
            self.meter.start()
        } else {
            self.meter.stop()
        }
        self.phase.store(self.mine, Ordering::Release);
    }
}

/// A publisher thread and a subscriber thread, both watched; each waits as its engine waits.
pub fn two_threads<E: Engine<u64>>(plan: &Plan) -> Result<Round, String> {
    let (publisher, mut subscribers) = E::open(plan.capacity, 1);
    let subscriber = subscribers.pop().ok_or("no subscriber")?;
    let phase = Arc::new(AtomicU64::new(0));
    let (theirs, plan) = (Arc::clone(&phase), *plan);
    let reader = thread::spawn(move || watched(|meter| read(subscriber, meter, &theirs)));
    let (result, written) = watched(|meter| write(publisher, meter, &phase, &plan))?;
    let (sent, spent) = result;
    let ((received, sum), read) = reader.join().map_err(|_| "the consumer panicked")??;
    verify("received", received, sent)?;
    verify("checksum", sum, expected::<u64>(plan.seed, sent))?;
    round(spent, plan.operations, &[written, read])
}

fn read(mut subscriber: impl Subscribe<u64>, meter: &mut Meter, phase: &AtomicU64) -> (u64, u64) {
    let mut sink = Metered {
        meter,
        received: 0,
        sum: 0,
        phase,
        mine: 0,
    };
    while sink.mine < 2 {
        subscriber.step(&mut sink);
    }
    (sink.received, sink.sum)
}

fn write(
    mut publisher: impl Publish<u64>,
    meter: &mut Meter,
    phase: &AtomicU64,
    plan: &Plan,
) -> (u64, crate::clock::Spent) {
    let reached = |wanted: u64| {
        while phase.load(Ordering::Acquire) < wanted {
            thread::yield_now();
        }
    };
    let mut stream = Stream::<u64>::new(plan.seed);
    stream.pour(&mut publisher, warm_up(plan.capacity));
    publisher.publish(&END);
    publisher.flush();
    reached(1);
    let clock = Clock::start();
    meter.start();
    stream.pour(&mut publisher, plan.operations);
    meter.stop();
    publisher.publish(&END);
    publisher.flush();
    reached(2);
    (stream.sent, clock.stop())
}
