//! Many publishers on one ring: claims, order, refusals, tombstones, and how the last one closes it.
#![cfg(not(loom))]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use tidings_ring::{
    Builder, RecvError, TryRecvError, channel_mpmc, channel_mpmc_bounded, event_channel_mpmc,
};

#[test]
fn clones_publish_into_one_stream() {
    let (publisher, subscribable) = channel_mpmc::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    let other = publisher.clone();
    assert!(publisher.same_channel(&other));
    publisher.publish(1);
    other.publish(2);
    publisher.publish_batch(&[3, 4]);
    assert_eq!(publisher.published(), 4);
    assert!(subscriber.drain().eq([1, 2, 3, 4]));
}

#[test]
fn a_lapped_subscriber_knows_what_it_lost() {
    for capacity in [1, 2, 3, 4, 7, 8] {
        let (publisher, subscribable) = channel_mpmc::<u64>(capacity);
        let mut subscriber = subscribable.subscribe();
        (0..capacity as u64 + 3).for_each(|n| publisher.publish(n));
        assert_eq!(
            subscriber.try_recv(),
            Err(TryRecvError::Lagged { skipped: 3 })
        );
        assert!(subscriber.drain().eq(3..capacity as u64 + 3));
        assert_eq!(
            (subscriber.total_lagged(), subscriber.cursor()),
            (3, capacity as u64 + 3)
        );
    }
}

#[test]
fn a_full_ring_refuses_and_leaves_no_hole() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    let other = publisher.clone();
    assert_eq!(publisher.try_publish_batch(&[0, 1, 2]), 2);
    assert_eq!(other.try_publish(9).unwrap_err().into_inner(), 9);
    assert!(other.publish_timeout(9, Duration::from_millis(1)).is_err());
    assert_eq!(publisher.published(), 2);
    assert_eq!(subscriber.try_recv(), Ok(0));
    assert!(other.try_publish(2).is_ok());
    assert!(subscriber.drain().eq([1, 2]));
}

#[test]
fn the_last_publisher_closes_the_ring() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    let other = publisher.clone();
    drop(publisher);
    other.publish(1);
    assert!(!subscriber.is_closed());
    drop(other);
    assert_eq!(subscriber.recv(), Ok(1));
    assert_eq!(subscriber.recv(), Err(RecvError));
    assert_eq!(
        subscribable.subscribe().try_recv(),
        Err(TryRecvError::Closed)
    );
}

#[test]
fn an_edit_that_panics_leaves_a_tombstone() {
    let (publisher, subscribable) = event_channel_mpmc(4, || 0);
    let mut subscriber = subscribable.subscribe();
    let edit = |value: &mut u64| {
        *value = 7;
        panic!("as asked");
    };
    publisher.publish(|value| *value = 1);
    assert!(catch_unwind(AssertUnwindSafe(|| publisher.publish(edit))).is_err());
    publisher.publish(|value| *value = 2);
    let mut seen = Vec::new();
    assert_eq!(
        subscriber.read_batch(9, |value, n| seen.push((n, *value))),
        2
    );
    assert_eq!(seen, [(0, 1), (2, 2)]);
    assert_eq!(
        (subscriber.total_received(), subscriber.total_aborted()),
        (2, 1)
    );
}

#[test]
fn a_tombstone_alone_is_nothing_to_receive() {
    let (publisher, subscribable) = event_channel_mpmc(4, || 0_u64);
    let mut subscriber = subscribable.subscribe();
    let edit = |_: &mut u64| panic!("as asked");
    let _ = catch_unwind(AssertUnwindSafe(|| publisher.publish(edit)));
    assert!(
        subscriber
            .recv_ref_timeout(Duration::from_millis(1))
            .is_err()
    );
    assert!(matches!(
        subscriber.try_recv_ref(),
        Err(TryRecvError::Empty)
    ));
    assert_eq!(subscriber.cursor(), 1);
    drop(publisher);
    assert!(matches!(subscriber.recv_ref(), Err(RecvError)));
}

#[test]
fn sequences_are_right_where_they_wrap() {
    for capacity in [1, 3, 4] {
        let start = u64::MAX - 5;
        let builder = Builder::new(capacity).first_sequence(start);
        let (publisher, subscribable) = builder.clone().gating_mpmc::<u64>().unwrap();
        let mut subscriber = subscribable.subscribe();
        for n in 0..40 {
            publisher.publish(n);
            assert_eq!(subscriber.try_recv(), Ok(n));
        }
        let (publisher, subscribable) = builder.lossy_mpmc::<u64>().unwrap();
        let mut subscriber = subscribable.subscribe();
        (0..40).for_each(|n| publisher.publish(n));
        let skipped = 40 - capacity as u64;
        assert_eq!(subscriber.try_recv(), Err(TryRecvError::Lagged { skipped }));
        assert!(subscriber.drain().eq(skipped..40));
    }
}

#[test]
fn latest_is_the_newest_that_is_there() {
    let (publisher, subscribable) = channel_mpmc::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    assert_eq!(subscriber.latest(), None);
    (0..6).for_each(|n| publisher.publish(n));
    assert_eq!(subscriber.latest(), Some(5));
    assert_eq!(subscriber.latest(), None);
    assert_eq!((subscriber.pending(), subscriber.total_lagged()), (0, 5));
}

/// Four publishers, three subscribers, a ring that is mostly full: every message once, in its publisher's order.
fn everything_arrives(capacity: usize, batch: usize) {
    const EACH: u64 = if cfg!(miri) { 40 } else { 5_000 };
    let (publisher, subscribable) = channel_mpmc_bounded::<[u64; 2]>(capacity, 0);
    let subscribers: Vec<_> = (0..3).map(|_| subscribable.subscribe()).collect();
    std::thread::scope(|scope| {
        for who in 0..4 {
            let publisher = publisher.clone();
            scope.spawn(move || {
                let messages: Vec<_> = (0..EACH).map(|n| [who, n]).collect();
                messages
                    .chunks(batch)
                    .for_each(|part| publisher.publish_batch(part));
            });
        }
        drop(publisher);
        for mut subscriber in subscribers {
            scope.spawn(move || {
                let mut next = [0; 4];
                for [who, n] in subscriber.iter() {
                    assert_eq!(n, next[who as usize], "the order of publisher {who}");
                    next[who as usize] += 1;
                }
                assert_eq!(next, [EACH; 4]);
            });
        }
    });
}

#[test]
fn nothing_is_lost_or_reordered() {
    everything_arrives(8, 1);
    everything_arrives(5, 3);
}

#[test]
fn nothing_is_lost_in_a_ring_of_one() {
    everything_arrives(1, 1);
}

#[test]
fn lossy_subscribers_of_many_publishers_account_for_everything() {
    const EACH: u64 = if cfg!(miri) { 40 } else { 20_000 };
    let (publisher, subscribable) = channel_mpmc::<[u64; 4]>(4);
    let mut subscriber = subscribable.subscribe();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let publisher = publisher.clone();
            scope.spawn(move || (0..EACH).for_each(|n| publisher.publish([n; 4])));
        }
        drop(publisher);
        scope.spawn(move || {
            while let Ok(message) = subscriber.recv() {
                assert_eq!(message, [message[0]; 4], "torn");
            }
            assert_eq!(subscriber.cursor(), 2 * EACH);
            assert_eq!(
                subscriber.total_received() + subscriber.total_lagged(),
                2 * EACH
            );
        });
    });
}
