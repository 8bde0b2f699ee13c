//! Subscribers that come after others: graphs in one ring.
#![cfg(not(loom))]

use std::time::Duration;
use tidings_ring::{
    RecvError, SubscribeError, TryRecvError, channel_bounded, channel_mpmc_bounded, event_channel,
};

#[test]
fn a_message_is_seen_after_every_upstream_has_done_with_it() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let (mut left, mut right) = (subscribable.subscribe(), subscribable.subscribe());
    let mut join = subscribable
        .subscribe_after(&[left.upstream(), right.upstream()])
        .unwrap();
    publisher.publish(7);
    assert_eq!(join.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(left.try_recv(), Ok(7));
    assert_eq!(join.try_recv(), Err(TryRecvError::Empty));
    let lent = right.try_recv_ref().unwrap();
    assert_eq!(
        join.try_recv(),
        Err(TryRecvError::Empty),
        "it is still lent"
    );
    drop(lent);
    assert_eq!(join.try_recv(), Ok(7));
}

#[test]
fn done_means_that_the_closure_returned() {
    let (mut publisher, subscribable) = event_channel(4, || 0_u64);
    let mut first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    publisher.publish(|value| *value = 7);
    let inner = first.process(|_| second.process(|value| *value));
    assert_eq!(inner, Some(None), "the first one is in the middle of it");
    assert_eq!(second.process(|value| *value), Some(7));
}

#[test]
fn an_upstream_that_is_gone_is_not_waited_for() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    publisher.publish(1);
    let waits = std::thread::spawn(move || (second.recv(), second));
    drop(first);
    let (received, mut second) = waits.join().unwrap();
    assert_eq!(received, Ok(1));
    publisher.publish(2);
    assert_eq!(second.recv(), Ok(2));
}

#[test]
fn a_waiting_downstream_is_woken_by_its_upstream() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let mut first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    let reader = std::thread::spawn(move || second.iter().sum::<u64>());
    (1..=100).for_each(|n| {
        publisher.publish(n);
        assert_eq!(first.recv(), Ok(n));
    });
    drop(publisher);
    assert_eq!(reader.join().unwrap(), 5050);
}

#[test]
fn a_closed_ring_ends_a_graph_when_every_message_went_through() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let mut first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    publisher.publish(1);
    drop(publisher);
    assert_eq!(second.try_recv(), Err(TryRecvError::Empty));
    assert!(second.recv_timeout(Duration::from_millis(1)).is_err());
    assert_eq!(first.recv(), Ok(1));
    assert_eq!(second.recv(), Ok(1));
    assert_eq!(second.recv(), Err(RecvError));
    assert_eq!(first.recv(), Err(RecvError));
}

#[test]
fn the_last_of_a_chain_holds_the_publisher_back() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let mut first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    publisher.publish_batch(&[1, 2]);
    assert_eq!(first.recv_batch(&mut [0; 2]), 2);
    assert!(publisher.try_publish(3).is_err());
    assert_eq!(second.recv(), Ok(1));
    assert!(publisher.try_publish(3).is_ok());
    assert_eq!((second.latest(), first.latest()), (Some(2), Some(3)));
}

#[test]
fn the_upstream_must_be_of_the_same_ring() {
    let (_publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let (_other, elsewhere) = channel_bounded::<u64>(2, 0);
    let stranger = elsewhere.subscribe().upstream();
    let refused = subscribable.subscribe_after(&[stranger]).unwrap_err();
    assert_eq!(refused, SubscribeError::OtherRing);
}

#[test]
fn an_upstream_handle_may_outlive_everything() {
    let (publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let upstream = subscribable.subscribe().upstream();
    drop((publisher, subscribable));
    drop(upstream.clone());
}

#[test]
fn a_place_that_was_looked_at_is_not_given_to_another() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    drop(first);
    // A newcomer that reads nothing must not be taken for the one that left.
    let _newcomer = subscribable.subscribe();
    publisher.publish(1);
    assert_eq!(second.try_recv(), Ok(1));
}

#[test]
fn the_end_behind_a_tombstone_waits_for_the_upstream_too() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
    let mut first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    drop(publisher.claim(1).unwrap());
    drop(publisher);
    let moment = Duration::from_millis(1);
    assert!(
        !second.wait_timeout(moment),
        "nothing to say before the upstream has passed it"
    );
    assert_eq!(first.recv(), Err(RecvError));
    assert_eq!(second.recv(), Err(RecvError));
}
