//! Waiting for one of several, as a thread and as a task; and the word that ends it all.
#![cfg(not(loom))]

use std::future::Future;
use std::pin::pin;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};
use tidings_ring::{
    Shutdown, channel, channel_bounded, event_channel, select, select_async, select_deadline,
    select_timeout, value_channel,
};

const SOON: Duration = Duration::from_millis(1);

#[test]
fn whatever_is_ready_is_found_at_once() {
    let (mut copies, subscribable) = channel::<u64>(4);
    let mut copy = subscribable.subscribe();
    let (mut events, subscribable) = event_channel(4, || 0);
    let mut event = subscribable.subscribe();
    let (values, subscribable) = value_channel::<u64>(4);
    let mut value = subscribable.subscribe();
    assert_eq!(select_timeout([&copy, &event, &value], SOON), None);
    events.publish(|value| *value = 1);
    assert_eq!(select([&copy, &event, &value]), 1);
    event.process(|_| ());
    values.publish(2);
    assert_eq!(select([&copy, &event, &value]), 2);
    assert_eq!(value.try_recv(), Ok(2));
    copies.publish(3);
    assert_eq!(
        select_deadline([&copy, &event, &value], Instant::now()),
        Some(0)
    );
    assert_eq!(copy.try_recv(), Ok(3));
}

#[test]
fn an_end_and_a_loss_are_something_to_say() {
    let (mut one, subscribable) = channel::<u64>(1);
    let mut lossy = subscribable.subscribe();
    let (two, subscribable) = channel::<u64>(1);
    let ended = subscribable.subscribe();
    drop(two);
    assert_eq!(select([&lossy, &ended]), 1);
    one.publish(1);
    one.publish(2);
    assert_eq!(select([&lossy]), 0);
    assert!(lossy.try_recv().is_err());
}

#[test]
fn a_thread_that_waits_is_woken_by_any_of_them() {
    for which in 0..3 {
        let (mut copies, subscribable) = channel_bounded::<u64>(4, 0);
        let copy = subscribable.subscribe();
        let (values, subscribable) = value_channel::<u64>(4);
        let value = subscribable.subscribe();
        let shutdown = Shutdown::new();
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| select([&copy, &value, &shutdown]));
            match which {
                0 => copies.publish(1),
                1 => values.publish(1),
                _ => shutdown.trigger(),
            }
            assert_eq!(waits.join().unwrap(), which);
        });
    }
}

#[test]
fn none_starves() {
    let (mut one, subscribable) = channel::<u64>(4);
    let first = subscribable.subscribe();
    let (mut two, subscribable) = channel::<u64>(4);
    let second = subscribable.subscribe();
    one.publish(1);
    two.publish(1);
    let mut seen = [0; 2];
    (0..100).for_each(|_| seen[select([&first, &second])] += 1);
    assert!(seen.iter().all(|&seen| seen > 0), "{seen:?}");
}

struct Count(AtomicUsize);

impl Wake for Count {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// Trial F09.
#[test]
fn a_task_waits_without_being_woken_for_nothing_and_takes_its_wakers_back() {
    let (mut one, subscribable) = channel::<u64>(4);
    let first = subscribable.subscribe();
    let (_two, subscribable) = channel::<u64>(4);
    let second = subscribable.subscribe();
    let count = Arc::new(Count(AtomicUsize::new(0)));
    let waker = Waker::from(Arc::clone(&count));
    let mut cx = Context::from_waker(&waker);
    {
        let mut waiting = pin!(select_async([&first, &second]));
        assert_eq!(waiting.as_mut().poll(&mut cx), Poll::Pending);
        assert_eq!(Arc::strong_count(&count), 4, "one waker with each ring");
        assert_eq!(count.0.load(SeqCst), 0);
        one.publish(1);
        assert_eq!(count.0.load(SeqCst), 1);
        assert_eq!(waiting.as_mut().poll(&mut cx), Poll::Ready(0));
    }
    assert_eq!(Arc::strong_count(&count), 2);
}

#[test]
fn shutdown_reaches_threads_and_tasks_and_stays() {
    let shutdown = Shutdown::new();
    assert!(!shutdown.is_shutdown() && !shutdown.wait_timeout(SOON));
    assert!(!shutdown.wait_deadline(Instant::now()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| shutdown.wait());
        scope.spawn(|| runtime.block_on(shutdown.wait_async()));
        shutdown.clone().trigger();
    });
    shutdown.trigger();
    assert!(shutdown.is_shutdown() && shutdown.wait_timeout(SOON));
    assert_eq!(format!("{shutdown:?}"), "Shutdown { is_shutdown: true }");
}

#[test]
fn a_loop_over_two_rings_gets_everything() {
    const EACH: u64 = if cfg!(miri) { 30 } else { 3_000 };
    let (mut one, subscribable) = channel_bounded::<u64>(4, 0);
    let mut first = subscribable.subscribe();
    let (mut two, subscribable) = channel_bounded::<u64>(4, 0);
    let mut second = subscribable.subscribe();
    std::thread::scope(|scope| {
        scope.spawn(move || (0..EACH).for_each(|n| one.publish(n)));
        scope.spawn(move || (0..EACH).for_each(|n| two.publish(n)));
        let (mut sums, mut left) = ([0; 2], 2 * EACH);
        while left > 0 {
            let which = select([&first, &second]);
            let received = [&mut first, &mut second][which].try_recv();
            if let Ok(n) = received {
                sums[which] += n;
                left -= 1;
            }
            if first.total_received() == EACH || second.total_received() == EACH {
                break;
            }
        }
        sums[0] += first.iter().sum::<u64>();
        sums[1] += second.iter().sum::<u64>();
        assert_eq!(sums, [EACH * (EACH - 1) / 2; 2]);
    });
}
