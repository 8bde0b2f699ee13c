//! Public bug reports of other asynchronous channels, tried on rings of many publishers and on rings of values.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "../../tidings-core/tests/support/wakers.rs"]
mod wakers;

use counter::Counter;
use executor::{Tasks, block_on, poll_once, poll_with};
use futures_util::{StreamExt, stream::FuturesUnordered};
use guard::ends;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::task::Poll;
use std::thread::scope;
use tidings_ring::{
    Builder, RecvError, ValuePublisher, ValueSubscriber, channel_mpmc, channel_mpmc_bounded,
    event_channel_mpmc, value_channel,
};
use wakers::{Act, calling_back};

const COUNT: u64 = if cfg!(miri) { 40 } else { 5_000 };

fn panics(body: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(body)).is_err()
}

/// As many wakes as messages and readers make, however fast a reader waits again.
#[test]
fn b24_wakes_are_as_many_as_messages() {
    async fn listen(mut subscriber: ValueSubscriber<u64>) {
        while subscriber.recv_ref_async().await.is_ok() {}
    }
    for readers in [1, 10, if cfg!(miri) { 20 } else { 500 }] {
        let (publisher, subscribable) = value_channel::<u64>(4);
        let mut tasks = Tasks::default();
        (0..readers).for_each(|_| tasks.spawn(listen(subscribable.subscribe())));
        assert_eq!(tasks.run(), readers);
        for n in 0..5 {
            publisher.clone().publish(n);
            assert_eq!((tasks.run(), tasks.run()), (readers, 0));
        }
        assert_eq!(tasks.wakes(), 5 * readers);
        drop(publisher);
        assert_eq!((tasks.run(), tasks.unfinished()), (readers, 0));
    }
}

/// One message in flight, there and back, between two tasks on two threads.
#[test]
fn f01_tasks_that_answer_each_other_never_stall() {
    ends(|| {
        let (ping, pings) = channel_mpmc_bounded::<u64>(1, 0);
        let (pong, pongs) = value_channel::<u64>(1);
        let (mut pings, mut pongs) = (pings.subscribe(), pongs.subscribe());
        scope(|scope| {
            scope.spawn(|| {
                block_on(async {
                    while let Ok(n) = pings.recv_async().await {
                        pong.publish_async(n).await;
                    }
                });
            });
            block_on(async {
                for n in 0..COUNT {
                    ping.publish_async(n).await;
                    assert_eq!(pongs.recv_async().await, Ok(n));
                }
            });
            drop(ping);
        });
    });
}

/// Publishes, subscribes, comes and goes within a call of the ring's.
fn meddling(publisher: &ValuePublisher<u64>, calls: &Arc<AtomicUsize>) -> std::task::Waker {
    let (publisher, calls) = (publisher.clone(), Arc::clone(calls));
    calling_back(move |_| {
        // Not without end: what it publishes may wake it.
        if calls.fetch_add(1, SeqCst) > 50 {
            return;
        }
        let mut fresh = publisher.subscribable().subscribe();
        assert!(poll_once(&mut fresh.recv_async()).is_pending());
        publisher.clone().publish(9);
        assert_eq!(fresh.resubscribe().try_recv(), Ok(9));
        publisher.clear();
    })
}

#[test]
fn f02_wakers_may_call_back() {
    ends(|| {
        let (publisher, subscribable) = value_channel::<u64>(4);
        let calls = Arc::new(AtomicUsize::new(0));
        let (one, two) = (
            meddling(&publisher, &calls),
            meddling(&publisher, &Arc::new(AtomicUsize::new(0))),
        );
        let mut waiting = subscribable.subscribe();
        let mut future = waiting.wait_async();
        // Making the clone publishes.
        assert!(poll_with(&mut future, &one).is_ready());
        calls.store(51, SeqCst);
        drop(future);
        while waiting.try_recv().is_ok() || waiting.pending() > 0 {}
        let mut future = waiting.recv_async();
        assert!(poll_with(&mut future, &one).is_pending());
        calls.store(0, SeqCst);
        publisher.publish(1);
        assert!(calls.load(SeqCst) > 0, "woken");
        let _ = poll_with(&mut future, &two);
        drop(future);
        drop((one, two));
        assert!(!subscribable.is_closed(), "this one is left");
        drop(publisher);
        assert!(subscribable.is_closed());
    });
}

/// The waker of a publisher that waits runs in a receive; it may receive, publish and end all.
#[test]
fn f02_a_publishers_waker_may_use_the_ring() {
    ends(|| {
        let (publisher, subscribable) = channel_mpmc_bounded::<u64>(1, 0);
        let mut subscriber = subscribable.subscribe();
        publisher.publish(0);
        let (other, place) = (publisher.clone(), subscribable.clone());
        let waker = calling_back(move |act| {
            if act == Act::Wake {
                assert!(other.try_publish(5).is_ok(), "there is room");
                assert!(other.clone().try_publish(6).is_err());
                let _ = place.subscribe();
            }
        });
        let mut full = publisher.publish_async(1);
        assert!(poll_with(&mut full, &waker).is_pending());
        assert_eq!(subscriber.try_recv(), Ok(0));
        assert!(poll_once(&mut full).is_pending(), "the waker took the room");
        assert_eq!(subscriber.try_recv(), Ok(5));
        assert!(poll_once(&mut full).is_ready());
        assert_eq!(subscriber.try_recv(), Ok(1));
    });
}

/// Whether its room came before or not: a publication that is dropped has claimed nothing, and takes no wake along.
#[test]
fn f04_a_cancelled_publication_was_never_there() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(1, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(0);
    let ((_, first), (count, second)) = (Counter::with_waker(), Counter::with_waker());
    let (mut a, mut b) = (publisher.publish_async(1), publisher.publish_async(2));
    assert!(poll_with(&mut a, &first).is_pending() && poll_with(&mut b, &second).is_pending());
    assert_eq!(subscriber.try_recv(), Ok(0));
    drop(a);
    assert_eq!(count.count(), 1);
    assert!(poll_with(&mut b, &second).is_ready());
    drop(b);
    assert!(subscriber.drain().eq([2]));
    assert_eq!((subscriber.total_aborted(), publisher.published()), (0, 2));
}

#[test]
fn f04_a_cancelled_edit_never_ran() {
    let (publisher, subscribable) = event_channel_mpmc(1, || 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(|value| *value = 1);
    let ran = AtomicUsize::new(0);
    let mut full = publisher.publish_async(|_: &mut i32| {
        ran.fetch_add(1, SeqCst);
    });
    assert!(poll_once(&mut full).is_pending());
    assert_eq!(subscriber.process(|value| *value), Some(1));
    drop(full);
    assert_eq!((ran.load(SeqCst), publisher.published()), (0, 1));
    assert!(publisher.try_publish(|value| *value = 2).is_ok());
    assert_eq!(subscriber.process(|value| *value), Some(2));
}

#[test]
fn f04_a_cancelled_receive_loses_nothing() {
    let (publisher, subscribable) = value_channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    for n in 0..20 {
        let mut first = subscriber.recv_async();
        assert!(poll_once(&mut first).is_pending());
        if n % 2 == 0 {
            drop(first);
            publisher.publish(n);
        } else {
            publisher.publish(n);
            drop(first);
        }
        let mut second = subscriber.recv_ref_async();
        let Poll::Ready(Ok(message)) = poll_once(&mut second) else {
            panic!("it is there");
        };
        assert_eq!(*message, n);
    }
}

/// A message wakes who waited before it, each once, and nobody who came after.
#[test]
fn f05_a_message_wakes_only_who_waited_before_it() {
    let (publisher, subscribable) = channel_mpmc::<u64>(2);
    let (mut one, mut two) = (subscribable.subscribe(), subscribable.subscribe());
    let ((early, first), (late, second)) = (Counter::with_waker(), Counter::with_waker());
    let mut a = one.recv_async();
    assert!(poll_with(&mut a, &first).is_pending());
    publisher.publish(0);
    assert_eq!(two.try_recv(), Ok(0));
    let mut b = two.recv_async();
    assert!(poll_with(&mut b, &second).is_pending());
    assert_eq!((early.count(), late.count()), (1, 0));
    publisher.clone().publish(1);
    assert_eq!((early.count(), late.count()), (1, 1));
    drop(publisher);
}

/// A crowd of publications of one handle, some of which are dropped at any moment: what was published is there once.
#[test]
fn f07_a_crowd_of_publications_of_one_handle_is_exact() {
    const CROWD: u64 = if cfg!(miri) { 12 } else { 250 };
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
    let mut subscriber = subscribable.subscribe();
    let done = AtomicU64::new(0);
    let mut crowd = FuturesUnordered::new();
    for n in 0..CROWD {
        let (publisher, done) = (&publisher, &done);
        crowd.push(async move {
            let mut publication = publisher.publish_async(n);
            if n % 3 == 0 {
                // Polled once, then dropped.
                if poll_once(&mut publication).is_pending() {
                    return;
                }
            } else {
                publication.await;
            }
            done.fetch_add(1, SeqCst);
        });
    }
    let mut seen = vec![0; CROWD as usize];
    block_on(async {
        loop {
            let next = crowd.next();
            let mut next = std::pin::pin!(next);
            let over = std::future::poll_fn(|cx| match next.as_mut().poll(cx) {
                Poll::Ready(None) => Poll::Ready(true),
                Poll::Ready(Some(())) | Poll::Pending => Poll::Ready(false),
            });
            if over.await {
                break;
            }
            subscriber.drain().for_each(|n| seen[n as usize] += 1);
        }
    });
    drop(crowd);
    subscriber.drain().for_each(|n| seen[n as usize] += 1);
    assert!(seen.iter().all(|times| *times <= 1));
    assert_eq!(seen.iter().sum::<u64>(), done.load(SeqCst));
    assert_eq!(publisher.published(), done.load(SeqCst));
    assert_eq!(subscriber.total_aborted(), 0);
}

#[test]
fn f09_a_dropped_future_frees_its_waker_at_once() {
    let (count, waker) = Counter::with_waker();
    let idle = Arc::strong_count(&count);
    macro_rules! leaves_nothing {
        ($future:expr) => {
            let mut waiting = Box::pin($future);
            let mut cx = std::task::Context::from_waker(&waker);
            assert!(waiting.as_mut().poll(&mut cx).is_pending());
            assert!(Arc::strong_count(&count) > idle);
            drop(waiting);
            assert_eq!((Arc::strong_count(&count), count.count()), (idle, 0));
        };
    }
    let (values, valuable) = value_channel::<u64>(1);
    let mut subscriber = valuable.subscribe();
    leaves_nothing!(subscriber.wait_async());
    drop(values);
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(1, 0);
    let waiting = subscribable.subscribe();
    leaves_nothing!(waiting.wait_async());
    publisher.publish(0);
    leaves_nothing!(publisher.publish_async(1));
    let (events, eventful) = event_channel_mpmc(1, || 0);
    let _waiting = eventful.subscribe();
    events.publish(|_| ());
    fn edit(_: &mut i32) {}
    leaves_nothing!(events.publish_async(edit));
    let _ = subscriber.try_recv();
}

/// A waker that panics fails the call that wakes it, when that has done all else; others are woken.
#[test]
fn b41_a_panicking_waker_fails_one_call_only() {
    let angry = calling_back(|act| assert!(act != Act::Wake, "the waker panics"));
    let (counts, calm) = Counter::with_waker();

    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(2, 0);
    let (mut one, mut two) = (subscribable.subscribe(), subscribable.subscribe());
    let (mut a, mut b) = (one.recv_async(), two.recv_async());
    assert!(poll_with(&mut a, &angry).is_pending() && poll_with(&mut b, &calm).is_pending());
    assert!(panics(|| publisher.publish(0)));
    assert_eq!((counts.count(), publisher.published()), (1, 1));
    assert_eq!(poll_once(&mut a), Poll::Ready(Ok(0)));
    drop((a, b));

    let mut a = one.recv_async();
    assert!(poll_with(&mut a, &angry).is_pending());
    assert!(panics(|| drop(publisher)), "the close wakes");
    drop(a);
    assert_eq!((one.recv(), two.recv()), (Err(RecvError), Ok(0)));

    let (events, eventful) = event_channel_mpmc(2, || 0);
    let mut reader = eventful.subscribe();
    let mut a = reader.recv_ref_async();
    assert!(poll_with(&mut a, &angry).is_pending());
    assert!(panics(|| events.publish(|value| *value = 5)));
    drop(a);
    assert_eq!(reader.process(|value| *value), Some(5));
    assert_eq!(reader.total_aborted(), 0, "the edit was done");

    let mut a = reader.recv_ref_async();
    assert!(poll_with(&mut a, &angry).is_pending());
    assert!(panics(|| drop(events.try_claim(1))), "giving up wakes too");
    drop(a);
    events.publish(|value| *value = 6);
    assert_eq!(reader.process(|value| *value), Some(6));
    assert_eq!(reader.total_aborted(), 1);
}

/// Every publisher of a full ring is woken by a panic elsewhere: the reader goes while it unwinds.
#[test]
fn b10_publications_go_on_when_their_reader_dies() {
    let builder = Builder::new(1);
    let (publisher, subscribable) = builder.gating_mpmc::<u64>().unwrap();
    let mut subscriber = subscribable.subscribe();
    publisher.publish(0);
    let (count, waker) = Counter::with_waker();
    let mut waiting: Vec<_> = (1..4).map(|n| publisher.publish_async(n)).collect();
    for future in &mut waiting {
        assert!(poll_with(future, &waker).is_pending());
    }
    assert!(panics(move || {
        let _message = subscriber.try_recv_ref();
        panic!("as asked");
    }));
    assert!(count.count() >= 3);
    for future in &mut waiting {
        assert!(poll_with(future, &waker).is_ready());
    }
}
