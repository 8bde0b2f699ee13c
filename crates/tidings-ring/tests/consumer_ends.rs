//! Consumers: every way to end one, but for panics.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/held.rs"]
mod support;

use std::{
    ops::ControlFlow,
    sync::{Arc, Mutex, mpsc::channel as queue},
    time::Instant,
};
use support::{GUARD, held};
use tidings_ring::{
    Consumer, WaitStrategy, channel_bounded,
    consumer::{Flow, JoinTimeoutError, Outcome, Stop},
};

#[test]
fn a_handler_may_end_its_consumer() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (first, second) = (subscribable.subscribe(), subscribable.subscribe());
    publisher.publish_batch(&[1, 2, 3]);
    let first = Consumer::spawn(first, |n: &u64, _| match *n {
        2 => Flow::Stop,
        _ => Flow::Continue,
    });
    let report = first.join().unwrap();
    assert_eq!((report.outcome, report.received), (Outcome::Stopped, 2));
    assert_eq!(report.left, 1);
    let second = Consumer::spawn(second, |_: &u64, _| ControlFlow::Break(()));
    assert_eq!(second.join().unwrap().received, 1);
    // Nobody is left who could hold it back.
    (0..100).for_each(|n| publisher.publish(n));
}

#[test]
fn draining_handles_what_was_published_before_and_stops_there() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (mut handler, began, go) = held();
    let consumer = Consumer::spawn(subscribable.subscribe(), move |n: &u64, _| {
        handler(n);
    });
    publisher.publish_batch(&[0, 1, 2, 3]);
    assert_eq!(began.recv(), Ok(0));
    consumer.shutdown(Stop::Drain);
    publisher.publish_batch(&[4, 5]);
    drop(go);
    let report = consumer.join().unwrap();
    assert_eq!((report.received, report.left), (4, 2));
    assert_eq!(report.outcome, Outcome::ShutDown);
    assert!(began.iter().eq(1..4));
}

#[test]
fn an_immediate_shutdown_ends_with_the_message_at_hand() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (mut handler, began, go) = held();
    let consumer = Consumer::spawn(subscribable.subscribe(), move |n: &u64, _| {
        handler(n);
    });
    publisher.publish_batch(&[0, 1, 2, 3]);
    assert_eq!(began.recv(), Ok(0));
    consumer.shutdown(Stop::Drain);
    consumer.shutdown(Stop::Immediate);
    drop(go);
    let report = consumer.join().unwrap();
    assert_eq!((report.received, report.left), (1, 3));
}

#[test]
fn a_consumer_that_sleeps_is_woken_by_a_shutdown() {
    for stop in [Stop::Drain, Stop::Immediate] {
        let (_publisher, subscribable) = channel_bounded::<u64>(8, 0);
        let (says, idle) = queue();
        let consumer = Consumer::builder()
            .wait(WaitStrategy::Park)
            .on_idle(move || says.send(()).unwrap())
            .spawn(subscribable.subscribe(), |_: &u64, _| ())
            .unwrap();
        idle.recv().unwrap();
        consumer.shutdown(stop);
        assert!(consumer.join_timeout(GUARD).is_ok());
    }
}

#[test]
fn joining_with_a_deadline_gives_the_consumer_back_and_says_what_is_left() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (mut handler, began, go) = held();
    let consumer = Consumer::spawn(subscribable.subscribe(), move |n: &u64, _| {
        handler(n);
    });
    publisher.publish_batch(&[0, 1, 2]);
    drop(publisher);
    assert_eq!(began.recv(), Ok(0));
    let late = consumer.join_deadline(Instant::now()).unwrap_err();
    assert!(late.to_string().contains("3 messages left"), "{late}");
    let JoinTimeoutError::Timeout { handle, left } = late else {
        panic!("it cannot have ended");
    };
    assert_eq!((left, handle.is_finished(), handle.cursor()), (3, false, 0));
    drop(go);
    assert_eq!(handle.join_timeout(GUARD).unwrap().received, 3);
}

#[test]
fn a_dropped_consumer_is_stopped_though_its_ring_goes_on() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (says, heard) = queue();
    let consumer = Consumer::spawn(subscribable.subscribe(), move |n: &u64, _| {
        says.send(*n).unwrap();
    });
    publisher.publish(7);
    assert_eq!(heard.recv(), Ok(7));
    drop(consumer);
    assert!(heard.recv().is_err(), "the handler is gone, and its thread");
    (0..20).for_each(|n| publisher.publish(n));
}

#[test]
fn a_dropped_consumer_drains_if_it_is_to() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (mut handler, began, go) = held();
    let builder = Consumer::builder().on_drop(Stop::Drain);
    let consumer = builder
        .spawn(subscribable.subscribe(), move |n: &u64, _| {
            handler(n);
        })
        .unwrap();
    publisher.publish_batch(&[0, 1, 2, 3]);
    std::thread::scope(|scope| {
        scope.spawn(|| drop(consumer));
        drop(go);
    });
    assert!(began.iter().eq(0..4));
}

#[test]
fn a_detached_consumer_runs_on_to_the_end_of_its_ring() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (says, heard) = queue();
    Consumer::spawn(subscribable.subscribe(), move |n: &u64, _| {
        says.send(*n).unwrap();
    })
    .detach();
    (0..100).for_each(|n| publisher.publish(n));
    drop(publisher);
    assert!(heard.iter().eq(0..100));
}

#[test]
fn a_handler_that_drops_its_own_consumer_ends_it() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let own: Arc<Mutex<Option<Consumer>>> = Arc::default();
    let (inside, (says, over)) = (Arc::clone(&own), queue());
    let consumer = Consumer::spawn(subscribable.subscribe(), move |_: &u64, _| {
        drop(inside.lock().unwrap().take());
        says.send(()).unwrap();
    });
    *own.lock().unwrap() = Some(consumer);
    publisher.publish_batch(&[1, 2, 3]);
    assert_eq!(
        over.iter().count(),
        1,
        "the message at hand was the last one"
    );
}

#[test]
fn the_thread_has_the_consumers_name() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let (says, heard) = queue();
    let consumer = Consumer::builder()
        .name("archivist")
        .spawn(subscribable.subscribe(), move |_: &u64, _| {
            let name = std::thread::current().name().map(str::to_owned);
            says.send(name).unwrap();
        })
        .unwrap();
    publisher.publish(1);
    assert_eq!(heard.recv().unwrap().as_deref(), Some("archivist"));
    assert_eq!(consumer.name(), "archivist");
}
