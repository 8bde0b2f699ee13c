//! A task that finds a message each time it asks lets others run all the same, and one that waits is not sent round for nothing.
#![cfg(all(feature = "stream", feature = "std", not(any(loom, shuttle))))]

#[path = "support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use executor::Tasks;
use futures_util::StreamExt;
use guard::ends;
use std::cell::Cell;
use std::future::Future;
use std::pin::Pin;
use tidings_ring::{Publisher, Subscriber, TryRecvError, channel, channel_bounded, value_channel};

/// Answers between two polls that are pending although there is a message.
const TURN: usize = 128;
const MESSAGES: usize = 1000;

fn ring() -> Subscriber<u64, tidings_ring::Gating> {
    let (mut publisher, subscribable) = channel_bounded(MESSAGES, 0);
    let subscriber = subscribable.subscribe();
    publisher.publish_batch(&[7; MESSAGES]);
    subscriber
}

fn values() -> tidings_ring::ValueSubscriber<u64> {
    let (publisher, subscribable) = value_channel(MESSAGES);
    let subscriber = subscribable.subscribe();
    (0..MESSAGES).for_each(|_| publisher.publish(7));
    subscriber
}

type Task = Pin<Box<dyn Future<Output = ()>>>;

/// Every way in which a task reads a ring to its end.
fn readers() -> Vec<Task> {
    let (mut taken, mut lent, mut waited) = (ring(), ring(), ring());
    let (mut cloned, mut borrowed) = (values(), values());
    let (mut streamed, mut told) = (ring().into_stream(), ring().into_lag_stream());
    vec![
        Box::pin(async move { while taken.recv_async().await.is_ok() {} }),
        Box::pin(async move { while lent.recv_ref_async().await.is_ok() {} }),
        Box::pin(async move { while cloned.recv_async().await.is_ok() {} }),
        Box::pin(async move { while borrowed.recv_ref_async().await.is_ok() {} }),
        Box::pin(async move { while streamed.next().await.is_some() {} }),
        Box::pin(async move { while told.next().await.is_some() {} }),
        Box::pin(async move {
            while waited.try_recv() != Err(TryRecvError::Closed) {
                waited.wait_async().await;
            }
        }),
    ]
}

#[test]
fn a_task_with_a_backlog_gives_way_now_and_then() {
    for reader in readers() {
        let mut tasks = Tasks::default();
        tasks.spawn(reader);
        assert_eq!((tasks.run(), tasks.unfinished()), (MESSAGES / TURN + 1, 0));
    }
}

/// The ring is never empty, because its reader fills it; another task ends that.
#[test]
fn a_ring_that_is_never_empty_starves_no_task() {
    async fn read(
        mut publisher: Publisher<u64>,
        mut subscriber: Subscriber<u64>,
        end: &Cell<bool>,
    ) {
        while !end.get() {
            publisher.publish(1);
            assert_eq!(subscriber.recv_async().await, Ok(1));
        }
    }
    ends(|| {
        let (publisher, subscribable) = channel(4);
        let (end, mut tasks) = (Cell::new(false), Tasks::default());
        tasks.spawn(read(publisher, subscribable.subscribe(), &end));
        tasks.spawn(async { end.set(true) });
        tasks.run();
        assert_eq!(tasks.unfinished(), 0);
    });
}

/// The same below a timeout, which is of the same task.
#[test]
#[cfg_attr(miri, ignore = "a runtime that polls the kernel")]
fn a_timeout_around_a_ring_that_is_never_empty_ends() {
    ends(|| {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build().unwrap();
        runtime.block_on(async {
            let (mut publisher, subscribable) = channel::<u64>(4);
            let mut subscriber = subscribable.subscribe();
            let busy = async {
                loop {
                    publisher.publish(1);
                    assert_eq!(subscriber.recv_async().await, Ok(1));
                }
            };
            let soon = std::time::Duration::from_millis(1);
            assert!(tokio::time::timeout(soon, busy).await.is_err());
        });
    });
}

/// Messages that are waited for one by one cost two polls each, however many there are.
#[test]
fn a_task_that_waits_is_polled_for_messages_only() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    let mut tasks = Tasks::default();
    tasks.spawn(async move { while subscriber.recv_async().await.is_ok() {} });
    assert_eq!(tasks.run(), 1);
    for n in 0..3 * TURN as u64 {
        publisher.publish(n);
        assert_eq!((tasks.run(), tasks.run()), (1, 0));
    }
    assert_eq!(tasks.wakes(), 3 * TURN);
}
