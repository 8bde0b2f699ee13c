//! The futures: cancelled anywhere they lose nothing, and an idle one costs nothing.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use counter::Counter;
use executor::{Tasks, block_on, poll_once, poll_with};
use guard::ends;
use std::future::poll_fn;
use std::mem::forget;
use std::sync::Arc;
use std::task::Poll;
use std::thread::scope;
use tidings_ring::{
    EventPublisher, Gating, RecvError, Subscriber, channel, channel_bounded, event_channel,
};

const COUNT: u64 = if cfg!(miri) { 30 } else { 5_000 };

#[test]
fn messages_and_the_end_arrive_across_threads() {
    ends(|| {
        let (mut publisher, subscribable) = channel_bounded::<u64>(3, 0);
        let mut subscribers = [(); 3].map(|()| subscribable.subscribe());
        scope(|scope| {
            for subscriber in &mut subscribers {
                scope.spawn(|| {
                    block_on(async {
                        for n in 0..COUNT {
                            assert_eq!(subscriber.recv_async().await, Ok(n));
                        }
                        assert_eq!(subscriber.recv_async().await, Err(RecvError));
                    });
                });
            }
            block_on(async {
                for n in 0..COUNT {
                    publisher.publish_async(n).await;
                }
            });
            drop(publisher);
        });
    });
}

#[test]
fn messages_in_place_arrive_across_threads() {
    async fn publish(mut publisher: EventPublisher<u64>) {
        for n in 0..COUNT {
            publisher.publish_async(|value: &mut u64| *value = n).await;
        }
    }
    ends(|| {
        let (publisher, subscribable) = event_channel(2, || 0);
        let mut subscriber = subscribable.subscribe();
        scope(|scope| {
            scope.spawn(|| block_on(publish(publisher)));
            block_on(async {
                for n in 0..COUNT {
                    assert_eq!(*subscriber.recv_ref_async().await.unwrap(), n);
                }
                assert!(subscriber.recv_ref_async().await.is_err());
            });
        });
    });
}

/// A thread waits on one side, a task on the other.
#[test]
fn tasks_and_threads_wait_for_each_other() {
    ends(|| {
        let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
        let mut subscriber = subscribable.subscribe();
        let mut other = subscribable.subscribe();
        scope(|scope| {
            scope.spawn(move || (0..COUNT).for_each(|n| publisher.publish(n)));
            scope.spawn(move || assert!(other.iter().take(COUNT as usize).eq(0..COUNT)));
            block_on(async {
                for n in 0..COUNT {
                    assert_eq!(subscriber.recv_async().await, Ok(n));
                }
            });
        });
    });
}

/// A receive that is dropped, before or after its first poll, or once it could have been ready.
#[test]
fn f04_a_cancelled_receive_loses_nothing() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    drop(subscriber.recv_async());
    let mut pending = subscriber.recv_async();
    assert!(poll_once(&mut pending).is_pending());
    publisher.publish(0);
    drop(pending);
    drop(subscriber.recv_async());
    assert_eq!(subscriber.total_received(), 0);
    assert_eq!(poll_once(&mut subscriber.recv_async()), Poll::Ready(Ok(0)));
}

/// A publish that is dropped has published nothing, also when there was room by then.
#[test]
fn f04_a_cancelled_publish_publishes_nothing() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let mut subscriber = subscribable.subscribe();
    drop(publisher.publish_async(7));
    publisher.publish(0);
    let mut pending = publisher.publish_async(7);
    assert!(poll_once(&mut pending).is_pending());
    assert_eq!(subscriber.try_recv(), Ok(0));
    drop(pending);
    assert!(subscriber.try_recv().is_err());
    assert!(poll_once(&mut publisher.publish_async(1)).is_ready());
    assert_eq!(subscriber.try_recv(), Ok(1));
}

/// In place the closure was not called, and the borrow was not taken.
#[test]
fn f04_cancelled_futures_of_an_in_place_ring_do_nothing() {
    let (mut publisher, subscribable) = event_channel(1, || 0);
    let mut subscriber = subscribable.subscribe();
    let mut pending = subscriber.recv_ref_async();
    assert!(poll_once(&mut pending).is_pending());
    publisher.publish(|value| *value = 1);
    drop(pending);
    let mut calls = 0;
    let mut refused = publisher.publish_async(|_| calls += 1);
    assert!(poll_once(&mut refused).is_pending());
    assert_eq!(subscriber.process(|value| *value), Some(1));
    drop(refused);
    assert_eq!((calls, subscriber.process(|_| ())), (0, None));
}

/// One waiter is told, then dropped; the other is told all the same.
#[test]
fn f04_a_dropped_waiter_takes_no_notice_with_it() {
    let (mut publisher, subscribable) = channel::<u64>(2);
    let (mut one, mut two) = (subscribable.subscribe(), subscribable.subscribe());
    let ((_, first), (count, second)) = (Counter::with_waker(), Counter::with_waker());
    let (mut a, mut b) = (one.recv_async(), two.recv_async());
    assert!(poll_with(&mut a, &first).is_pending() && poll_with(&mut b, &second).is_pending());
    publisher.publish(5);
    drop(a);
    assert_eq!(count.count(), 1);
    assert_eq!(poll_with(&mut b, &second), Poll::Ready(Ok(5)));
}

/// Who begins to wait after a message was published is not woken by it.
#[test]
fn f05_a_message_wakes_only_who_waited_before_it() {
    let (mut publisher, subscribable) = channel::<u64>(2);
    let (mut one, mut two) = (subscribable.subscribe(), subscribable.subscribe());
    let ((early, first), (late, second)) = (Counter::with_waker(), Counter::with_waker());
    let mut a = one.recv_async();
    assert!(poll_with(&mut a, &first).is_pending());
    publisher.publish(0);
    assert_eq!(two.try_recv(), Ok(0));
    let mut b = two.recv_async();
    assert!(poll_with(&mut b, &second).is_pending());
    assert_eq!((early.count(), late.count()), (1, 0));
    publisher.publish(1);
    assert_eq!((early.count(), late.count()), (1, 1));
}

/// A waiter that is never polled again, or leaked, keeps nothing from the others.
#[test]
fn f06_a_waiter_that_sleeps_on_stops_nobody() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut idle = [(); 2].map(|()| subscribable.subscribe());
    let mut live = subscribable.subscribe();
    let [first, second] = &mut idle;
    let mut leaked = second.recv_async();
    assert!(poll_once(&mut leaked).is_pending());
    forget(leaked);
    let mut asleep = first.recv_async();
    assert!(poll_once(&mut asleep).is_pending());
    for n in 0..3 {
        let (count, waker) = Counter::with_waker();
        let mut waiting = live.recv_async();
        assert!(poll_with(&mut waiting, &waker).is_pending());
        publisher.publish(n);
        assert_eq!(count.count(), 1);
        assert_eq!(poll_with(&mut waiting, &waker), Poll::Ready(Ok(n)));
    }
    assert_eq!(second.try_recv(), Ok(0), "its subscriber is as it was");
}

/// The waker goes with its future, on every kind of future, while both ends live on.
#[test]
fn f09_a_dropped_future_frees_its_waker_at_once() {
    let (count, waker) = Counter::with_waker();
    let idle = Arc::strong_count(&count);
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let mut subscriber = subscribable.subscribe();
    let mut waiting = subscriber.recv_async();
    assert!(poll_with(&mut waiting, &waker).is_pending());
    assert!(Arc::strong_count(&count) > idle);
    drop(waiting);
    assert_eq!(Arc::strong_count(&count), idle);
    publisher.publish(0);
    let mut full = publisher.publish_async(1);
    assert!(poll_with(&mut full, &waker).is_pending());
    drop(full);
    assert_eq!(Arc::strong_count(&count), idle);

    let (mut publisher, subscribable) = event_channel(1, || 0);
    let mut subscriber = subscribable.subscribe();
    let mut waiting = subscriber.recv_ref_async();
    assert!(poll_with(&mut waiting, &waker).is_pending());
    drop(waiting);
    assert_eq!(Arc::strong_count(&count), idle);
    publisher.publish(|_| ());
    let mut full = publisher.publish_async(|_| ());
    assert!(poll_with(&mut full, &waker).is_pending());
    drop(full);
    assert_eq!((Arc::strong_count(&count), count.count()), (idle, 0));
}

/// A future that is ready has no waker left anywhere, although it is still there.
#[test]
fn f09_a_ready_future_has_given_its_waker_back() {
    let (count, waker) = Counter::with_waker();
    let idle = Arc::strong_count(&count);
    let (mut publisher, subscribable) = channel::<u64>(2);
    let mut subscriber = subscribable.subscribe();
    let mut waiting = subscriber.recv_async();
    assert!(poll_with(&mut waiting, &waker).is_pending());
    publisher.publish(3);
    assert_eq!(poll_with(&mut waiting, &waker), Poll::Ready(Ok(3)));
    assert_eq!(Arc::strong_count(&count), idle);
}

/// A future that moves to another task is woken there, and only there.
#[test]
fn the_last_waker_counts() {
    let (mut publisher, subscribable) = channel::<u64>(2);
    let mut subscriber = subscribable.subscribe();
    let ((old, first), (new, second)) = (Counter::with_waker(), Counter::with_waker());
    let mut waiting = subscriber.recv_async();
    assert!(poll_with(&mut waiting, &first).is_pending());
    assert!(poll_with(&mut waiting, &second).is_pending());
    publisher.publish(0);
    assert_eq!((old.count(), new.count()), (0, 1));
}

/// A publish that is refused changes nothing that readers wait for.
#[test]
fn a_refused_publish_wakes_nobody() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let (mut quick, _slow) = (subscribable.subscribe(), subscribable.subscribe());
    publisher.publish(0);
    assert_eq!(quick.try_recv(), Ok(0));
    let (count, waker) = Counter::with_waker();
    let mut waiting = quick.recv_async();
    assert!(poll_with(&mut waiting, &waker).is_pending());
    assert!(publisher.try_publish(1).is_err());
    assert_eq!(publisher.try_publish_batch(&[1, 2]), 0);
    assert!(poll_once(&mut publisher.publish_async(1)).is_pending());
    assert_eq!(count.count(), 0);
}

/// Readers that take messages the publisher does not wait for do not wake it.
#[test]
fn a_publisher_is_woken_by_the_slowest_only() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let (mut quick, mut slow) = (subscribable.subscribe(), subscribable.subscribe());
    publisher.publish_batch(&[0, 1, 2, 3]);
    assert_eq!(quick.drain().next(), Some(0));
    let (count, waker) = Counter::with_waker();
    let mut full = publisher.publish_async(4);
    assert!(poll_with(&mut full, &waker).is_pending());
    assert!(quick.drain().eq(1..4));
    assert_eq!(count.count(), 0);
    assert_eq!(slow.try_recv(), Ok(0));
    assert_eq!(count.count(), 1);
    assert!(poll_with(&mut full, &waker).is_ready());
}

async fn listen(mut subscriber: Subscriber<u64>, expected: u64) {
    for n in 0..expected {
        assert_eq!(subscriber.recv_async().await, Ok(n));
    }
    assert_eq!(subscriber.recv_async().await, Err(RecvError));
}

/// Each message wakes each waiting task once and polls it once; in between nobody is polled.
#[test]
fn b24_wakes_and_polls_are_as_many_as_messages() {
    for readers in [1, 10, if cfg!(miri) { 20 } else { 1000 }] {
        let (mut publisher, subscribable) = channel::<u64>(4);
        let mut tasks = Tasks::default();
        (0..readers).for_each(|_| tasks.spawn(listen(subscribable.subscribe(), 5)));
        assert_eq!(tasks.run(), readers);
        for n in 0..5 {
            publisher.publish(n);
            assert_eq!((tasks.run(), tasks.run()), (readers, 0));
        }
        assert_eq!(tasks.wakes(), 5 * readers);
        drop(publisher);
        assert_eq!((tasks.run(), tasks.unfinished()), (readers, 0));
    }
}

/// On a gating ring, too, one message is one wake, however small the ring.
#[test]
fn b24_gating_readers_are_woken_once_a_message() {
    for capacity in [1, 2, 9] {
        let (mut publisher, subscribable) = channel_bounded::<u64>(capacity, 0);
        let mut tasks = Tasks::default();
        for _ in 0..10 {
            let mut subscriber: Subscriber<u64, Gating> = subscribable.subscribe();
            tasks.spawn(async move { while subscriber.recv_async().await.is_ok() {} });
        }
        assert_eq!(tasks.run(), 10);
        for n in 0..20 {
            publisher.publish(n);
            assert_eq!(tasks.run(), 10);
        }
        assert_eq!(tasks.wakes(), 200);
        drop(publisher);
        assert_eq!((tasks.run(), tasks.unfinished()), (10, 0));
    }
}

/// Two receives raced as a select would: the loser is dropped, and nothing it saw is lost.
#[test]
fn the_loser_of_a_race_loses_nothing() {
    let (mut left, at_left) = channel::<u64>(64);
    let (mut right, at_right) = channel::<u64>(64);
    let (mut one, mut two) = (at_left.subscribe(), at_right.subscribe());
    let mut got = [0, 0];
    let mut tasks = Tasks::default();
    tasks.spawn(async {
        loop {
            let (mut a, mut b) = (one.recv_async(), two.recv_async());
            let winner = poll_fn(|cx| {
                // The end of one does not end the race.
                let first = poll_with(&mut a, cx.waker());
                let second = poll_with(&mut b, cx.waker());
                match (first, second) {
                    (Poll::Pending, Poll::Pending) => Poll::Pending,
                    answers => Poll::Ready(answers),
                }
            });
            let answers = winner.await;
            got[0] += u64::from(matches!(answers.0, Poll::Ready(Ok(_))));
            got[1] += u64::from(matches!(answers.1, Poll::Ready(Ok(_))));
            if matches!(answers, (Poll::Ready(Err(_)), Poll::Ready(Err(_)))) {
                break;
            }
        }
    });
    for n in 0..40 {
        left.publish(n);
        if n % 3 == 0 {
            right.publish(n);
        }
        if n % 2 == 0 {
            tasks.run();
        }
    }
    drop((left, right));
    tasks.run();
    drop(tasks);
    assert_eq!(got, [40, 14]);
}
