//! Models of the end of a ring from outside, with claims under way: what was accepted is delivered, then the end. On the
//! shipped types; each beside mutants that must fail.
#![cfg(loom)]

#[macro_use]
#[path = "../../tidings-core/tests/support/rows.rs"]
mod rows;

use loom::{model::Builder as Model, sync::Arc, thread};
use tidings_ring::{
    EventSubscriber, Pipeline, WaitStrategy,
    consumer::Stop,
    pipeline::{Input, Item},
};

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(model);
}

/// An input that leads to an output, and who ends it.
fn pipe(capacity: usize) -> (Input<u64>, EventSubscriber<Item<u64>>, Pipeline) {
    let builder = Pipeline::builder()
        .capacity(capacity)
        .wait(WaitStrategy::Park);
    let (input, stage) = builder.input();
    let (output, pipeline) = stage.build().unwrap();
    (input, output, pipeline)
}

/// How many messages there are up to the end.
fn read_to_the_end(output: &mut EventSubscriber<Item<u64>>) -> usize {
    let mut read = 0;
    while output.recv_ref().is_ok() {
        read += 1;
    }
    read
}

/// A claim before, during or after the seal.
fn sealed() {
    let (input, mut output, pipeline) = pipe(2);
    let other = input.clone();
    let publisher = thread::spawn(move || usize::from(other.try_publish(7).is_ok()));
    pipeline.shutdown(Stop::Drain);
    assert!(input.try_publish(8).is_err(), "accepted after the seal");
    let read = read_to_the_end(&mut output);
    assert_eq!(
        read,
        publisher.join().unwrap(),
        "accepted and not delivered"
    );
    assert_eq!(read_to_the_end(&mut output), 0, "delivered after the end");
}

/// The same, where who reads learns of the end from another thread only.
fn read_meanwhile() {
    let (input, mut output, pipeline) = pipe(2);
    let publisher = thread::spawn(move || usize::from(input.try_publish(7).is_ok()));
    let reader = thread::spawn(move || read_to_the_end(&mut output));
    pipeline.shutdown(Stop::Drain);
    assert_eq!(
        reader.join().unwrap(),
        publisher.join().unwrap(),
        "accepted and not delivered"
    );
}

/// Two end it at once, and each finds what was accepted.
fn sealed_twice() {
    let (input, mut output, pipeline) = pipe(2);
    let publisher = thread::spawn(move || usize::from(input.try_publish(7).is_ok()));
    let pipeline = Arc::new(pipeline);
    let other = Arc::clone(&pipeline);
    let closer = thread::spawn(move || other.shutdown(Stop::Drain));
    pipeline.shutdown(Stop::Drain);
    let read = read_to_the_end(&mut output);
    closer.join().unwrap();
    assert_eq!(
        read,
        publisher.join().unwrap(),
        "accepted and not delivered"
    );
}

/// A publisher sleeps on a full ring, and nobody reads.
fn full() {
    let (input, output, pipeline) = pipe(1);
    assert!(input.try_publish(6).is_ok());
    let publisher = thread::spawn(move || assert!(input.publish(7).is_err()));
    pipeline.shutdown(Stop::Drain);
    publisher.join().unwrap();
    drop(output);
}

/// One waits for another's slot, and no gate is there.
fn busy() {
    let (input, output, pipeline) = pipe(1);
    drop(output);
    let other = input.clone();
    let first = thread::spawn(move || other.publish(6).is_ok());
    let second = thread::spawn(move || input.publish(7).is_ok());
    pipeline.shutdown(Stop::Drain);
    first.join().unwrap();
    second.join().unwrap();
}

/// The last input goes while the pipeline is ended.
fn last_input() {
    let (input, mut output, pipeline) = pipe(2);
    assert!(input.try_publish(6).is_ok());
    let publisher = thread::spawn(move || drop(input));
    pipeline.shutdown(Stop::Drain);
    assert_eq!(
        read_to_the_end(&mut output),
        1,
        "accepted and not delivered"
    );
    publisher.join().unwrap();
}

models! {
    what_is_accepted_comes_before_the_end: || check(sealed);
    a_reader_meets_the_end_behind_what_is_accepted: || check(read_meanwhile);
    two_ends_at_once_are_one: || check(sealed_twice);
    who_sleeps_on_a_full_ring_is_sent_away: || check(full);
    who_waits_for_another_comes_to_an_end: || check(busy);
    the_last_input_may_go_at_the_end: || check(last_input);
}

mutants! {
    sealed_without_u2: "unless U2" off in || check(sealed), "accepted and not delivered";
    sealed_without_u5: "unless U5" off in || check(sealed), "accepted and not delivered";
    sealed_without_u6: "unless U6" off in || check(sealed), "accepted and not delivered";
    sealed_without_d4: "door D4" off in || check(sealed), "accepted and not delivered";
    read_meanwhile_without_d4: "door D4" off in || check(read_meanwhile), "accepted and not delivered";
    read_meanwhile_without_s4: "shared S4" off in || check(read_meanwhile), "accepted and not delivered";
    full_without_d3: "door D3" off in || check(full), "deadlock";
}
