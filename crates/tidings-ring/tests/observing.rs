//! What can be seen of a running ring: subscribers from outside, counts from inside.
#![cfg(not(loom))]

use tidings_ring::{
    Builder, ObservedContract, SubscriberState, channel, channel_bounded, channel_mpmc_bounded,
    event_channel, value_channel,
};

#[test]
fn an_observer_lists_who_gates_and_who_is_tracked() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let observer = subscribable.observer();
    let mut first = subscribable.subscribe();
    let second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    let tracked = subscribable.subscribe_tracked();
    let _unseen = subscribable.subscribe_lossy();
    publisher.publish_batch(&[1, 2, 3]);
    assert_eq!(first.recv_batch(&mut [0; 3]), 3);

    let seen = observer.subscribers();
    let told: Vec<_> = seen
        .iter()
        .map(|s| (Some(s.id), s.contract, s.cursor, s.lag))
        .collect();
    let after = ObservedContract::After { upstreams: 1 };
    assert_eq!(
        told,
        [
            (first.id(), ObservedContract::Gating, 3, 0),
            (second.id(), after, 0, 3),
            (tracked.id(), ObservedContract::Tracked, 0, 3),
        ]
    );
}

#[test]
fn an_observer_says_who_holds_the_publisher_back() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 1);
    let observer = subscribable.observer();
    assert_eq!((observer.room(), observer.slowest()), (3, None));
    let (slow, mut fast) = (subscribable.subscribe(), subscribable.subscribe());
    publisher.publish_batch(&[1, 2]);
    assert_eq!(fast.recv_batch(&mut [0; 2]), 2);
    assert_eq!(observer.room(), 1);
    assert_eq!(observer.slowest().unwrap().state, SubscriberState::Behind);
    publisher.publish(3);
    assert!(publisher.try_publish(4).is_err());
    let slowest = observer.slowest().unwrap();
    assert_eq!(
        (Some(slowest.id), slowest.state),
        (slow.id(), SubscriberState::Blocking)
    );
}

#[test]
fn states_follow_the_subscribers() {
    let (mut publisher, subscribable) = channel::<u64>(2);
    let mut tracked = subscribable.subscribe_tracked();
    let observer = subscribable.observer();
    let state = || observer.subscribers()[0].state;
    assert_eq!(state(), SubscriberState::CaughtUp);
    publisher.publish(1);
    assert_eq!(state(), SubscriberState::Behind);
    (0..2).for_each(|n| publisher.publish(n));
    assert_eq!(state(), SubscriberState::Overtaken);
    assert!(tracked.try_recv().is_err());
    assert_eq!(state(), SubscriberState::Behind);
    drop((tracked, publisher));
    assert!(observer.subscribers().is_empty() && observer.is_closed());
}

#[test]
fn a_twin_is_seen_as_itself() {
    let (_publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let first = subscribable.subscribe();
    let after = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    let twin = after.resubscribe();
    assert!(first.id() != twin.id() && after.id() != twin.id());
    let seen = subscribable.observer().subscribers();
    assert_eq!(seen[2].contract, ObservedContract::After { upstreams: 1 });
}

#[test]
fn cursors_are_right_where_sequences_wrap() {
    let builder = Builder::new(4).first_sequence(u64::MAX - 1);
    let (mut publisher, subscribable) = builder.gating::<u64>().unwrap();
    let _slow = subscribable.subscribe();
    publisher.publish_batch(&[1, 2, 3]);
    let seen = subscribable.observer().subscribers()[0];
    assert_eq!((seen.cursor, seen.lag), (u64::MAX - 1, 3));
    assert_eq!(publisher.metrics().published, 3);
}

#[test]
fn a_change_is_of_one_handle_and_never_underflows() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
    let (mut one, two) = (subscribable.subscribe(), subscribable.subscribe());
    let (before, empty) = (one.metrics(), publisher.metrics());
    publisher.publish_batch(&[1, 2]);
    assert_eq!(one.recv_batch(&mut [0; 2]), 2);
    let change = one.metrics().since(&before).unwrap();
    assert_eq!((change.received, change.lagged, change.aborted), (2, 0, 0));
    assert!(before.since(&one.metrics()).is_none());
    assert!(two.metrics().since(&before).is_none());
    assert!(one.resubscribe().metrics().since(&before).is_none());
    assert_eq!(publisher.clone().metrics().since(&empty), Some(2));
    assert_eq!(empty.since(&publisher.metrics()), None);
}

#[test]
fn every_kind_of_handle_has_metrics_that_can_be_read() {
    let (mut events, subscribable) = event_channel(2, || 0);
    let mut event = subscribable.subscribe();
    events.publish(|value| *value = 1);
    event.process(|_| ());
    assert_eq!(events.metrics().to_string(), "published 1, capacity 2");
    assert_eq!(
        event.metrics().to_string(),
        "received 1, lost 0, aborted 0, pending 0"
    );
    let (values, subscribable) = value_channel(2);
    let mut value = subscribable.subscribe();
    (0..3).for_each(|n| values.publish(n));
    let _ = value.try_recv();
    assert_eq!(value.metrics().lagged, 1);
    assert_eq!(value.metrics().receive_ratio(), 0.0);
}

#[cfg(feature = "latency")]
#[test]
fn latencies_are_recorded_joined_and_told() {
    use std::time::Duration;
    use tidings_ring::latency::{Latency, Moment};
    let (mut one, mut two) = (Latency::new(), Latency::new());
    (1..=99).for_each(|n| one.record(Duration::from_micros(n)));
    two.record(Duration::from_secs(7200));
    one.add(&two);
    assert_eq!(one.len(), 100);
    let median = one.quantile(0.5);
    assert!(median >= Duration::from_micros(50) && median < Duration::from_micros(51));
    assert!(one.max() >= Duration::from_secs(3600) && one.max() < Duration::from_secs(3610));
    let sooner = Moment::now();
    assert!(Moment::now() >= sooner);
    one.clear();
    assert!(one.is_empty());
}
