//! Public failure reports of systems like this one, as trials: consumers, graphs, pipelines.
//!
//! The letter and number in a test's name is that of the trial.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/flow.rs"]
mod flow;
#[path = "support/held.rs"]
mod support;

use flow::{all, feed};
use std::{
    sync::{Barrier, mpsc::channel as queue},
    time::{Duration, Instant},
};
use support::{GUARD, MANY, held};
use tidings_ring::{
    Consumer, EventSubscriber, Graph, Pipeline, WaitStrategy, channel_bounded,
    channel_mpmc_bounded,
    consumer::{JoinTimeoutError, Stop},
    event_channel,
    pipeline::{Input, Item},
};

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
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(8, 0);
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
    let (mut publisher, subscribable) = channel_bounded::<u64>(64, 0);
    let mut graph = Graph::new(subscribable);
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

/// Clock ticks, of which there are a hundred a second, that this thread has run for.
#[cfg(all(target_os = "linux", not(miri)))]
fn ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
    let fields: Vec<_> = stat.rsplit_once(')').unwrap().1.split(' ').collect();
    // User and system time are the 14th and 15th field, of which two are before the parenthesis.
    fields[12..=13]
        .iter()
        .map(|field| field.parse::<u64>().unwrap())
        .sum()
}

/// A node that waits for a slow one before it sleeps meanwhile.
#[cfg(all(target_os = "linux", not(miri)))]
#[test]
fn b17_a_node_behind_a_slow_one_costs_no_time() {
    for strategy in [WaitStrategy::Park, WaitStrategy::ADAPTIVE] {
        let (mut publisher, subscribable) = event_channel(64, || 0);
        let mut graph = Graph::new(subscribable);
        let slow = graph.node("slow").spawn(|_: &u64, _| {
            // sleep: the work of a slow node, which takes no time of a core
            std::thread::sleep(Duration::from_millis(100));
        });
        let (says, heard) = queue();
        let options = Consumer::builder().wait(strategy);
        let idle = graph.node("idle").after(&[&slow.unwrap()]).with(options);
        idle.spawn(move |_: &u64, _| says.send(ticks()).unwrap())
            .unwrap();
        (0..8).for_each(|n| publisher.publish(|value| *value = n));
        drop(publisher);
        graph.join().unwrap();
        let last = heard.iter().last().unwrap();
        assert!(last < 20, "{last} ticks in 80");
    }
}
