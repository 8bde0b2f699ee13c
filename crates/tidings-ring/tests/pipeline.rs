//! Pipelines: nothing is missed, nothing is lost, every end is told, and no thread is left.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use std::{
    sync::{
        Arc, Barrier,
        atomic::{AtomicUsize, Ordering::*},
        mpsc::{Receiver, Sender, channel as queue},
    },
    time::{Duration, Instant},
};
use tidings_ring::{
    Consumer, EventSubscriber, Pipeline, RecvError,
    consumer::{JoinTimeoutError, Outcome, PanicPolicy, Stop},
    pipeline::{Input, InputTimeoutError, Item, PipelineError, TryInputError},
};

/// As many messages as a test sends through at length.
const MANY: usize = if cfg!(miri) { 60 } else { 3_000 };
/// Longer than anything here takes, unless it hangs.
const GUARD: Duration = Duration::from_secs(60);

/// Everything that comes out, to the end.
fn all<T: Clone + Send + Sync>(mut output: EventSubscriber<Item<T>>) -> Vec<T> {
    let mut list = Vec::new();
    while let Ok(item) = output.recv_ref() {
        list.push(T::clone(&item));
    }
    list
}

fn feed<T: Send + Sync>(input: Input<T>, messages: impl IntoIterator<Item = T>) {
    messages
        .into_iter()
        .for_each(|message| input.publish(message).unwrap());
}

/// A function that says what it begins with, and returns when it is let go.
fn held() -> (
    impl FnMut(&usize) -> usize + Send + 'static,
    Receiver<usize>,
    Sender<()>,
) {
    let ((says, began), (go, goes)) = (queue(), queue());
    let make = move |n: &usize| {
        says.send(*n).unwrap();
        let _ = goes.recv();
        *n
    };
    (make, began, go)
}

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
fn b15_inputs_that_wait_are_given_back_when_the_pipeline_is_shut_down() {
    for stop in [Stop::Drain, Stop::Immediate] {
        let (input, numbers) = Pipeline::builder().capacity(2).input::<usize>();
        let (make, began, go) = held();
        let pipeline = numbers.then(make).sink(|_| ()).build().unwrap();
        (0..2).for_each(|n| input.publish(n).unwrap());
        assert_eq!(began.recv(), Ok(0));
        assert!(input.try_publish(9).is_err());
        let barrier = Barrier::new(5);
        let publish = |n| {
            barrier.wait();
            input.publish(n).unwrap_err().into_inner()
        };
        std::thread::scope(|scope| {
            let publish = &publish;
            let waiting = [10, 11, 12, 13].map(|n| scope.spawn(move || publish(n)));
            barrier.wait();
            pipeline.shutdown(stop);
            let refused = waiting.map(|thread| thread.join().unwrap());
            assert_eq!(refused, [10, 11, 12, 13]);
        });
        let late = pipeline.join_deadline(Instant::now()).unwrap_err();
        let JoinTimeoutError::Timeout { handle, left } = late else {
            panic!("a stage is being held");
        };
        assert_eq!(left, 2);
        drop(go);
        handle.join_timeout(GUARD).unwrap();
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

/// Threads of this process whose name begins like that.
#[cfg(all(target_os = "linux", not(miri)))]
fn threads_named(beginning: &str) -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.flat_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")));
    names.filter(|name| name.starts_with(beginning)).count()
}

/// A thread that was joined is on the list for a moment more.
#[cfg(all(target_os = "linux", not(miri)))]
fn until_gone(beginning: &str) {
    let start = Instant::now();
    while threads_named(beginning) > 0 {
        assert!(start.elapsed() < GUARD, "a thread is left");
        std::thread::yield_now();
    }
}

/// A pipeline of four stages with such names, of which the third panics at message 1000.
#[cfg(all(target_os = "linux", not(miri)))]
fn four_stages(name: &str) -> (Input<usize>, EventSubscriber<Item<usize>>, Pipeline) {
    let name = |n| format!("{name}{n}");
    let (input, numbers) = Pipeline::builder().capacity(16).input::<usize>();
    let (output, pipeline) = numbers
        .named(name(1))
        .then(|n| *n)
        .named(name(2))
        .then(|n| *n)
        .named(name(3))
        .then(|n| {
            assert_ne!(*n, 1000, "a thousand");
            *n
        })
        .named(name(4))
        .then(|n| *n)
        .build()
        .unwrap();
    (input, output, pipeline)
}

/// A stage that panics, and a pipeline that is dropped as it runs, leave no thread, and the panic is told.
#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn b09_no_thread_is_left() {
    let (input, output, pipeline) = four_stages("b09-ill");
    let reader = std::thread::spawn(move || all(output).len());
    while input.publish(1000).is_ok() {}
    assert_eq!(reader.join().unwrap(), 0);
    let halted = pipeline.join().unwrap_err();
    assert!(
        halted
            .to_string()
            .contains("`b09-ill3` panicked at message 0: ")
    );
    assert_eq!(threads_named("b09-ill"), 0);

    let (input, output, pipeline) = four_stages("b09-well");
    // Nobody reads: all four are stuck.
    while input.publish_timeout(1, Duration::from_millis(20)).is_ok() {}
    assert_eq!(threads_named("b09-well"), 4);
    drop(pipeline);
    until_gone("b09-well");
    assert!(input.publish(1).is_err());
    drop(output);
}

/// Publishers that are held up at a full ring go on when the consumer that held them up panics.
#[test]
fn b10_publishers_get_past_a_consumer_that_panics() {
    let (publisher, subscribable) = tidings_ring::channel_mpmc_bounded::<u64>(8, 0);
    let consumer = Consumer::spawn(subscribable.subscribe(), |n: &u64, _| assert_ne!(*n, 20));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|n| publisher.publish(n)));
        }
    });
    assert!(consumer.join().is_err());
}

/// With a batch limit, and without one, room comes back with every message, and those downstream go on.
#[test]
fn b13_a_long_batch_holds_nobody_up() {
    let (mut publisher, subscribable) = tidings_ring::channel_bounded::<u64>(64, 0);
    let mut graph = tidings_ring::Graph::new(subscribable);
    let ((says, began), (go, goes)) = (queue(), queue::<()>());
    let slow = graph.node("slow").spawn(move |n: &u64, _| {
        says.send(*n).unwrap();
        let _ = goes.recv();
    });
    let (done, heard) = queue();
    let after = graph.node("after").after(&[&slow.unwrap()]);
    after
        .spawn(move |n: &u64, _| done.send(*n).unwrap())
        .unwrap();
    (0..64).for_each(|n| publisher.publish(n));
    for n in 0..30 {
        assert_eq!(began.recv(), Ok(n));
        go.send(()).unwrap();
        assert_eq!(heard.recv(), Ok(n));
        publisher.publish(64 + n);
    }
}

/// Whenever its stages begin, a pipeline delivers the messages of each publisher in order.
#[test]
fn b43_publishers_may_begin_before_the_stages() {
    for round in 0..MANY / 10 {
        let (input, pairs) = Pipeline::builder().capacity(4).input::<(usize, usize)>();
        let publishers: Vec<_> = (0..4)
            .map(|who| (who, input.clone()))
            .map(|(who, input)| std::thread::spawn(move || feed(input, (0..8).map(|n| (who, n)))))
            .collect();
        drop(input);
        (0..round % 4).for_each(|_| std::thread::yield_now());
        let (output, pipeline) = pairs.then(|pair| *pair).build().unwrap();
        let got = all(output);
        for who in 0..4 {
            let of_it = got.iter().filter(|(by, _)| *by == who);
            assert!(of_it.map(|(_, n)| *n).eq(0..8));
        }
        publishers
            .into_iter()
            .for_each(|thread| thread.join().unwrap());
        pipeline.join().unwrap();
    }
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
