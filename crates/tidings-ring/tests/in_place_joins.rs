//! Joining an in-place ring at messages that are there already: whole values, unbroken runs.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use guard::ends;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::scope;
use tidings_ring::{EventSubscribable, Ref, SubscribeError, event_channel};

const ROUNDS: u64 = if cfg!(miri) { 4 } else { 2_000 };

type Words = [u64; 24];

/// Oldest messages are retained as on a copying ring, an eighth of the slots (at least one) less.
#[test]
fn history_is_on_offer_and_holds_the_publisher() {
    for capacity in [1, 2, 5, 16, 17_u64] {
        let (mut publisher, subscribable) = event_channel(capacity as usize, || 0);
        for n in 0..3 * capacity {
            publisher.publish(|value| *value = n);
            let oldest = (n + 1).saturating_sub(capacity);
            let mut subscriber = subscribable.subscribe_from_oldest();
            let slack = (capacity / 8).max(1);
            assert!((oldest..=oldest + slack).contains(&subscriber.cursor()));
            let mut next = subscriber.cursor();
            subscriber.read_batch(usize::MAX, |value, sequence| {
                assert_eq!((*value, sequence), (next, next));
                next += 1;
            });
            assert_eq!(next, n + 1);
        }
    }
}

/// A message whose slot a failed edit has spoilt is not on offer any more.
#[test]
fn what_a_failed_edit_spoilt_is_not_shown() {
    for capacity in [1, 2, 3, 9_u64] {
        let (mut publisher, subscribable) = event_channel(capacity as usize, || 0);
        for n in 0..capacity + 2 {
            publisher.publish(|value| *value = n);
        }
        let spoil = |value: &mut u64| {
            *value = u64::MAX;
            panic!("half an edit");
        };
        assert!(catch_unwind(AssertUnwindSafe(|| publisher.publish(spoil))).is_err());
        let mut subscriber = subscribable.subscribe_from_oldest();
        subscriber.read_batch(usize::MAX, |value, sequence| assert_eq!(*value, sequence));
        let spoilt = publisher.published() - capacity;
        let refused = subscribable.subscribe_at(spoilt).err();
        assert_eq!(
            refused,
            Some(SubscribeError::Overwritten { oldest: spoilt + 1 })
        );
    }
}

/// Joins somewhere in the history of a running ring, and sees an unbroken run of whole values.
fn join(subscribable: &EventSubscribable<Words>, round: u64) {
    let start = subscribable.published().saturating_sub(round % 5);
    let joined = match round % 2 {
        0 => subscribable.subscribe_at(start),
        _ => Ok(subscribable.subscribe_from_oldest()),
    };
    let mut subscriber = match joined {
        Ok(subscriber) => subscriber,
        Err(SubscribeError::Overwritten { oldest }) => return assert!(oldest > start),
        Err(error) => panic!("{error}"),
    };
    let start = subscriber.cursor();
    for n in start..start + round % 4 + 1 {
        let lent = subscriber.recv_ref().unwrap();
        assert_eq!((*lent, Ref::sequence(&lent)), ([n; 24], n));
    }
}

#[test]
fn b16_runs_in_place_are_unbroken_from_any_start() {
    ends(|| {
        for capacity in [1, 2, 4, 16] {
            let (mut publisher, subscribable) = event_channel(capacity, || [0; 24]);
            let stop = AtomicBool::new(false);
            scope(|scope| {
                let stopped = &stop;
                let publishing = scope.spawn(move || {
                    while !stopped.load(SeqCst) {
                        let number = publisher.published();
                        publisher.publish(|words: &mut Words| *words = [number; 24]);
                    }
                });
                let joiners = [0, 1, 2].map(|n| {
                    let place = &subscribable;
                    scope.spawn(move || (0..ROUNDS).for_each(|round| join(place, n + round)))
                });
                joiners
                    .into_iter()
                    .for_each(|joiner| joiner.join().unwrap());
                stop.store(true, SeqCst);
                publishing.join().unwrap();
            });
        }
    });
}
