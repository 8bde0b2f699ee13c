//! Models of selecting, on the shipped types; each beside mutants that must fail.
#![cfg(loom)]

#[path = "../../tidings-core/tests/support/bell.rs"]
mod bell;
#[macro_use]
#[path = "../../tidings-core/tests/support/rows.rs"]
mod rows;

use bell::block_on;
use loom::model::Builder as Model;
use loom::sync::atomic::{AtomicU64, Ordering::Relaxed};
use loom::thread;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use tidings_ring::{Selector, Shutdown, TryRecvError, WaitStrategy, channel, channel_mpmc};

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(model);
}

fn sleeper() -> Selector {
    Selector::with_strategy(WaitStrategy::Park)
}

/// A message of either ring wakes the thread.
fn either() {
    let (mut one, subscribable) = channel::<u64>(1);
    let mut first = subscribable.subscribe();
    let (mut two, subscribable) = channel::<u64>(1);
    let mut second = subscribable.subscribe();
    let publishers = thread::spawn(move || {
        two.publish(2);
        one.publish(1);
        (one, two)
    });
    let (mut selector, mut sum) = (sleeper(), 0);
    while sum < 3 {
        sum += match selector.select([&first, &second]) {
            0 => first.try_recv().unwrap(),
            _ => second.try_recv().unwrap(),
        };
    }
    drop(publishers.join().unwrap());
}

/// The same, each of a thread of its own, and the thread waits for both messages by a list.
fn both() {
    let (mut one, subscribable) = channel::<u64>(1);
    let first = subscribable.subscribe();
    let (mut two, subscribable) = channel::<u64>(1);
    let second = subscribable.subscribe();
    let one = thread::spawn(move || {
        one.publish(1);
        one
    });
    let two = thread::spawn(move || {
        two.publish(2);
        two
    });
    let mut subscribers = vec![first, second];
    let mut selector = sleeper();
    while let Ok(index) = selector.select_list(&subscribers) {
        assert!(subscribers.remove(index).try_recv().is_ok());
    }
    drop((one.join().unwrap(), two.join().unwrap()));
}

/// The end of one ring ends the wait among two.
fn closed() {
    let (_one, subscribable) = channel::<u64>(1);
    let first = subscribable.subscribe();
    let (two, subscribable) = channel::<u64>(1);
    let mut second = subscribable.subscribe();
    let publisher = thread::spawn(move || drop(two));
    assert_eq!(sleeper().select([&first, &second]), 1);
    assert_eq!(second.try_recv(), Err(TryRecvError::Closed));
    publisher.join().unwrap();
}

/// What was done before a shutdown is seen by the thread that it ends.
fn shut_down() {
    let (_publisher, subscribable) = channel::<u64>(1);
    let subscriber = subscribable.subscribe();
    let shutdown = Shutdown::new();
    let done = loom::sync::Arc::new(AtomicU64::new(0));
    let triggers = thread::spawn({
        let (shutdown, done) = (shutdown.clone(), loom::sync::Arc::clone(&done));
        move || {
            done.store(7, Relaxed);
            shutdown.trigger();
        }
    });
    assert_eq!(sleeper().select([&subscriber, &shutdown]), 1);
    assert_eq!(done.load(Relaxed), 7, "triggered too early");
    triggers.join().unwrap();
}

/// The same where somebody looks, and nobody sleeps.
fn looked() {
    let shutdown = Shutdown::new();
    let done = loom::sync::Arc::new(AtomicU64::new(0));
    let triggers = thread::spawn({
        let (shutdown, done) = (shutdown.clone(), loom::sync::Arc::clone(&done));
        move || {
            done.store(7, Relaxed);
            shutdown.trigger();
        }
    });
    if Selector::new().try_select([&shutdown]).is_some() {
        assert_eq!(done.load(Relaxed), 7, "triggered too early");
    }
    triggers.join().unwrap();
}

/// What was given up ends the wait, and the message behind it is received.
fn given_up() {
    let (_one, subscribable) = channel::<u64>(1);
    let first = subscribable.subscribe();
    let (many, subscribable) = channel_mpmc::<u64>(2);
    let mut second = subscribable.subscribe();
    let publisher = thread::spawn(move || {
        drop(many.try_claim(1).unwrap());
        assert!(many.try_publish(7).is_ok());
        many
    });
    let mut selector = sleeper();
    loop {
        assert_eq!(selector.select([&first, &second]), 1);
        match second.try_recv() {
            Ok(message) => break assert_eq!(message, 7),
            Err(error) => assert_eq!(error, TryRecvError::Empty),
        }
    }
    drop(publisher.join().unwrap());
}

/// Two threads wait for the same subscriber.
fn shared() {
    let (mut publisher, subscribable) = channel::<u64>(1);
    let subscriber = Arc::new(subscribable.subscribe());
    let other = Arc::clone(&subscriber);
    let second = thread::spawn(move || sleeper().select([&*other]));
    let publishes = thread::spawn(move || {
        publisher.publish(1);
        publisher
    });
    assert_eq!(sleeper().select([&*subscriber]), 0);
    assert_eq!(second.join().unwrap(), 0);
    drop(publishes.join().unwrap());
}

/// Wakes nobody; what counts is how many there are.
struct Count;

impl Wake for Count {
    fn wake(self: Arc<Self>) {}
}

/// A task's future is dropped while one of its rings wakes it.
fn dropped() {
    let (mut one, subscribable) = channel::<u64>(1);
    let first = subscribable.subscribe();
    let (_two, subscribable) = channel::<u64>(1);
    let second = subscribable.subscribe();
    let count = Arc::new(Count);
    let waker = Waker::from(Arc::clone(&count));
    let publisher = thread::spawn(move || {
        one.publish(1);
        one
    });
    let mut selector = Selector::new();
    let mut waiting = selector.select_async([&first, &second]);
    let polled = Pin::new(&mut waiting).poll(&mut Context::from_waker(&waker));
    assert!(polled.is_pending() || polled == Poll::Ready(0));
    drop(waiting);
    drop(publisher.join().unwrap());
    assert_eq!(Arc::strong_count(&count), 2, "a waker was left behind");
}

/// A task waits among two, of which the one or the other is looked at first.
fn awaited(first_look: usize) {
    let (_one, subscribable) = channel::<u64>(1);
    let first = subscribable.subscribe();
    let (mut two, subscribable) = channel::<u64>(1);
    let second = subscribable.subscribe();
    let publisher = thread::spawn(move || {
        two.publish(2);
        two
    });
    // Not by `select_async`, which begins anywhere: a model has to be the same in every run.
    let mut selector = Selector::new();
    if first_look == 1 {
        let shutdown = Shutdown::new();
        shutdown.trigger();
        assert_eq!(selector.try_select([&shutdown]), Some(0));
    }
    assert_eq!(block_on(selector.select_async([&first, &second])), 1);
    drop(publisher.join().unwrap());
}

models! {
    a_thread_is_woken_by_either_ring: || check(either);
    a_thread_is_woken_by_both_rings: || check(both);
    an_end_ends_a_wait_among_several: || check(closed);
    a_shutdown_ends_a_wait_among_several: || check(shut_down);
    a_shutdown_is_seen_with_what_came_before: || check(looked);
    what_was_given_up_ends_a_wait: || check(given_up);
    two_threads_wait_for_one_subscriber: || check(shared);
    a_dropped_future_leaves_no_waker: || check(dropped);
    a_task_waits_among_several: || check(|| awaited(0));
    a_task_waits_among_several_whoever_is_first: || check(|| awaited(1));
}

mutants! {
    either_without_b3: "bell B3" off in || check(either), "deadlock";
    either_without_b5: "bell B5" off in || check(either), "deadlock";
    either_without_w3: "event W3" off in || check(either), "deadlock";
    both_without_b5: "bell B5" off in || check(both), "deadlock";
    closed_without_b3: "bell B3" off in || check(closed), "deadlock";
    shut_down_without_s1: "shutdown S1" off in || check(shut_down), "triggered too early";
    shut_down_without_s2: "shutdown S2" off in || check(shut_down), "deadlock";
    looked_without_s1: "shutdown S1" off in || check(looked), "triggered too early";
    looked_without_s3: "shutdown S3" off in || check(looked), "triggered too early";
    given_up_without_a3: "cursor A3" off in || check(given_up), "deadlock";
    dropped_without_r3: "rota R3" off in || check(dropped), "a waker was left behind";
    awaited_without_w3: "event W3" off in || check(|| awaited(0)), "deadlock";
}
