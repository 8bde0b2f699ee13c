//! The task's form of every wait, and the ends of their futures.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use counter::Counter;
use executor::{block_on, poll_once, poll_with};
use guard::ends;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::task::Poll;
use std::thread::scope;
use std::time::{Duration, Instant};
use tidings_ring::{RecvError, Ref, TryRecvError, channel, channel_bounded, event_channel};

const COUNT: u64 = if cfg!(miri) { 30 } else { 3_000 };

/// With `wait_async` a task's loop is told of each lag, as a thread's is.
#[test]
fn b21_a_task_that_waits_is_told_of_each_lag() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    (0..10).for_each(|n| publisher.publish(n));
    drop(publisher);
    let (mut got, mut lost) = (vec![], vec![]);
    block_on(async {
        loop {
            subscriber.wait_async().await;
            match subscriber.try_recv() {
                Ok(value) => got.push(value),
                Err(TryRecvError::Lagged { skipped }) => lost.push(skipped),
                Err(TryRecvError::Empty) => {}
                Err(TryRecvError::Closed) => break,
            }
        }
    });
    assert_eq!((got, lost), ((6..10).collect(), vec![6]));
}

/// A wait that is dropped, or was ready, keeps no waker and takes no message.
#[test]
fn f09_a_wait_leaves_nothing_behind() {
    let (count, waker) = Counter::with_waker();
    let idle = Arc::strong_count(&count);
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    let mut waiting = subscriber.wait_async();
    assert!(poll_with(&mut waiting, &waker).is_pending());
    drop(waiting);
    let mut lent = subscriber.recv_ref_async();
    assert!(poll_with(&mut lent, &waker).is_pending());
    drop(lent);
    assert_eq!((Arc::strong_count(&count), count.count()), (idle, 0));

    let mut waiting = subscriber.wait_async();
    assert!(poll_with(&mut waiting, &waker).is_pending());
    publisher.publish(1);
    assert_eq!(count.count(), 1);
    assert!(poll_with(&mut waiting, &waker).is_ready());
    assert!(
        poll_with(&mut waiting, &waker).is_ready(),
        "it may be asked again"
    );
    assert_eq!(Arc::strong_count(&count), idle);
    drop(waiting);
    assert_eq!(subscriber.total_received(), 0);
}

/// A message that a task borrows holds its slot across an await, and is not copied.
#[test]
fn a_task_borrows_messages_of_a_copying_ring() {
    ends(|| {
        let (mut publisher, subscribable) = channel_bounded::<[u64; 64]>(2, 0);
        let mut subscriber = subscribable.subscribe();
        scope(|scope| {
            scope.spawn(move || (0..COUNT).for_each(|n| publisher.publish([n; 64])));
            block_on(async {
                for n in 0..COUNT {
                    let lent = subscriber.recv_ref_async().await.unwrap();
                    std::future::ready(()).await;
                    assert_eq!((*lent, Ref::sequence(&lent)), ([n; 64], n));
                }
                assert_eq!(subscriber.recv_ref_async().await.err(), Some(RecvError));
            });
        });
    });
}

/// A cancelled borrow loses nothing, and the next one lends the same message.
#[test]
fn f04_a_cancelled_borrow_loses_nothing() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let mut subscriber = subscribable.subscribe();
    let mut lent = subscriber.recv_ref_async();
    assert!(poll_once(&mut lent).is_pending());
    publisher.publish(7);
    drop(lent);
    assert!(publisher.try_publish(8).is_err());
    let mut again = subscriber.recv_ref_async();
    let Poll::Ready(Ok(lent)) = poll_once(&mut again) else {
        panic!("the message is there");
    };
    assert_eq!(*lent, 7);
    assert!(publisher.try_publish(8).is_err(), "lent is not given back");
    drop((lent, again));
    assert!(publisher.try_publish(8).is_ok());
}

/// What a future does when it is polled after its end: goes on, or panics, as documented; no harm to the ring.
#[test]
fn a10_futures_polled_after_their_end_do_no_harm() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish_batch(&[0, 1]);
    let mut receive = subscriber.recv_async();
    assert_eq!(poll_once(&mut receive), Poll::Ready(Ok(0)));
    assert_eq!(poll_once(&mut receive), Poll::Ready(Ok(1)));
    assert!(poll_once(&mut receive).is_pending());
    drop(receive);

    let mut publish = publisher.publish_async(2);
    assert!(poll_once(&mut publish).is_ready());
    assert!(catch_unwind(AssertUnwindSafe(|| poll_once(&mut publish))).is_err());
    drop(publish);
    let mut lend = subscriber.recv_ref_async();
    assert!(poll_once(&mut lend).is_ready());
    assert!(catch_unwind(AssertUnwindSafe(|| poll_once(&mut lend).is_ready())).is_err());
    drop(lend);
    publisher.publish(3);
    assert!(subscriber.drain().eq(3..4));
}

/// An edit that panics in a poll has published nothing, and its future is at its end.
#[test]
fn b41_an_edit_that_panics_in_a_poll_publishes_nothing() {
    let (mut publisher, subscribable) = event_channel(2, || 0);
    let mut subscriber = subscribable.subscribe();
    let mut publish = publisher.publish_async(|_| panic!("no value"));
    let mut poll = || catch_unwind(AssertUnwindSafe(|| poll_once(&mut publish).is_ready()));
    assert!(poll().is_err() && poll().is_err());
    drop(publish);
    assert_eq!(
        (publisher.published(), subscriber.process(|_| ())),
        (0, None)
    );
    assert!(poll_once(&mut publisher.publish_async(|value| *value = 4)).is_ready());
    assert_eq!(subscriber.process(|value| *value), Some(4));
}

/// Deadlines of the forms in place: past ones refuse, without a call, and take what is there.
#[test]
fn deadlines_hold_in_place() {
    let (mut publisher, subscribable) = event_channel(1, || 0);
    let mut subscriber = subscribable.subscribe();
    let past = Instant::now();
    assert!(subscriber.recv_ref_deadline(past).is_err());
    assert!(publisher.publish_deadline(|value| *value = 1, past).is_ok());
    let refused = publisher.publish_deadline(|_| unreachable!("it is full"), past);
    assert!(refused.is_err());
    assert_eq!(
        subscriber.recv_ref_deadline(past).as_deref(),
        Ok(&1),
        "it is there"
    );
    let brief = Duration::from_millis(2);
    assert!(subscriber.recv_ref_deadline(past + brief).is_err());
    assert!(past.elapsed() >= brief);

    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let mut subscriber = subscribable.subscribe();
    assert!(!subscriber.wait_deadline(past) && subscriber.recv_ref_deadline(past).is_err());
    publisher.publish(1);
    assert!(subscriber.wait_deadline(past));
    assert_eq!(subscriber.recv_ref_deadline(past).as_deref(), Ok(&1));
}
