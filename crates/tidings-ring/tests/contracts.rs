//! The two contracts, seen from outside: what is delivered, what is lost, and what is said of it.

use tidings_ring::{Builder, TryRecvError, channel, channel_bounded, event_channel};

#[test]
fn a_lossy_subscriber_learns_exactly_what_it_lost() {
    for (published, skipped) in [(4, 0), (5, 1), (6, 2), (100, 96)] {
        let (mut publisher, subscribable) = channel::<u64>(4);
        let mut subscriber = subscribable.subscribe();
        (0..published).for_each(|n| publisher.publish(n));

        if skipped > 0 {
            assert_eq!(subscriber.try_recv(), Err(TryRecvError::Lagged { skipped }));
        }
        let rest: Vec<_> = subscriber.drain().collect();
        assert_eq!(rest, (published - 4..published).collect::<Vec<_>>());
        assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
        assert_eq!(
            (subscriber.total_received(), subscriber.total_lagged()),
            (4, skipped)
        );
    }
}

#[test]
fn a_gating_subscriber_holds_the_publisher_back_until_it_reads_or_goes() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 1);
    let mut subscriber = subscribable.subscribe();
    assert_eq!(
        publisher.try_publish_batch(&[0, 1, 2, 3, 4]),
        3,
        "capacity less watermark"
    );
    assert_eq!(publisher.try_publish(3).unwrap_err().into_inner(), 3);
    assert_eq!(subscriber.try_recv(), Ok(0));
    assert!(publisher.try_publish(3).is_ok());
    assert!(publisher.try_publish(4).is_err());
    drop(subscriber);
    assert_eq!(publisher.try_publish_batch(&[4, 5, 6, 7]), 4);
}

#[test]
fn every_message_survives_the_publisher() {
    for capacity in [1, 2, 3, 8] {
        let (mut publisher, subscribable) = channel::<u64>(capacity);
        let mut subscriber = subscribable.subscribe();
        (0..capacity as u64 + 3).for_each(|n| publisher.publish(n));
        drop(publisher);
        assert_eq!(
            subscriber.try_recv(),
            Err(TryRecvError::Lagged { skipped: 3 })
        );
        let rest: Vec<_> = (&mut subscriber).into_iter().collect();
        assert_eq!(rest, (3..capacity as u64 + 3).collect::<Vec<_>>());
        assert_eq!(subscriber.try_recv(), Err(TryRecvError::Closed));
        assert_eq!(subscriber.try_recv(), Err(TryRecvError::Closed));
        assert_eq!(
            subscribable.subscribe().try_recv(),
            Err(TryRecvError::Closed)
        );
    }
}

#[test]
fn threads_that_gate_get_every_message_in_order() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(16, 0);
    let subscribers: Vec<_> = (0..4).map(|_| subscribable.subscribe()).collect();
    let count = if cfg!(miri) { 200 } else { 20_000 };
    std::thread::scope(|scope| {
        for subscriber in subscribers {
            scope.spawn(move || {
                assert!(subscriber.into_iter().eq(0..count));
            });
        }
        (0..count).for_each(|n| publisher.publish(n));
        drop(publisher);
    });
}

#[test]
fn an_in_place_ring_lends_what_was_edited() {
    let (mut publisher, subscribable) = event_channel(2, Vec::new);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(|list| list.push(1));
    publisher.publish(|list| list.push(2));
    assert!(publisher.try_publish(|list| list.push(3)).is_err());
    assert_eq!(subscriber.process(|list| list.clone()), Some(vec![1]));
    publisher.publish(|list| list.push(3));
    assert_eq!(subscriber.process(|list| list.clone()), Some(vec![2]));
    assert_eq!(*subscriber.recv_ref().unwrap(), [1, 3]);
    drop(publisher);
    assert!(subscriber.recv_ref().is_err());
}

#[test]
fn sequences_that_wrap_change_nothing() {
    for first in [0, (1 << 63) - 5, u64::MAX - 4] {
        for capacity in [1, 3, 4] {
            let (mut publisher, subscribable) = Builder::new(capacity)
                .first_sequence(first)
                .lossy::<u64>()
                .unwrap();
            let mut subscriber = subscribable.subscribe();
            let mut late = subscribable.subscribe();
            for n in 0..20 {
                publisher.publish(n);
                assert_eq!(subscriber.try_recv(), Ok(n));
            }
            let skipped = 20 - capacity as u64;
            assert_eq!(late.try_recv(), Err(TryRecvError::Lagged { skipped }));
            assert!(late.drain().eq(skipped..20));
            drop(publisher);
            assert_eq!(subscriber.try_recv(), Err(TryRecvError::Closed));
        }
    }
}
