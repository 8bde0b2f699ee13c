//! Pipelines: what goes through them, and that nothing is missed.
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
    time::{Duration, Instant},
};
use support::{GUARD, MANY, held};
use tidings_ring::{
    Pipeline,
    consumer::Stop,
    pipeline::{InputTimeoutError, PipelineError, TryInputError},
};

#[test]
fn messages_of_any_type_go_through_in_order() {
    for capacity in [1, 2, 7, 1024] {
        let (input, numbers) = Pipeline::builder().capacity(capacity).input::<usize>();
        let texts = numbers.then(|n| n.to_string());
        let boxes = texts.then(|text| text.clone().into_boxed_str());
        let (output, pipeline) = boxes.then(|text| text.parse::<usize>()).build().unwrap();
        let feeder = std::thread::spawn(move || feed(input, 0..MANY));
        let numbers = all(output).into_iter().map(Result::unwrap);
        assert!(numbers.eq(0..MANY));
        feeder.join().unwrap();
        let reports = pipeline.join().unwrap();
        let received: Vec<_> = reports.iter().map(|report| report.received).collect();
        assert_eq!(received, [MANY as u64; 3]);
    }
}

#[test]
fn nothing_that_was_published_before_a_stage_began_is_missed() {
    let (input, numbers) = Pipeline::builder().capacity(8).input::<usize>();
    (0..2).for_each(|n| input.publish(n).unwrap());
    let (left, right) = numbers.fan_out(|n| *n, |n| *n);
    (2..4).for_each(|n| input.publish(n).unwrap());
    let left = left.then(|n| *n).output();
    (4..6).for_each(|n| input.publish(n).unwrap());
    let (right, pipeline) = right.build().unwrap();
    input.publish(6).unwrap();
    drop(input);
    pipeline.join().unwrap();
    let everything: Vec<_> = (0..7).collect();
    assert_eq!((all(left), all(right)), (everything.clone(), everything));
}

#[test]
fn every_branch_gets_every_message() {
    let (input, words) = Pipeline::builder().input::<String>();
    let [a, b, c, d] = words.split();
    let lengths = a.then(String::len).output();
    let upper = b.then(|word| word.to_uppercase()).output();
    let (says, heard) = queue();
    let builder = c.sink(move |word| says.send(word.clone()).unwrap());
    drop(d);
    let pipeline = builder.build().unwrap();
    feed(input, ["one", "three"].map(String::from));
    assert_eq!(pipeline.stage_count(), 3);
    pipeline.join().unwrap();
    assert_eq!(all(lengths), [3, 5]);
    assert_eq!(all(upper), ["ONE", "THREE"]);
    assert!(heard.iter().eq(["one", "three"]));
}

#[test]
fn merged_branches_keep_their_order_each() {
    let (input, numbers) = Pipeline::builder().capacity(4).input::<usize>();
    let [a, b, c] = numbers.split();
    let (a, b) = (a.then(|n| (0, *n)), b.then(|n| (1, *n)));
    let c = c.then(|n| n + 1).then(|n| (2, n - 1));
    let merged = a.merge(b).merge(c).then(|pair| *pair);
    let (output, pipeline) = merged.build().unwrap();
    let feeder = std::thread::spawn(move || feed(input, 0..MANY));
    let merged = all(output);
    for branch in 0..3 {
        let of_it = merged.iter().filter(|(who, _)| *who == branch);
        assert!(of_it.map(|(_, n)| *n).eq(0..MANY));
    }
    feeder.join().unwrap();
    assert_eq!(pipeline.join().unwrap().len(), 5);
}

#[test]
fn a_stage_may_leave_messages_out() {
    let (input, numbers) = Pipeline::builder().input::<usize>();
    let even = numbers.filter_map(|n| (n % 2 == 0).then_some(n / 2));
    let (output, pipeline) = even.build().unwrap();
    feed(input, 0..10);
    pipeline.join().unwrap();
    assert_eq!(all(output), [0, 1, 2, 3, 4]);
}

#[test]
fn several_inputs_may_meet() {
    let builder = Pipeline::builder();
    let (numbers, a) = builder.input::<usize>();
    let (texts, b) = builder.input::<&str>();
    let merged = a
        .then(|n| n.to_string())
        .merge(b.then(|text| text.to_string()));
    let (output, pipeline) = merged.build().unwrap();
    feed(numbers, [7]);
    feed(texts, ["seven"]);
    pipeline.join().unwrap();
    let mut both = all(output);
    both.sort();
    assert_eq!(both, ["7", "seven"]);
}

#[test]
fn a_stage_that_leads_nowhere_is_refused() {
    let builder = Pipeline::builder();
    let (input, numbers) = builder.input::<usize>();
    let (left, right) = numbers.fan_out(|n| *n, |n| *n);
    let refused = left.build().unwrap_err();
    assert!(matches!(refused, PipelineError::OpenEnds(1)));
    // The other one can still be built.
    let (output, pipeline) = right.build().unwrap();
    feed(input, [1]);
    pipeline.join().unwrap();
    assert_eq!(all(output), [1]);
}

#[test]
fn each_ring_may_have_a_capacity_of_its_own() {
    let (input, numbers) = Pipeline::builder().capacity(2).input::<usize>();
    assert_eq!(input.capacity(), 2);
    let (output, pipeline) = numbers.capacity(5).then(|n| *n).build().unwrap();
    assert_eq!(output.capacity(), 5);
    drop((input, output, pipeline));
}

#[test]
fn an_input_says_when_it_has_no_room() {
    let (input, numbers) = Pipeline::builder().capacity(1).input::<usize>();
    input.publish(1).unwrap();
    assert_eq!(input.try_publish(2), Err(TryInputError::Full(2)));
    let late = input.publish_timeout(3, Duration::ZERO).unwrap_err();
    assert_eq!(late, InputTimeoutError::Timeout(3));
    let (output, pipeline) = numbers.then(|n| *n).build().unwrap();
    input.publish_deadline(4, Instant::now() + GUARD).unwrap();
    let feeder = std::thread::spawn(move || feed(input, [5]));
    assert_eq!(all(output), [1, 4, 5]);
    feeder.join().unwrap();
    drop(pipeline);
}

#[test]
fn tasks_may_publish() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let (input, numbers) = Pipeline::builder().capacity(1).input::<usize>();
    let (make, began, go) = held();
    let pipeline = numbers.then(make).sink(|_| ()).build().unwrap();
    runtime.block_on(input.publish_async(0)).unwrap();
    assert_eq!(began.recv(), Ok(0));
    let waits = std::thread::spawn({
        let input = input.clone();
        move || runtime.block_on(input.publish_async(1))
    });
    go.send(()).unwrap();
    waits.join().unwrap().unwrap();
    assert_eq!(began.recv(), Ok(1));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let waits = std::thread::spawn(move || runtime.block_on(input.publish_async(2)));
    pipeline.shutdown(Stop::Drain);
    assert_eq!(waits.join().unwrap().unwrap_err().into_inner(), 2);
    drop(go);
    pipeline.join().unwrap();
}

#[test]
fn every_value_is_dropped_once() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Relaxed);
        }
    }
    let alive = Arc::new(AtomicUsize::new(0));
    let new = move |alive: &Arc<AtomicUsize>| {
        alive.fetch_add(1, Relaxed);
        Counted(Arc::clone(alive))
    };
    let (input, counted) = Pipeline::builder().capacity(4).input::<Counted>();
    let (left, right) = counted.fan_out(move |one| new(&one.0), move |one| new(&one.0));
    let merged = left.merge(right).then(move |one| new(&one.0));
    let (mut output, pipeline) = merged.build().unwrap();
    let feeder = std::thread::spawn({
        let alive = Arc::clone(&alive);
        move || feed(input, (0..20).map(|_| new(&alive)))
    });
    assert!(output.recv_ref().is_ok());
    assert!(alive.load(Relaxed) > 0);
    drop(output);
    feeder.join().unwrap();
    pipeline.join().unwrap();
    assert_eq!(alive.load(Relaxed), 0);
}
