//! Models of what a consumer's thread and its handle tell each other, and of what consumers that depend on each other do. On
//! the shipped types; each beside mutants that must fail.
#![cfg(loom)]

#[macro_use]
#[path = "../../tidings-core/tests/support/rows.rs"]
mod rows;

use loom::{model::Builder as Model, thread};
use std::{
    panic::resume_unwind,
    // Counts of the model's own, which order nothing.
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use tidings_ring::{
    Builder, Consumer, EventPublisher, EventSubscribable, Graph, Pipeline, WaitStrategy,
    consumer::{ConsumerBuilder, Flow, Outcome, Reports, Stop},
};

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(model);
}

/// The same for three threads that all wait for each other: with one preemption less, or it outgrows its time.
fn check_row(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    let bound = *builder.preemption_bound.get_or_insert(2);
    builder.preemption_bound = Some(bound.saturating_sub(1));
    builder.check(model);
}

fn ring(capacity: usize) -> (EventPublisher<u64>, EventSubscribable<u64>) {
    let builder = Builder::new(capacity).wait(WaitStrategy::Park);
    builder.in_place(|| 0).unwrap()
}

/// A panic that says nothing.
fn give_up() {
    resume_unwind(Box::new(()));
}

/// How the consumer of that name ended.
fn outcome(reports: &Reports, name: &str) -> Outcome {
    reports.get(name).unwrap().outcome.clone()
}

/// A consumer that waits is told to stop.
fn asleep() {
    let (publisher, subscribable) = ring(1);
    let consumer = Consumer::spawn(subscribable.subscribe(), |_: &u64, _| ());
    consumer.shutdown(Stop::Immediate);
    let report = consumer.join_timeout(Duration::MAX).unwrap();
    assert_eq!(report.outcome, Outcome::ShutDown);
    drop(publisher);
}

/// Drains what was published before, and nothing that was published later.
fn drained() {
    let (mut publisher, subscribable) = ring(2);
    let consumer = Consumer::spawn(subscribable.subscribe(), |_: &u64, _| ());
    publisher.publish(|n| *n = 0);
    consumer.shutdown(Stop::Drain);
    publisher.publish(|n| *n = 1);
    let report = consumer.join().unwrap();
    assert_eq!(report.outcome, Outcome::ShutDown);
    assert_eq!(report.received, 1, "another end than was told");
}

/// The same by a handle that is dropped.
fn dropped() {
    let (mut publisher, subscribable) = ring(2);
    let handled = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&handled);
    let builder = Consumer::builder().on_drop(Stop::Drain);
    let handler = move |_: &u64, _| _ = count.fetch_add(1, Relaxed);
    let consumer = builder.spawn(subscribable.subscribe(), handler).unwrap();
    publisher.publish(|n| *n = 0);
    drop(consumer);
    assert_eq!(handled.load(Relaxed), 1, "another end than was told");
}

/// Drains up to a claim under way.
fn claimed() {
    let builder = Builder::new(2).wait(WaitStrategy::Park);
    let (publisher, subscribable) = builder.in_place_mpmc(|| 0).unwrap();
    let consumer = Consumer::spawn(subscribable.subscribe(), |_: &u64, _| ());
    let other = publisher.clone();
    let second = thread::spawn(move || other.publish(|n| *n = 1));
    publisher.publish(|n| *n = 0);
    consumer.shutdown(Stop::Drain);
    let report = consumer.join().unwrap();
    assert_eq!(report.outcome, Outcome::ShutDown);
    assert!(report.received >= 1, "another end than was told");
    second.join().unwrap();
}

/// A stage that waits for room in the ring that it publishes into is told to stop.
fn full() {
    let builder = Pipeline::builder().capacity(1).wait(WaitStrategy::Park);
    let (input, stage) = builder.input::<u64>();
    let (output, pipeline) = stage.then(|n| *n).build().unwrap();
    (0..2).for_each(|n| input.publish(n).unwrap());
    pipeline.shutdown(Stop::Immediate);
    pipeline.join().unwrap();
    drop(output);
}

/// A sink's panic ends the stage before it, in its name.
fn blamed() {
    let builder = Pipeline::builder().capacity(1).wait(WaitStrategy::Park);
    let (input, stage) = builder.input::<u64>();
    let stage = stage.named("stage").then(|n| *n);
    let pipeline = stage.named("sink").sink(|_| give_up()).build().unwrap();
    input.publish(0).unwrap();
    let reports = pipeline.join().unwrap_err().into_report();
    let name = "sink".into();
    assert_eq!(
        outcome(&reports, "stage"),
        Outcome::HaltedBy { name },
        "nobody is blamed"
    );
}

/// Two nodes in a row, of which the second ends when it is shown what was not done.
struct Row {
    publisher: Option<EventPublisher<u64>>,
    graph: Graph<EventSubscribable<u64>>,
    done: Arc<AtomicU64>,
    early: Arc<AtomicU64>,
}

/// The first one does what `first` says with a message before it is done.
fn row(capacity: usize, builder: ConsumerBuilder, first: fn(u64)) -> Row {
    let (publisher, subscribable) = ring(capacity);
    let mut graph = Graph::new(subscribable);
    let (done, early) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (doing, seen, too_early) = (done.clone(), done.clone(), early.clone());
    let handler = move |n: &u64, _| {
        first(*n);
        doing.fetch_add(1, Relaxed);
    };
    let first = graph.node("first").with(builder).spawn(handler).unwrap();
    let handler = move |n: &u64, _| {
        if seen.load(Relaxed) > *n {
            return Flow::Continue;
        }
        too_early.fetch_add(1, Relaxed);
        Flow::Stop
    };
    graph
        .node("second")
        .after(&[&first])
        .spawn(handler)
        .unwrap();
    Row {
        publisher: Some(publisher),
        graph,
        done,
        early,
    }
}

impl Row {
    /// Publishes so many messages at once.
    fn publish(&mut self, count: usize) {
        let publisher = self.publisher.as_mut().unwrap();
        let mut claimed = publisher.try_claim(count).unwrap();
        claimed
            .iter_mut()
            .zip(0..)
            .for_each(|(n, number)| *n = number);
        claimed.commit(count);
    }

    /// The reports, once both have ended.
    fn end(self) -> (Reports, u64) {
        let reports = self.graph.join();
        let reports = reports.unwrap_or_else(|halted| halted.into_report());
        assert_eq!(self.early.load(Relaxed), 0, "handled what was not done");
        (reports, self.done.load(Relaxed))
    }
}

/// The first of two panics at its second message.
fn halted() {
    let mut row = row(2, Consumer::builder(), |n| {
        if n == 1 {
            give_up();
        }
    });
    row.publish(2);
    let (reports, _) = row.end();
    let name = "first".into();
    assert_eq!(outcome(&reports, "second"), Outcome::HaltedBy { name });
    let received = reports.get("second").unwrap().received;
    assert_eq!(received, 1, "not all that was done");
}

/// The first of two panics, but not in its handler.
fn halted_by_a_hook() {
    let builder = Consumer::builder().on_batch_start(|_, _| give_up());
    let mut row = row(1, builder, |_| ());
    row.publish(1);
    let (reports, _) = row.end();
    let name = "first".into();
    assert_eq!(outcome(&reports, "second"), Outcome::HaltedBy { name });
}

/// Both are told to stop at once, at the end of the ring, so that nobody has to be woken.
fn shut_down() {
    let mut row = row(1, Consumer::builder(), |_| ());
    row.publish(1);
    row.publisher = None;
    row.graph.shutdown(Stop::Immediate);
    row.end();
}

/// Both are told to stop before a message that comes after that.
fn drained_in_a_row() {
    let mut row = row(1, Consumer::builder(), |_| ());
    row.graph.shutdown(Stop::Drain);
    row.publish(1);
    let (reports, done) = row.end();
    let received = reports.get("second").unwrap().received;
    assert_eq!((received, done), (0, 0), "another end than was told");
}

models! {
    one_that_waits_is_told_to_stop: || check(asleep);
    a_drain_ends_where_it_began: || check(drained);
    a_dropped_handle_drains: || check(dropped);
    a_drain_waits_for_claims_under_way: || check_row(claimed);
    one_that_waits_for_room_is_told_to_stop: || check(full);
    a_panic_below_ends_those_above_in_its_name: || check(blamed);
    after_a_panic_what_was_done_is_handled_and_no_more: || check_row(halted);
    a_panic_of_a_hook_halts_those_after: || check_row(halted_by_a_hook);
    nobody_goes_on_because_the_one_before_was_stopped: || check_row(shut_down);
    a_row_drains_to_one_message: || check_row(drained_in_a_row);
}

mutants! {
    asleep_without_s3: "control S3" off in || check(asleep), "deadlock";
    drained_without_s1: "control S1" off in || check(drained), "another end than was told";
    dropped_without_s3: "control S3" off in || check(dropped), "deadlock";
    full_without_s4: "control S4" off in || check(full), "deadlock";
    blamed_without_s1: "control S1" off in || check(blamed), "nobody is blamed";
    halted_without_h2: "control H2" off in || check_row(halted), "not all that was done";
    halted_without_c2: "control C2" off in || check_row(halted), "not all that was done";
    halted_without_h3: "control H3" off in || check_row(halted), "handled what was not done";
    halted_by_a_hook_without_h3: "control H3" off in || check_row(halted_by_a_hook), "handled what was not done";
    shut_down_without_i2: "handle I2" off in || check_row(shut_down), "handled what was not done";
    shut_down_without_s2: "control S2 + control S3" off in || check_row(shut_down), "handled what was not done";
    shut_down_without_c2: "control C2" off in || check_row(shut_down), "handled what was not done";
}
