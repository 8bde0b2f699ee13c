//! Steady flow allocates nothing. Alone in its binary, because the allocator is the whole binary's; it is that of the core's tests.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/allocations.rs"]
mod allocations;
#[path = "support/executor.rs"]
mod executor;

use allocations::allocations;
use executor::poll_once;
use std::sync::mpsc;
use std::task::Poll;
use std::thread::scope;
use std::time::Duration;
use tidings_ring::{Builder, WaitStrategy, channel, channel_bounded, event_channel};

/// What `round` allocates in a hundred runs, once it is warm.
fn steady(mut round: impl FnMut()) -> usize {
    (0..3).for_each(|_| round());
    allocations(|| (0..100).for_each(|_| round()))
}

#[test]
fn publishing_and_receiving_copies_allocates_nothing() {
    let (mut publisher, subscribable) = channel::<[u64; 20]>(7);
    let mut subscriber = subscribable.subscribe();
    let mut lagging = subscribable.subscribe();
    assert_eq!(
        steady(|| {
            (0..5).for_each(|n| publisher.publish([n; 20]));
            publisher.publish_batch(&[[5; 20]; 2]);
            assert_eq!(subscriber.drain().count(), 7);
            publisher.publish_with(|| [7; 20]);
            assert_eq!(subscriber.recv_batch(&mut [[0; 20]; 4]), 1);
            let _ = (lagging.try_recv(), lagging.latest());
        }),
        0
    );
}

#[test]
fn gating_flow_allocates_nothing() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(5, 1);
    let mut subscriber = subscribable.subscribe();
    assert_eq!(
        steady(|| {
            assert_eq!(publisher.try_publish_batch(&[1; 9]), 4);
            assert!(publisher.try_publish(1).is_err());
            assert_eq!(subscriber.read_batch(2, |_, _| ()), 2);
            assert!(subscriber.recv_ref().is_ok() && subscriber.recv().is_ok());
        }),
        0
    );
}

#[test]
fn gates_that_come_and_go_allocate_nothing_new() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(5, 0);
    assert_eq!(
        steady(|| {
            let mut subscribers = [(); 8].map(|()| subscribable.subscribe());
            publisher.publish(1);
            assert!(
                subscribers
                    .iter_mut()
                    .all(|subscriber| subscriber.recv() == Ok(1))
            );
            assert!(subscribable.subscribe_lossy().try_recv().is_err());
        }),
        0
    );
}

#[test]
fn in_place_flow_allocates_what_its_values_do_and_no_more() {
    let (mut publisher, subscribable) = event_channel(3, || String::with_capacity(32));
    let mut subscriber = subscribable.subscribe();
    assert_eq!(
        steady(|| {
            for n in 0..3_u8 {
                publisher.publish(|text| {
                    text.clear();
                    text.push(char::from(b'0' + n));
                });
            }
            assert_eq!(subscriber.process(|text| text.len()), Some(1));
            assert_eq!(subscriber.read_batch(9, |_, _| ()), 2);
        }),
        0
    );
}

#[test]
fn tasks_wait_without_allocating_once_warm() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let mut subscriber = subscribable.subscribe();
    assert_eq!(
        steady(|| {
            let mut waiting = subscriber.recv_async();
            assert!(poll_once(&mut waiting).is_pending());
            publisher.publish(1);
            assert_eq!(poll_once(&mut waiting), Poll::Ready(Ok(1)));
            drop(waiting);
            publisher.publish(2);
            let mut full = publisher.publish_async(3);
            assert!(poll_once(&mut full).is_pending());
            assert_eq!(subscriber.try_recv(), Ok(2));
            assert!(poll_once(&mut full).is_ready());
            drop(full);
            assert_eq!(subscriber.try_recv(), Ok(3));
            drop(subscriber.recv_async());
        }),
        0
    );
}

#[test]
fn waits_that_time_out_allocate_nothing() {
    for strategy in [WaitStrategy::ADAPTIVE, WaitStrategy::Park] {
        let (mut publisher, subscribable) = Builder::new(1).wait(strategy).gating::<u64>().unwrap();
        let mut subscriber = subscribable.subscribe();
        let brief = Duration::from_micros(20);
        assert_eq!(
            steady(|| {
                assert!(subscriber.recv_timeout(brief).is_err());
                publisher.publish(1);
                assert!(publisher.publish_timeout(2, brief).is_err());
                assert_eq!(subscriber.recv_timeout(brief), Ok(1));
            }),
            0
        );
    }
}

/// Two threads that make each other sleep and wake each other, each counting for itself.
#[test]
fn threads_wait_for_each_other_without_allocating() {
    let builder = Builder::new(1).wait(WaitStrategy::Park);
    let (mut ping, pinged) = builder.gating::<u64>().unwrap();
    let (mut pong, ponged) = builder.gating::<u64>().unwrap();
    let (mut pinged, mut ponged) = (pinged.subscribe(), ponged.subscribe());
    let (result, counted) = mpsc::channel();
    scope(|scope| {
        scope.spawn(move || {
            let echo = || pinged.recv().into_iter().for_each(|n| pong.publish(n));
            result.send(steady(echo)).unwrap();
        });
        let here = steady(|| {
            ping.publish(1);
            assert_eq!(ponged.recv(), Ok(1));
        });
        assert_eq!((here, counted.recv().unwrap()), (0, 0));
    });
}
