//! Copying rings under threads: whole copies, order, joins and leaves, waits that end.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "support/payload.rs"]
mod payload;

use guard::ends;
use payload::Checked;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::{self, scope};
use tidings_ring::{
    Builder, Contract, Gating, Payload, Publisher, Ref, SubscribeError, Subscriber, TryRecvError,
    WaitStrategy, channel, channel_bounded,
};

const COUNT: u64 = if cfg!(miri) { 60 } else { 20_000 };
const ROUNDS: u64 = if cfg!(miri) { 3 } else { 300 };

/// Receives to the end; the numbers rise, and received and lost make up all.
#[track_caller]
fn hunt<T: Payload, C: Contract>(mut subscriber: Subscriber<T, C>, number: fn(T) -> u64) {
    let start = subscriber.cursor();
    let mut last = None;
    while let Ok(value) = subscriber.recv() {
        let place = subscriber.cursor() - 1;
        assert_eq!(number(value), place, "the message at the cursor");
        assert!(last < Some(place));
        last = Some(place);
    }
    let counted = subscriber.total_received() + subscriber.total_lagged();
    assert_eq!(counted, subscriber.cursor() - start);
}

fn race<const W: usize>(capacity: usize) {
    let (mut publisher, subscribable) = channel::<Checked<W>>(capacity);
    let readers = [(); 2].map(|()| subscribable.subscribe());
    scope(|scope| {
        for reader in readers {
            scope.spawn(|| hunt(reader, |value| value.number()));
        }
        let count = COUNT / (W as u64).div_ceil(8);
        (0..count).for_each(|n| publisher.publish(Checked::new(n)));
        drop(publisher);
    });
}

/// No copy is of two messages, whatever its size and however fast the publisher laps the reader.
#[test]
fn b06_no_copy_is_torn() {
    ends(|| {
        for capacity in [1, 2, 4] {
            race::<1>(capacity);
            race::<2>(capacity);
            race::<8>(capacity);
            race::<9>(capacity);
            race::<32>(capacity);
            race::<64>(capacity);
            race::<512>(capacity);
        }
    });
}

/// A payload of one repeated byte is of one byte, in every size that is no whole number of words.
#[test]
fn b06_no_byte_is_of_another_message() {
    fn race<const N: usize>(capacity: usize) {
        let (mut publisher, subscribable) = channel::<[u8; N]>(capacity);
        let mut reader = subscribable.subscribe();
        scope(|scope| {
            scope.spawn(move || {
                for value in &mut reader {
                    assert!(value.iter().all(|byte| *byte == value[0]), "{value:?}");
                }
            });
            (0..COUNT).for_each(|n| publisher.publish([n as u8; N]));
            drop(publisher);
        });
    }
    ends(|| {
        for capacity in [1, 2, 4] {
            race::<7>(capacity);
            race::<67>(capacity);
            race::<256>(capacity);
        }
    });
}

/// A copy into the caller's own place is whole, too, and comes with its own message only.
#[test]
fn b06_no_copy_in_place_of_the_callers_is_torn() {
    ends(|| {
        let (mut publisher, subscribable) = channel::<Checked<64>>(2);
        let mut reader = subscribable.subscribe();
        scope(|scope| {
            scope.spawn(move || {
                (0..COUNT).for_each(|n| publisher.publish_from(&Checked::new(n)));
                drop(publisher);
            });
            let mut place = MaybeUninit::uninit();
            loop {
                match reader.try_recv_into(&mut place).map(|value| value.number()) {
                    Ok(number) => assert_eq!(number + 1, reader.cursor()),
                    Err(TryRecvError::Closed) => break,
                    Err(TryRecvError::Empty | TryRecvError::Lagged { .. }) => {}
                }
            }
            assert_eq!(reader.total_received() + reader.total_lagged(), COUNT);
        });
    });
}

/// From the first message on a reader is told of a message or a lag, unless it has the newest.
#[test]
fn b29_empty_means_up_to_date() {
    ends(|| {
        for capacity in [1, 2] {
            let (mut publisher, subscribable) = channel::<u64>(capacity);
            let mut reader = subscribable.subscribe();
            scope(|scope| {
                scope.spawn(|| {
                    (0..COUNT).for_each(|n| publisher.publish(n));
                    drop(publisher);
                });
                loop {
                    let before = subscribable.published();
                    match reader.try_recv() {
                        Err(TryRecvError::Empty) => assert!(reader.cursor() >= before),
                        Err(TryRecvError::Closed) => break,
                        Ok(_) | Err(TryRecvError::Lagged { .. }) => {}
                    }
                }
                assert_eq!(reader.cursor(), COUNT);
            });
        }
    });
}

/// Figures that two threads change are never out of range, nor do they overflow.
#[test]
fn b05_pending_stays_within_the_capacity() {
    ends(|| {
        let (mut publisher, subscribable) = channel::<u64>(7);
        let mut reader = subscribable.subscribe();
        scope(|scope| {
            scope.spawn(move || {
                (0..COUNT / 5).for_each(|n| publisher.publish_batch(&[n; 5]));
                drop(publisher);
            });
            while !reader.is_closed() {
                assert!(reader.pending() <= 7);
                let _ = reader.try_recv();
                let ratio = reader.receive_ratio();
                assert!((0.0..=1.0).contains(&ratio));
            }
        });
    });
}

/// A lag is never more than what was published, and all of it adds up, with slow readers, too.
#[test]
fn b02_lags_are_plausible_and_add_up() {
    ends(|| {
        let (mut publisher, subscribable) = channel::<u64>(16);
        let readers: Vec<_> = (0..4).map(|_| subscribable.subscribe()).collect();
        scope(|scope| {
            for mut reader in readers {
                let place = &subscribable;
                scope.spawn(move || {
                    loop {
                        match reader.try_recv() {
                            Ok(n) => assert_eq!(n + 1, reader.cursor()),
                            Err(TryRecvError::Lagged { skipped }) => {
                                assert!(0 < skipped && skipped <= place.published());
                                thread::yield_now();
                            }
                            Err(TryRecvError::Empty) => thread::yield_now(),
                            Err(TryRecvError::Closed) => break,
                        }
                    }
                    let all = reader.total_received() + reader.total_lagged();
                    assert_eq!((all, place.is_closed()), (COUNT, true));
                });
            }
            (0..COUNT).for_each(|n| publisher.publish(n));
            drop(publisher);
        });
    });
}

/// The newest message there is, however fast it changes; never an older one than was seen before.
#[test]
fn the_latest_message_never_goes_back() {
    ends(|| {
        for capacity in [1, 2, 4] {
            let (mut publisher, subscribable) = channel::<Checked<8>>(capacity);
            let mut reader = subscribable.subscribe();
            scope(|scope| {
                scope.spawn(move || {
                    (0..COUNT).for_each(|n| publisher.publish(Checked::new(n)));
                    drop(publisher);
                });
                let mut last = None;
                while !(reader.is_closed() && reader.pending() == 0) {
                    let Some(newest) = reader.latest() else {
                        continue;
                    };
                    assert!(last < Some(newest.number()));
                    last = Some(newest.number());
                }
                assert_eq!(last, Some(COUNT - 1));
            });
        }
    });
}

/// Publishes 0, 1, 2… until told to stop; says how many.
fn stream(mut publisher: Publisher<u64, Gating>, stop: &AtomicBool) -> u64 {
    let mut next = 0;
    while !stop.load(SeqCst) {
        publisher.publish(next);
        next += 1;
    }
    next
}

/// Whoever joins a running gating ring sees an unbroken run from where it joined to where it left.
#[test]
fn b16_runs_are_unbroken_under_joins_and_leaves() {
    ends(|| {
        for (capacity, watermark) in [(1, 0), (2, 0), (3, 1), (16, 0)] {
            let (publisher, subscribable) = channel_bounded::<u64>(capacity, watermark);
            let stop = AtomicBool::new(false);
            scope(|scope| {
                let publishing = scope.spawn(|| stream(publisher, &stop));
                let joiners: Vec<_> = (0..3)
                    .map(|n| {
                        let place = &subscribable;
                        scope.spawn(move || (0..ROUNDS).for_each(|round| join(place, n + round)))
                    })
                    .collect();
                joiners
                    .into_iter()
                    .for_each(|joiner| joiner.join().unwrap());
                stop.store(true, SeqCst);
                publishing.join().unwrap();
            });
        }
    });
}

/// Joins by one of four ways, reads a little, and leaves.
fn join(subscribable: &tidings_ring::Subscribable<u64, Gating>, round: u64) {
    let mut subscriber = match round % 4 {
        0 => subscribable.subscribe(),
        1 => subscribable.subscribe_from_oldest(),
        2 => {
            let recent = subscribable.published().saturating_sub(1);
            match subscribable.subscribe_at(recent) {
                Ok(subscriber) => subscriber,
                Err(SubscribeError::Overwritten { oldest }) => {
                    assert!(oldest > recent);
                    return;
                }
                Err(error) => panic!("{error}"),
            }
        }
        _ => subscribable.subscribe().resubscribe(),
    };
    let start = subscriber.cursor();
    let length = round % 7 + 1;
    for expected in start..start + length {
        if round % 2 == 0 {
            assert_eq!(subscriber.recv(), Ok(expected));
        } else {
            let lent = subscriber.recv_ref().unwrap();
            assert_eq!((*lent, Ref::sequence(&lent)), (expected, expected));
        }
    }
    assert_eq!(
        (subscriber.total_received(), subscriber.total_lagged()),
        (length, 0)
    );
}

/// A publisher that met a joiner half-way, and went to sleep, is woken when the joiner has joined.
#[test]
fn a_publisher_that_meets_a_joiner_half_way_does_not_sleep_on() {
    ends(|| {
        let builder = Builder::new(1).wait(WaitStrategy::Park);
        let (publisher, subscribable) = builder.gating::<u64>().unwrap();
        let stop = AtomicBool::new(false);
        scope(|scope| {
            let publishing = scope.spawn(|| stream(publisher, &stop));
            let joiners = [(); 3].map(|()| {
                scope.spawn(|| {
                    for _ in 0..ROUNDS * 20 {
                        // Its start is in the future, so the publisher must get there.
                        assert!(subscribable.subscribe().recv().is_ok());
                    }
                })
            });
            joiners
                .into_iter()
                .for_each(|joiner| joiner.join().unwrap());
            stop.store(true, SeqCst);
            publishing.join().unwrap();
        });
    });
}

/// A twin of a gating subscriber loses nothing from its place on, while the publisher runs.
#[test]
fn a_twin_goes_on_where_its_model_stands() {
    ends(|| {
        for capacity in [1, 2, 5] {
            let (publisher, subscribable) = channel_bounded::<u64>(capacity, 0);
            let mut model = subscribable.subscribe();
            let stop = AtomicBool::new(false);
            scope(|scope| {
                let publishing = scope.spawn(|| stream(publisher, &stop));
                for _ in 0..ROUNDS * 3 {
                    let mut twin = model.resubscribe();
                    let start = twin.cursor();
                    assert_eq!(start, model.cursor());
                    // The model moves or goes at once; the twin alone holds its place.
                    if start % 3 == 0 {
                        model = twin.resubscribe();
                    } else {
                        assert_eq!(model.recv(), Ok(start));
                    }
                    thread::yield_now();
                    assert_eq!(twin.recv(), Ok(start));
                    drop(std::mem::replace(&mut model, twin));
                }
                stop.store(true, SeqCst);
                drop(model);
                publishing.join().unwrap();
            });
        }
    });
}

/// Many that gate and many that do not, on one ring: all of it for the ones, sums for the others.
#[test]
fn gating_and_lossy_subscribers_share_a_ring() {
    ends(|| {
        let (mut publisher, subscribable) = channel_bounded::<Checked<12>>(4, 2);
        let gating = [(); 2].map(|()| subscribable.subscribe());
        let lossy = [(); 2].map(|()| subscribable.subscribe_lossy());
        scope(|scope| {
            for subscriber in gating {
                scope.spawn(move || {
                    assert!(
                        subscriber
                            .into_iter()
                            .map(|value| value.number())
                            .eq(0..COUNT)
                    );
                });
            }
            for subscriber in lossy {
                scope.spawn(|| hunt(subscriber, |value| value.number()));
            }
            (0..COUNT).for_each(|n| publisher.publish(Checked::new(n)));
            drop(publisher);
        });
    });
}

/// Readers that start at some moment of a run get everything from their start on.
#[test]
fn b43_late_starts_lose_nothing() {
    ends(|| {
        for round in 0..ROUNDS {
            let (mut publisher, subscribable) = channel_bounded::<u64>(64, 0);
            scope(|scope| {
                scope.spawn(move || (0..round % 60).for_each(|n| publisher.publish(n)));
                let subscriber = subscribable.subscribe_from_oldest();
                let start = subscriber.cursor();
                assert!(subscriber.into_iter().eq(start..round % 60));
            });
        }
    });
}
