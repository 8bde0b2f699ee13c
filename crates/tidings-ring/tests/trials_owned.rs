//! Public bug reports of other channels, tried on rings of values: lives, leaks, panics, and who is told what.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "support/payload.rs"]
mod payload;
#[path = "../../tidings-core/tests/support/wakers.rs"]
mod wakers;

use executor::{poll_once, poll_with};
use guard::ends;
use payload::{Census, Member};
use std::mem::{ManuallyDrop, forget};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::scope;
use std::time::Duration;
use tidings_ring::{Builder, TryRecvError, ValueRef, ValueSubscriber, value_channel};
use wakers::{Act, calling_back};

const COUNT: u64 = if cfg!(miri) { 60 } else { 20_000 };

fn panics(body: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(body)).is_err()
}

#[test]
fn b16_runs_are_unbroken_under_joins_and_leaves() {
    ends(|| {
        let (publisher, subscribable) = value_channel::<Arc<u64>>(8);
        scope(|scope| {
            scope.spawn(move || (0..COUNT).for_each(|n| publisher.publish(Arc::new(n))));
            while !subscribable.is_closed() {
                let mut subscriber = subscribable.subscribe();
                let start = subscriber.cursor();
                for _ in 0..5 {
                    let before = subscriber.cursor();
                    let seen = subscriber.try_recv_ref();
                    match seen.map(|n| (**n, ValueRef::sequence(&n))) {
                        Ok(seen) => assert_eq!(seen, (before, before)),
                        Err(TryRecvError::Lagged { skipped }) => {
                            assert_eq!(subscriber.cursor(), before + skipped);
                        }
                        Err(_) => assert_eq!(subscriber.cursor(), before),
                    }
                }
                let seen = subscriber.total_received() + subscriber.total_lagged();
                assert_eq!(seen, subscriber.cursor() - start);
            }
        });
    });
}

#[test]
fn b21_no_obvious_loop_ends_at_a_lag() {
    let lagging = || {
        let (publisher, subscribable) = value_channel::<u64>(4);
        let subscriber = subscribable.subscribe();
        (0..10).for_each(|n| publisher.publish(n));
        subscriber
    };
    let check = |got: Vec<u64>, subscriber: &ValueSubscriber<u64>| {
        assert_eq!((got, subscriber.total_lagged()), ((6..10).collect(), 6));
    };

    let (mut subscriber, mut got) = (lagging(), vec![]);
    while let Ok(value) = subscriber.recv() {
        got.push(value);
    }
    check(got, &subscriber);

    let (mut subscriber, mut got) = (lagging(), vec![]);
    while let Ok(value) = subscriber.recv_ref_timeout(Duration::MAX) {
        got.push(*value);
    }
    check(got, &subscriber);

    let (mut subscriber, mut got) = (lagging(), vec![]);
    assert_eq!(subscriber.read_batch(99, |value, _| got.push(*value)), 4);
    check(got, &subscriber);
}

/// Bursts, idle times, readers that come and go: what is alive stays bounded, and can be let go at any time.
#[test]
fn b23_what_is_alive_does_not_grow() {
    let census = Census::default();
    let (publisher, subscribable) = value_channel(16);
    for round in 0..if cfg!(miri) { 5 } else { 100 } {
        let mut subscriber = subscribable.subscribe();
        (0..50 + round).for_each(|_| publisher.publish(census.member()));
        subscriber.read_batch(round, |_, _| ());
        assert!(census.alive() <= 16 + 32, "{}", census.alive());
        if round % 7 == 0 {
            publisher.clear();
            assert_eq!(census.alive(), 0, "nobody borrows");
        }
    }
}

/// A leaked borrow keeps its one value, and only as long as its subscriber is there.
#[test]
fn b33_a_leaked_borrow_goes_with_its_subscriber() {
    let census = Census::default();
    let (publisher, subscribable) = value_channel(1);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(census.member());
    forget(subscriber.try_recv_ref());
    publisher.clear();
    assert_eq!(census.alive(), 1);
    drop(subscriber);
    publisher.clear();
    assert_eq!(census.alive(), 0);
}

/// A subscriber that is leaked holds nobody up; one value may stay as long as the ring.
#[test]
fn b33_a_leaked_subscriber_keeps_one_value_at_most() {
    let census = Census::default();
    let (publisher, subscribable) = value_channel(2);
    let mut leaked = ManuallyDrop::new(subscribable.subscribe());
    publisher.publish(census.member());
    forget(leaked.try_recv_ref());
    (0..100).for_each(|_| publisher.publish(census.member()));
    publisher.clear();
    assert_eq!(census.alive(), 1);
    drop((publisher, subscribable));
    // A leak would keep the ring.
    drop(ManuallyDrop::into_inner(leaked));
    assert_eq!(census.alive(), 0);
}

#[test]
fn b33_a_leaked_future_loses_nothing() {
    let (publisher, subscribable) = value_channel::<u64>(2);
    let mut subscriber = subscribable.subscribe();
    for n in 0..3 {
        // Without a waker there is nothing to leak.
        let mut future = ManuallyDrop::new(subscriber.recv_async());
        assert!(poll_once(&mut *future).is_pending());
        publisher.publish(n);
        assert_eq!(subscriber.try_recv(), Ok(n));
    }
    assert_eq!(subscriber.total_received(), 3);
}

/// Panics when it is dropped, if it is to, and counts that.
struct Bomb(Member, bool);

impl Drop for Bomb {
    fn drop(&mut self) {
        let _ = &self.0;
        assert!(!self.1 || std::thread::panicking(), "as asked");
    }
}

/// In every way that a value can end: overwritten, let go, with the ring; each once, and the ring goes on.
#[test]
fn b34_a_destructor_that_panics_runs_once_wherever_it_runs() {
    let census = Census::default();
    for at in 0..40 {
        let (publisher, subscribable) = value_channel(3);
        let mut failed = 0;
        for n in 0..40 {
            let bomb = Bomb(census.member(), n == at);
            failed += usize::from(panics(|| publisher.publish(bomb)));
            assert_eq!(publisher.published(), n + 1, "it is out all the same");
        }
        failed += usize::from(panics(|| publisher.clear()));
        publisher.clear();
        assert_eq!((failed, census.alive()), (1, 0));
        let mut subscriber = subscribable.subscribe();
        publisher.publish(Bomb(census.member(), false));
        assert!(subscriber.try_recv_ref().is_ok());
    }
    assert_eq!(census.alive(), 0);
}

/// The last message is there once, whatever is asked before, and then the end.
#[test]
fn b39_the_last_message_comes_once_in_any_order_of_questions() {
    fn ask(question: usize, subscriber: &mut ValueSubscriber<u64>) -> Option<u64> {
        match question {
            0 => subscriber.try_recv().ok(),
            1 => subscriber.latest(),
            2 => subscriber.recv_timeout(Duration::ZERO).ok(),
            3 => subscriber.recv().ok(),
            4 => {
                let mut seen = None;
                subscriber.read_batch(9, |value, _| seen = Some(*value));
                seen
            }
            _ => {
                assert!(subscriber.is_closed());
                subscriber.wait();
                None
            }
        }
    }
    let orders = if cfg!(miri) { 60 } else { 6_usize.pow(4) };
    for order in 0..orders {
        let (publisher, subscribable) = value_channel::<u64>(1);
        let mut subscriber = subscribable.subscribe();
        publisher.publish(7);
        drop(publisher);
        let questions = (0..4).map(|n| order / 6_usize.pow(n) % 6);
        let answers: Vec<_> = questions.filter_map(|q| ask(q, &mut subscriber)).collect();
        let asked = order + 1 != 6_usize.pow(4);
        assert_eq!(answers, vec![7; usize::from(asked)], "order {order}");
    }
}

/// The waker of a subscriber panics in the publication that wakes it: that is out, and what it replaced is not lost.
#[test]
fn b41_a_panicking_waker_costs_no_value() {
    let census = Census::default();
    let (publisher, subscribable) = value_channel(1);
    publisher.publish(census.member());
    let mut subscriber = subscribable.subscribe();
    let angry = calling_back(|act| assert!(act != Act::Wake, "the waker panics"));
    let mut future = subscriber.recv_ref_async();
    assert!(poll_with(&mut future, &angry).is_pending());
    assert!(panics(|| publisher.publish(census.member())));
    assert!(poll_once(&mut future).is_ready());
    drop(future);
    publisher.clear();
    assert_eq!(census.alive(), 0);
}

#[test]
fn b41_a_panic_while_reading_consumes_that_message_only() {
    let (publisher, subscribable) = value_channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    (0..3).for_each(|n| publisher.publish(n));
    assert!(panics(|| {
        subscriber.read_batch(9, |n, _| assert_ne!(*n, 1));
    }));
    assert_eq!((subscriber.total_received(), subscriber.cursor()), (2, 2));
    assert_eq!(subscriber.try_recv(), Ok(2));
}

/// Every capacity, from a start near each wrap, in steps of every length.
#[test]
fn b42_batches_of_every_length_arrive_once_and_in_order() {
    for first in [0, u64::MAX - 7, (1 << 62) - 7, (1 << 63) - 7] {
        for capacity in [1, 2, 3, 5, 8] {
            let builder = Builder::new(capacity).first_sequence(first);
            let (publisher, subscribable) = builder.values::<u64>().unwrap();
            let mut subscriber = subscribable.subscribe();
            let mut next = 0;
            for length in 0..3 * capacity as u64 {
                (0..length).for_each(|n| publisher.publish(next + n));
                next += length;
                let lost = length.saturating_sub(capacity as u64);
                let mut expected = next - length + lost;
                let count = subscriber.read_batch(99, |value, sequence| {
                    assert_eq!((*value, sequence), (expected, first.wrapping_add(expected)));
                    expected += 1;
                });
                assert_eq!((count as u64, expected), (length - lost, next));
            }
        }
    }
}

/// A subscriber that starts late has all from its start on, from every publisher in its order.
#[test]
fn b43_late_starts_lose_nothing_unsaid() {
    let rounds = if cfg!(miri) { 2 } else { 200 };
    for round in 0..rounds {
        let (publisher, subscribable) = value_channel::<(usize, u64)>(64);
        scope(|scope| {
            for who in 0..2 {
                let publisher = publisher.clone();
                scope.spawn(move || (0..20).for_each(|n| publisher.publish((who, n))));
            }
            drop(publisher);
            let subscribable = &subscribable;
            scope.spawn(move || {
                let mut subscriber = if round % 2 == 0 {
                    subscribable.subscribe()
                } else {
                    subscribable.subscribe_from_oldest()
                };
                let start = subscriber.cursor();
                let mut last = [None; 2];
                while let Ok((who, n)) = subscriber.recv() {
                    let before = last[who].replace(n);
                    assert!(before.is_none_or(|before| before + 1 == n), "{who}: {n}");
                }
                let seen = subscriber.total_received();
                assert_eq!((start + seen, subscriber.total_lagged()), (40, 0));
            });
        });
    }
}
