//! Waits of threads on copying rings: however the other side goes on or ends, none is left asleep.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use guard::ends;
use std::sync::{Barrier, mpsc};
use std::thread::{self, scope};
use std::time::{Duration, Instant};
use tidings_ring::{Builder, Gating, Subscriber, WaitStrategy, channel_bounded};

const ROUNDS: u64 = if cfg!(miri) { 3 } else { 300 };

/// Runs `act` once the publisher waits on a full ring, as well as a test can know.
fn while_blocked(strategy: WaitStrategy, act: impl FnOnce(Subscriber<u64, Gating>) + Send) {
    let builder = Builder::new(2).wait(strategy);
    let (mut publisher, subscribable) = builder.gating::<u64>().unwrap();
    let subscriber = subscribable.subscribe();
    publisher.publish_batch(&[0, 1]);
    let full = Barrier::new(2);
    scope(|scope| {
        scope.spawn(|| {
            assert!(publisher.try_publish(2).is_err());
            full.wait();
            publisher.publish_batch(&[2, 3, 4]);
            assert_eq!(publisher.published(), 5);
        });
        full.wait();
        (0..50).for_each(|_| thread::yield_now());
        act(subscriber);
    });
}

const STRATEGIES: [WaitStrategy; 6] = [
    WaitStrategy::ADAPTIVE,
    WaitStrategy::Park,
    WaitStrategy::Yield,
    WaitStrategy::Backoff,
    WaitStrategy::Spin,
    WaitStrategy::BusySpin,
];

/// However the last one who gates goes, the publisher that waits for it goes on.
#[test]
fn b10_a_dying_subscriber_frees_the_publisher() {
    ends(|| {
        for strategy in STRATEGIES {
            while_blocked(strategy, drop);
            while_blocked(strategy, |subscriber| {
                let reading = thread::spawn(move || {
                    let _held = subscriber;
                    std::panic::resume_unwind(Box::new("the reader fails"));
                });
                assert!(reading.join().is_err());
            });
            while_blocked(strategy, |mut subscriber| {
                let unwinding = std::panic::AssertUnwindSafe(move || {
                    let _lent = subscriber.recv_ref().unwrap();
                    std::panic::resume_unwind(Box::new("the handler fails"));
                });
                assert!(std::panic::catch_unwind(unwinding).is_err());
            });
            while_blocked(strategy, |mut subscriber| {
                assert!((&mut subscriber).into_iter().take(5).eq(0..5));
            });
        }
    });
}

/// Waiting readers are told of the end, on every way of waiting.
#[test]
fn a_close_ends_every_wait() {
    ends(|| {
        for strategy in STRATEGIES {
            let (publisher, subscribable) = Builder::new(2).wait(strategy).gating::<u64>().unwrap();
            let (ready, waiting) = mpsc::channel();
            scope(|scope| {
                for way in 0..6 {
                    let (mut subscriber, ready) = (subscribable.subscribe(), ready.clone());
                    scope.spawn(move || {
                        ready.send(()).unwrap();
                        match way {
                            0 => assert!(subscriber.recv().is_err()),
                            1 => assert_eq!(subscriber.iter().next(), None),
                            2 => subscriber.wait(),
                            3 => assert!(subscriber.recv_ref().is_err()),
                            4 => assert!(subscriber.recv_timeout(Duration::MAX).is_err()),
                            _ => assert!(subscriber.recv_with(WaitStrategy::Park).is_err()),
                        }
                        assert!(subscriber.is_closed());
                    });
                }
                (0..6).for_each(|_| waiting.recv().unwrap());
                (0..20).for_each(|_| thread::yield_now());
                drop(publisher);
            });
        }
    });
}

/// Deadlines: none at all, one that has passed, and one that never comes.
#[test]
fn deadlines_of_any_length_hold() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let mut subscriber = subscribable.subscribe();
    for timeout in [
        Duration::ZERO,
        Duration::from_nanos(1),
        Duration::from_millis(2),
    ] {
        let begin = Instant::now();
        assert!(subscriber.recv_timeout(timeout).is_err());
        assert!(subscriber.recv_ref_timeout(timeout).is_err());
        assert!(!subscriber.wait_timeout(timeout));
        assert!(begin.elapsed() >= 3 * timeout);
    }
    assert!(subscriber.recv_deadline(Instant::now()).is_err());
    publisher.publish(0);
    let refused = publisher.publish_timeout(1, Duration::from_millis(2));
    assert_eq!(refused.unwrap_err().0, 1);
    assert!(publisher.publish_deadline(1, Instant::now()).is_err());
    assert_eq!(
        subscriber.recv_deadline(Instant::now()),
        Ok(0),
        "it is there"
    );
    assert!(publisher.publish_timeout(1, Duration::MAX).is_ok());
    assert_eq!(subscriber.recv_timeout(Duration::MAX), Ok(1));
}

/// A wait without end really waits: it is the other side that ends it.
#[test]
fn a_wait_of_duration_max_is_ended_by_the_other_side() {
    ends(|| {
        let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
        let mut subscriber = subscribable.subscribe();
        scope(|scope| {
            scope.spawn(move || {
                (0..100).for_each(|n| publisher.publish_timeout(n, Duration::MAX).unwrap());
            });
            (0..100).for_each(|n| assert_eq!(subscriber.recv_timeout(Duration::MAX), Ok(n)));
        });
    });
}

/// Two readers, a tiny ring, four messages and the end: nobody is left asleep.
#[test]
fn b26_short_lives_end() {
    ends(|| {
        for round in 0..ROUNDS {
            let strategy = STRATEGIES[round as usize % 3];
            let (mut publisher, subscribable) =
                Builder::new(2).wait(strategy).gating::<u64>().unwrap();
            let readers = [(); 2].map(|()| subscribable.subscribe());
            scope(|scope| {
                for reader in readers {
                    scope.spawn(|| assert!(reader.into_iter().eq(0..4)));
                }
                publisher.publish_batch(&[0, 1, 2, 3]);
                drop(publisher);
            });
        }
    });
}

/// One message at a time, there and back: no wake-up is lost, whatever the way to wait.
#[test]
fn f01_ping_pong_never_stalls() {
    ends(|| {
        for strategy in STRATEGIES {
            let builder = Builder::new(1).wait(strategy);
            let (mut ping, pinged) = builder.gating::<u64>().unwrap();
            let (mut pong, ponged) = builder.gating::<u64>().unwrap();
            let (mut pinged, mut ponged) = (pinged.subscribe(), ponged.subscribe());
            let rounds = ROUNDS * 5;
            scope(|scope| {
                scope.spawn(move || (&mut pinged).into_iter().for_each(|n| pong.publish(n)));
                for n in 0..rounds {
                    ping.publish(n);
                    assert_eq!(ponged.recv(), Ok(n));
                }
                drop(ping);
            });
        }
    });
}
