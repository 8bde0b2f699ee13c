//! Wakers that call back into the ring that wakes, clones or drops them; and real runtimes.
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
use executor::{poll_once, poll_with};
use guard::ends;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::Waker;
use tidings_ring::{
    Gating, Publisher, RecvError, Subscribable, Subscriber, channel, channel_bounded, event_channel,
};
use wakers::{Act, calling_back};

const COUNT: u64 = if cfg!(miri) { 30 } else { 3_000 };

/// A ring that a waker can reach, and one subscriber for it to lose.
struct Within {
    publisher: Mutex<Option<Publisher<u64, Gating>>>,
    subscribable: Subscribable<u64, Gating>,
    subscriber: Mutex<Option<Subscriber<u64, Gating>>>,
    calls: AtomicUsize,
}

impl Within {
    /// A ring of four with nothing in it, and the waker that uses it.
    fn new() -> (Arc<Self>, Waker) {
        let (publisher, subscribable) = channel_bounded(4, 0);
        let within = Arc::new(Self {
            subscriber: Mutex::new(Some(subscribable.subscribe())),
            publisher: Mutex::new(Some(publisher)),
            subscribable,
            calls: AtomicUsize::new(0),
        });
        let ring = Arc::downgrade(&within);
        let waker = calling_back(move |act| {
            if let Some(ring) = ring.upgrade() {
                ring.meddle(act);
            }
        });
        (within, waker)
    }

    /// Publishes, subscribes, waits and drops, all from within a call of the ring's.
    fn meddle(&self, _: Act) {
        self.calls.fetch_add(1, SeqCst);
        // What the caller of the ring holds is not there for the taking.
        if let Ok(mut publisher) = self.publisher.try_lock() {
            if let Some(publisher) = publisher.as_mut() {
                let _ = publisher.try_publish(9);
                let _ = poll_once(&mut publisher.publish_async(9));
            }
        }
        let mut fresh = self.subscribable.subscribe();
        assert!(poll_once(&mut fresh.recv_async()).is_pending());
        drop(fresh.resubscribe());
        if let Ok(mut subscriber) = self.subscriber.try_lock() {
            drop(subscriber.take());
        }
    }
}

/// A waker may do to the ring what it likes while it is cloned, replaced, woken or dropped.
#[test]
fn f02_wakers_may_call_back() {
    ends(|| {
        let (within, waker) = Within::new();
        let mut waiting = within.subscribable.subscribe();
        let mut future = waiting.recv_async();
        // Its clone publishes, so that the poll which made the clone is ready.
        assert!(poll_with(&mut future, &waker).is_ready());
        assert!(within.subscriber.lock().unwrap().is_none());

        drop(future);
        assert_eq!(
            waiting.drain().count() as u64 + 1,
            within.subscribable.published()
        );
        let mut future = waiting.recv_async();
        let mut publisher = within.publisher.lock().unwrap();
        assert!(poll_with(&mut future, &waker).is_pending());
        let before = within.calls.load(SeqCst);
        publisher.as_mut().unwrap().publish(1);
        assert!(within.calls.load(SeqCst) > before, "woken");
        assert!(poll_with(&mut future, &waker).is_ready());
        assert!(poll_with(&mut future, &waker).is_pending());
        drop(publisher);
        // Dropped for another one it publishes again.
        assert!(poll_once(&mut future).is_ready());
        drop(future);
    });
}

/// Woken by a publish, a waker publishes and subscribes; the outer publish goes on.
#[test]
fn f02_a_woken_waker_may_subscribe_and_receive() {
    ends(|| {
        let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
        let held = Arc::new(Mutex::new(subscribable.subscribe()));
        let (place, inner) = (subscribable.clone(), Arc::clone(&held));
        let waker = calling_back(move |act| {
            if act == Act::Wake {
                assert_eq!(inner.lock().unwrap().try_recv(), Ok(1));
                assert!(place.subscribe().try_recv().is_err());
            }
        });
        let mut waiting = subscribable.subscribe();
        let mut future = waiting.recv_async();
        assert!(poll_with(&mut future, &waker).is_pending());
        publisher.publish(1);
        assert_eq!(held.lock().unwrap().total_received(), 1);
    });
}

/// The waker of a full ring's publisher runs inside a receive, and may receive itself.
#[test]
fn f02_a_publishers_waker_may_receive() {
    ends(|| {
        let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
        let mut subscriber = subscribable.subscribe();
        let other = Arc::new(Mutex::new(subscribable.subscribe()));
        publisher.publish(0);
        let inner = Arc::clone(&other);
        let waker = calling_back(move |act| {
            if act == Act::Wake {
                let _ = inner.lock().unwrap().try_recv();
            }
        });
        let mut full = publisher.publish_async(1);
        assert!(poll_with(&mut full, &waker).is_pending());
        assert_eq!(subscriber.try_recv(), Ok(0));
        assert_eq!(other.lock().unwrap().total_received(), 1);
        assert!(poll_with(&mut full, &waker).is_ready());
    });
}

/// A waker that panics passes through; its message is published, others are woken, the ring goes on.
#[test]
fn a_panicking_waker_fails_one_call_only() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut subscribers = [(); 3].map(|()| subscribable.subscribe());
    let (counts, calm) = Counter::with_waker();
    let angry = calling_back(|act| assert!(act != Act::Wake, "the waker panics"));
    let mut futures = subscribers
        .each_mut()
        .map(|subscriber| subscriber.recv_async());
    for (future, waker) in futures.iter_mut().zip([&calm, &angry, &calm]) {
        assert!(poll_with(future, waker).is_pending());
    }
    let failed = catch_unwind(AssertUnwindSafe(|| publisher.publish(0)));
    assert!(failed.is_err());
    assert_eq!((counts.count(), publisher.published()), (2, 1));
    drop(futures);
    publisher.publish(1);
    for subscriber in &mut subscribers {
        assert!(subscriber.drain().eq(0..2));
    }
}

/// The same inside a batch, an edit and a receive that frees the publisher.
#[test]
fn a_panicking_waker_leaves_every_other_operation_whole() {
    let angry = calling_back(|act| assert!(act != Act::Wake, "the waker panics"));
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let (mut one, mut two) = (subscribable.subscribe(), subscribable.subscribe());
    let mut future = one.recv_async();
    assert!(poll_with(&mut future, &angry).is_pending());
    assert!(catch_unwind(AssertUnwindSafe(|| publisher.publish_batch(&[0, 1]))).is_err());
    drop(future);
    // What was announced when the waker panicked is there, the rest was not published.
    assert!(one.drain().eq(0..publisher.published()));
    while publisher.try_publish(9).is_ok() {}
    assert_eq!((one.drain().count() > 0, one.cursor()), (true, 2));
    let mut full = publisher.publish_async(7);
    assert!(poll_with(&mut full, &angry).is_pending());
    assert!(catch_unwind(AssertUnwindSafe(|| two.try_recv())).is_err());
    assert_eq!(
        (two.cursor(), two.total_received()),
        (1, 1),
        "the message counts as received"
    );
    assert!(poll_with(&mut full, &angry).is_ready());
    assert_eq!(two.drain().last(), Some(7));

    let (mut publisher, subscribable) = event_channel(2, || 0);
    let mut subscriber = subscribable.subscribe();
    let mut future = subscriber.recv_ref_async();
    assert!(poll_with(&mut future, &angry).is_pending());
    assert!(catch_unwind(AssertUnwindSafe(|| publisher.publish(|value| *value = 5))).is_err());
    drop(future);
    assert_eq!(subscriber.process(|value| *value), Some(5));
}

async fn publish(mut publisher: Publisher<u64, Gating>) {
    for n in 0..COUNT {
        publisher.publish_async(n).await;
    }
}

async fn listen(mut subscriber: Subscriber<u64, Gating>) {
    for n in 0..COUNT {
        assert_eq!(subscriber.recv_async().await, Ok(n));
    }
    assert_eq!(subscriber.recv_async().await, Err(RecvError));
}

async fn run(readers: usize) {
    let (publisher, subscribable) = channel_bounded::<u64>(4, 1);
    let readers: Vec<_> = (0..readers)
        .map(|_| tokio::spawn(listen(subscribable.subscribe())))
        .collect();
    tokio::spawn(publish(publisher)).await.unwrap();
    for reader in readers {
        reader.await.unwrap();
    }
}

#[test]
#[cfg_attr(miri, ignore = "a runtime that polls the kernel")]
fn tokio_on_one_thread_drives_the_futures() {
    ends(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.unwrap().block_on(run(8));
    });
}

#[test]
#[cfg_attr(miri, ignore = "a runtime that polls the kernel")]
fn tokio_on_many_threads_drives_the_futures() {
    ends(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(3)
            .build();
        runtime.unwrap().block_on(run(8));
    });
}

/// A select between a message and a stop: however often the message loses, none is lost.
#[test]
#[cfg_attr(miri, ignore = "a runtime that polls the kernel")]
fn select_loses_no_message() {
    async fn race() {
        let (publisher, subscribable) = channel_bounded::<u64>(4, 0);
        let mut subscriber = subscribable.subscribe();
        let publishing = tokio::spawn(publish(publisher));
        let mut next = 0;
        loop {
            tokio::select! {
                message = subscriber.recv_async() => match message {
                    Ok(n) => {
                        assert_eq!(n, next);
                        next += 1;
                    }
                    Err(RecvError) => break,
                },
                () = tokio::task::yield_now() => {}
            }
        }
        assert_eq!(next, COUNT);
        publishing.await.unwrap();
    }
    ends(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .build();
        runtime.unwrap().block_on(race());
    });
}

/// A task that is aborted while it waits, or while it holds a message, frees the publisher.
#[test]
#[cfg_attr(miri, ignore = "a runtime that polls the kernel")]
fn b10_an_aborted_task_frees_the_publisher() {
    async fn hold(mut subscriber: Subscriber<u64, Gating>) {
        let _first = subscriber.recv_ref().unwrap();
        std::future::pending::<()>().await;
    }
    ends(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .build()
            .unwrap();
        runtime.block_on(async {
            let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
            publisher.publish(0);
            let holder = tokio::spawn(hold(subscribable.subscribe_from_oldest()));
            tokio::task::yield_now().await;
            holder.abort();
            publisher.publish_async(1).await;
            assert_eq!(publisher.published(), 2);
        });
    });
}
