//! Pipelines: every way to end one, and who is told.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/flow.rs"]
mod flow;
#[path = "support/held.rs"]
mod support;

use flow::{all, feed};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::*},
        mpsc::channel as queue,
    },
    time::Duration,
};
use support::{GUARD, MANY};
use tidings_ring::{
    Consumer, Pipeline, RecvError,
    consumer::{Outcome, PanicPolicy, Stop},
    pipeline::{Input, TryInputError},
};

#[test]
fn draining_delivers_everything_that_was_accepted() {
    let (input, numbers) = Pipeline::builder().input::<usize>();
    let (output, pipeline) = numbers.then(|n| n + 1).then(|n| n + 1).build().unwrap();
    (0..500).for_each(|n| input.publish(n).unwrap());
    pipeline.shutdown(Stop::Drain);
    assert_eq!(input.publish(7).unwrap_err().into_inner(), 7);
    assert!(pipeline.join().unwrap().is_healthy());
    assert_eq!(all(output), (2..502).collect::<Vec<_>>());
    assert_eq!(input.try_publish(8), Err(TryInputError::Closed(8)));
}

#[test]
fn dropping_the_inputs_ends_a_pipeline_after_the_last_message() {
    let (input, numbers) = Pipeline::builder().input::<usize>();
    let (output, pipeline) = numbers.then(|n| n + 1).build().unwrap();
    let other = input.clone();
    input.publish(1).unwrap();
    drop(input);
    other.publish(2).unwrap();
    drop(other);
    let reports = pipeline.join_timeout(GUARD).unwrap();
    assert_eq!(reports.get("stage 1").unwrap().outcome, Outcome::Closed);
    assert_eq!(all(output), [2, 3]);
}

#[test]
fn whatever_is_accepted_while_a_pipeline_is_drained_is_delivered() {
    for _ in 0..MANY / 15 {
        let (input, numbers) = Pipeline::builder().capacity(4).input::<usize>();
        let counter = Arc::new(AtomicUsize::new(0));
        let counts = Arc::clone(&counter);
        let count = move |_: &usize| {
            counts.fetch_add(1, Relaxed);
        };
        let pipeline = numbers.then(|n| *n).sink(count).build().unwrap();
        let accepted: usize = std::thread::scope(|scope| {
            let publish =
                |input: Input<usize>| (0..).take_while(|n| input.publish(*n).is_ok()).count();
            let publishers: Vec<_> = (0..3)
                .map(|_| input.clone())
                .map(|input| scope.spawn(move || publish(input)))
                .collect();
            std::thread::yield_now();
            pipeline.shutdown(Stop::Drain);
            let counts = publishers.into_iter().map(|thread| thread.join().unwrap());
            counts.sum()
        });
        pipeline.join().unwrap();
        assert_eq!(counter.load(Relaxed), accepted);
    }
}

#[test]
fn an_immediate_shutdown_ends_stages_that_wait_for_room() {
    let (input, numbers) = Pipeline::builder().capacity(1).input::<usize>();
    let (output, pipeline) = numbers.then(|n| *n).then(|n| *n).build().unwrap();
    // Nobody reads the output; what fits in is accepted, and the stages are stuck then.
    while input.publish_timeout(0, Duration::from_millis(20)).is_ok() {}
    pipeline.shutdown(Stop::Immediate);
    let reports = pipeline.join().unwrap();
    assert!(
        reports
            .iter()
            .all(|report| report.outcome == Outcome::ShutDown)
    );
    assert!(reports.iter().all(|report| report.left > 0), "{reports}");
    assert_eq!(all(output).len(), 1);
}

#[test]
fn a_pipeline_that_is_never_built_accepts_nothing() {
    let (input, numbers) = Pipeline::builder().input::<usize>();
    input.publish(1).unwrap();
    drop(numbers.then(|n| *n));
    assert!(input.publish(2).is_err());
    assert!(input.is_closed());
}

#[test]
fn a_stage_that_panics_is_named_and_ends_what_is_before_and_after() {
    let (input, numbers) = Pipeline::builder().capacity(4).input::<usize>();
    let first = numbers.named("first").then(|n| *n);
    let second = first.named("second").then(|n| {
        assert_ne!(*n, 5, "five is right out");
        *n
    });
    let (output, pipeline) = second.named("third").then(|n| *n).build().unwrap();
    // It would wait for ever if the stages before it did.
    let accepted = (0..).take_while(|n| input.publish(*n).is_ok()).count();
    assert!(accepted >= 6);
    assert_eq!(all(output), [0, 1, 2, 3, 4]);
    let halted = pipeline.join().unwrap_err();
    let text = halted.to_string();
    assert!(
        text.contains("`second`") && text.contains("five is right out"),
        "{text}"
    );
    let reports = halted.report();
    let name = "second".to_owned();
    assert_eq!(
        reports.get("first").unwrap().outcome,
        Outcome::HaltedBy { name }
    );
    assert_eq!(reports.get("third").unwrap().outcome, Outcome::Closed);
}

#[test]
fn a_panic_in_one_branch_ends_the_others_when_they_have_done_what_came_to_them() {
    let (input, numbers) = Pipeline::builder().capacity(4).input::<usize>();
    let (ill, well) = numbers.then(|n| *n).fan_out(|n| assert_ne!(*n, 5), |n| *n);
    let builder = ill.sink(|()| ());
    let (says, heard) = queue();
    well.sink(move |n| says.send(*n).unwrap());
    let pipeline = builder.build().unwrap();
    while input.publish(0).and(input.publish(5)).is_ok() {}
    let heard: Vec<_> = heard.iter().collect();
    assert!(heard.len() >= 2 && heard.iter().step_by(2).all(|n| *n == 0));
    assert!(pipeline.join().is_err());
}

#[test]
fn a_branch_that_is_detached_by_its_panic_leaves_the_others_alone() {
    let (input, numbers) = Pipeline::builder().capacity(4).input::<usize>();
    let [ill, well] = numbers.split();
    let detach = Consumer::builder().on_panic(PanicPolicy::Detach);
    ill.with(detach.name("ill")).sink(|n| assert_ne!(*n, 5));
    let (output, pipeline) = well.then(|n| *n).build().unwrap();
    let feeder = std::thread::spawn(move || feed(input, 0..100));
    assert_eq!(all(output).len(), 100);
    feeder.join().unwrap();
    let reports = pipeline.join().unwrap_err().into_report();
    assert_eq!(reports.panicked().unwrap().name, "ill");
}

#[test]
fn a_pipeline_whose_last_branch_is_gone_stops() {
    let (input, numbers) = Pipeline::builder().capacity(4).input::<usize>();
    let detach = Consumer::builder().on_panic(PanicPolicy::Detach);
    let pipeline = numbers
        .then(|n| *n)
        .with(detach)
        .sink(|n| assert_ne!(*n, 5))
        .build()
        .unwrap();
    let accepted = (0..).take_while(|n| input.publish(*n).is_ok()).count();
    assert!(accepted >= 6);
    assert!(pipeline.join().is_err());
}

#[test]
fn a_stage_may_be_restarted_and_its_message_is_made_once() {
    let (input, numbers) = Pipeline::builder().input::<usize>();
    let restart = Consumer::builder().on_panic(PanicPolicy::Restart { times: 1 });
    let mut fails = true;
    let (output, pipeline) = numbers
        .with(restart)
        .then(move |n| {
            fails = !fails;
            assert!(fails, "every other time");
            *n
        })
        .build()
        .unwrap();
    feed(input, 0..5);
    assert_eq!(pipeline.join().unwrap().get("stage 1").unwrap().panics, 5);
    assert_eq!(all(output), [0, 1, 2, 3, 4]);
}

#[test]
fn a_pipeline_is_healthy_until_a_stage_panics_and_after_a_normal_end() {
    let (input, numbers) = Pipeline::builder().input::<usize>();
    let pipeline = numbers.sink(|n| assert_ne!(*n, 5)).build().unwrap();
    feed(input, [1]);
    while !pipeline.is_finished() {
        std::thread::yield_now();
    }
    assert!(pipeline.is_healthy());
    let (input, numbers) = Pipeline::builder().input::<usize>();
    let pipeline = numbers.sink(|n| assert_ne!(*n, 5)).build().unwrap();
    assert!(pipeline.is_healthy());
    input.publish(5).unwrap();
    while !pipeline.is_finished() {
        std::thread::yield_now();
    }
    assert!(!pipeline.is_healthy() && input.is_closed());
}

#[test]
fn the_stages_go_on_when_the_output_is_dropped() {
    let (input, numbers) = Pipeline::builder().capacity(2).input::<usize>();
    let (output, pipeline) = numbers.then(|n| *n).build().unwrap();
    drop(output);
    feed(input, 0..100);
    assert_eq!(
        pipeline.join().unwrap().get("stage 1").unwrap().received,
        100
    );
}

#[test]
fn a_detached_pipeline_runs_until_its_inputs_are_dropped() {
    let (input, numbers) = Pipeline::builder().input::<usize>();
    let (output, pipeline) = numbers.then(|n| *n).build().unwrap();
    pipeline.detach();
    feed(input, 0..100);
    assert_eq!(all(output).len(), 100);
}

#[test]
fn a_value_whose_destructor_panics_ends_its_stage_and_not_the_process() {
    struct Bomb(Arc<AtomicUsize>);
    impl Drop for Bomb {
        fn drop(&mut self) {
            assert_ne!(self.0.fetch_add(1, Relaxed), 2, "boom");
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    let (input, numbers) = Pipeline::builder().capacity(1).input::<usize>();
    let bombs = numbers
        .named("bombs")
        .then(move |_| Bomb(Arc::clone(&dropped)));
    let pipeline = bombs.sink(|_| ()).build().unwrap();
    while input.publish(1).is_ok() {}
    let halted = pipeline.join().unwrap_err();
    assert!(halted.to_string().contains("boom"), "{halted}");
}

#[test]
fn an_output_ends_for_good() {
    let (input, numbers) = Pipeline::builder().input::<usize>();
    let (mut output, pipeline) = numbers.then(|n| *n).build().unwrap();
    feed(input, [1]);
    pipeline.join().unwrap();
    assert_eq!(output.process(|n| **n), Some(1));
    assert_eq!(output.recv_ref().err(), Some(RecvError));
    assert_eq!(output.recv_ref().err(), Some(RecvError));
}

#[test]
fn blame_goes_up_through_a_stage_that_would_be_detached_by_its_own_panic() {
    let (input, numbers) = Pipeline::builder().capacity(2).input::<usize>();
    let detach = Consumer::builder().name("second");
    let detach = detach.on_panic(PanicPolicy::Detach);
    let second = numbers
        .named("first")
        .then(|n| *n)
        .with(detach)
        .then(|n| *n);
    let third = second.named("third").sink(|n| assert_ne!(*n, 5));
    let pipeline = third.build().unwrap();
    assert!((0..).take_while(|n| input.publish(*n).is_ok()).count() >= 6);
    let reports = pipeline.join().unwrap_err().into_report();
    let name = "third".to_owned();
    assert_eq!(
        reports.get("first").unwrap().outcome,
        Outcome::HaltedBy { name }
    );
}
