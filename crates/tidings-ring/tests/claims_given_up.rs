//! Claims that are given up, by a drop, a leak or a panic, at any point: what subscribers see, and what becomes of values.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/payload.rs"]
mod payload;

use payload::{Census, Member};
use std::mem::{forget, replace};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tidings_ring::{
    Builder, EventClaimed, RecvError, Subscriber, TryClaimError, TryRecvError, channel,
    channel_bounded, channel_mpmc, channel_mpmc_bounded, event_channel, event_channel_mpmc,
};

fn panics(body: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(body)).is_err()
}

/// Puts a new value into each slot of the claim.
fn refill<'a>(mut claim: EventClaimed<'a, Member>, census: &Census) -> EventClaimed<'a, Member> {
    claim.iter_mut().for_each(|value| *value = census.member());
    claim
}

/// However many of ten values go out, a ring has one a slot, and each is dropped once.
#[test]
fn b30_a_short_commit_leaks_no_value() {
    for committed in 0..=11 {
        let census = Census::default();
        let (mut one, at_one) = event_channel(10, || census.member());
        let (many, at_many) = event_channel_mpmc(10, || census.member());
        let (mut here, mut there) = (at_one.subscribe(), at_many.subscribe());
        let out = refill(one.claim(10).unwrap(), &census).commit(committed);
        assert_eq!(
            refill(many.claim(10).unwrap(), &census).commit(committed),
            out
        );
        assert_eq!((out, census.alive()), (committed.min(10), 20));
        drop(refill(one.try_claim(10 - out).unwrap(), &census));
        assert_eq!(here.read_batch(20, |_, _| ()), out);
        assert_eq!(there.read_batch(20, |_, _| ()), out);
        assert_eq!(there.total_aborted() as usize, 10 - out);
        drop((one, many, at_one, at_many, here, there));
        assert_eq!(census.alive(), 0);
    }
}

/// Leaked claims leak no value, and every ring goes on as documented.
#[test]
fn b33_leaked_claims_leak_no_value() {
    let census = Census::default();
    let (mut one, at_one) = event_channel(4, || census.member());
    let (many, at_many) = event_channel_mpmc(4, || census.member());
    let (mut here, mut there) = (at_one.subscribe(), at_many.subscribe());
    forget(refill(one.claim(3).unwrap(), &census));
    forget(refill(many.claim(3).unwrap(), &census));
    one.publish(|_| ());
    many.publish(|_| ());
    assert_eq!(here.read_batch(9, |_, _| ()), 1, "it was never claimed");
    assert_eq!(there.read_batch(9, |_, _| ()), 0, "it waits at the claim");
    assert!(many.try_claim(1).is_err(), "and in the end so do others");
    drop(many);
    assert_eq!(there.read_batch(9, |_, _| ()), 1);
    assert_eq!((there.total_aborted(), there.is_closed()), (3, true));
    assert!(there.recv_ref().is_err());
    drop((one, at_one, at_many, here, there));
    assert_eq!(census.alive(), 0);
}

/// A leak on a copying ring of many publishers ends for lossy and gating subscribers alike, and what came after it is not lost.
#[test]
fn b33_a_ring_with_a_leaked_claim_ends() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(8, 0);
    let (mut gating, mut lossy) = (subscribable.subscribe(), subscribable.subscribe_lossy());
    let other = publisher.clone();
    publisher.publish(0);
    let mut claim = publisher.claim(2).unwrap();
    claim.fill([1, 2]);
    forget(claim);
    other.publish_batch(&[3, 4]);
    forget(other.claim(1).unwrap());
    drop(publisher);
    assert!(gating.drain().eq([0]) && lossy.drain().eq([0]));
    assert_eq!(gating.try_recv(), Err(TryRecvError::Empty), "it may settle");
    drop(other);
    assert!(gating.iter().eq([3, 4]) && lossy.iter().eq([3, 4]));
    assert_eq!((gating.total_aborted(), lossy.total_aborted()), (3, 3));
    assert_eq!(
        (gating.recv(), lossy.recv()),
        (Err(RecvError), Err(RecvError))
    );
    assert!(subscribable.subscribe_from_oldest().iter().eq([0, 3, 4]));
}

/// The destructor of a value that is replaced panics: once, nothing goes out, and the ring is whole.
#[test]
fn b34_a_destructor_that_panics_in_a_claim_runs_once() {
    struct Explosive(Option<Member>, bool);
    impl Drop for Explosive {
        fn drop(&mut self) {
            drop(self.0.take());
            assert!(!self.1, "the destructor panics");
        }
    }
    for bad in 0..4 {
        let census = Census::default();
        let (mut publisher, subscribable) = event_channel(4, || Explosive(None, false));
        let mut subscriber = subscribable.subscribe();
        let mut claim = publisher.claim(4).unwrap();
        for (n, value) in claim.iter_mut().enumerate() {
            *value = Explosive(Some(census.member()), n == bad);
        }
        drop(claim);
        assert!(panics(|| {
            let mut claim = publisher.claim(4).unwrap();
            for value in claim.iter_mut() {
                drop(replace(value, Explosive(Some(census.member()), false)));
            }
            claim.commit(4);
        }));
        assert_eq!(census.alive(), 4);
        assert_eq!((publisher.published(), subscriber.pending()), (0, 0));
        publisher.claim(4).unwrap().commit(4);
        assert_eq!(subscriber.read_batch(9, |_, _| ()), 4);
        drop((publisher, subscribable, subscriber));
        assert_eq!(census.alive(), 0);
    }
}

/// A panic while a claim is filled gives it up, on every kind of ring; what was put out before it stays.
#[test]
fn b41_a_panic_while_filling_gives_the_claim_up() {
    let (mut one, at_one) = channel_bounded::<u64>(4, 0);
    let (mut event, at_event) = event_channel(4, || 0);
    let (events, at_events) = event_channel_mpmc(4, || 0);
    let mut copies = at_one.subscribe();
    let (mut here, mut there) = (at_event.subscribe(), at_events.subscribe());
    assert!(panics(|| {
        let mut claim = one.claim(3).unwrap();
        claim.fill([1, 2]);
        claim.fill(std::iter::from_fn(|| panic!("no value")));
    }));
    assert!(panics(|| {
        let mut claim = event.claim(3).unwrap();
        claim.iter_mut().for_each(|value| *value = 9);
        claim.get_mut(3).expect("beyond the claim");
    }));
    assert!(panics(|| {
        let _claim = events.claim(3).unwrap();
        panic!("before an edit");
    }));
    one.publish(5);
    event.publish(|value| *value += 1);
    events.publish(|value| *value += 1);
    assert_eq!(copies.try_recv(), Ok(5));
    assert_eq!(here.process(|value| *value), Some(10), "the edit stays");
    assert_eq!(there.process(|value| *value), Some(1));
    assert_eq!((here.total_aborted(), there.total_aborted()), (0, 3));
}

/// What a claim has spoilt is not offered to those who join at the oldest message, whatever is asked for afterwards.
#[test]
fn what_a_claim_has_edited_is_not_offered_as_history() {
    let ring = Builder::new(8).watermark(2).in_place(|| 0);
    let (mut publisher, subscribable) = ring.unwrap();
    (0..8).for_each(|n| publisher.publish(|value| *value = n));
    let mut claim = publisher.claim(6).unwrap();
    claim.iter_mut().for_each(|value| *value = 99);
    drop(claim);
    let _slow = subscribable.subscribe_from_oldest();
    publisher.publish(|value| *value = 8);
    // Each of them looks at the gates, and is refused.
    for asked in [6, 4] {
        assert_eq!(publisher.try_claim(asked).unwrap_err(), TryClaimError::Full);
    }
    let mut oldest = subscribable.subscribe_from_oldest();
    let first = oldest.cursor();
    assert_eq!(oldest.process(|value| *value), Some(first));
}

/// What there is to receive, losses passed over; they and it add up.
fn take(subscriber: &mut Subscriber<u64>) -> Vec<u64> {
    let mut received = Vec::new();
    loop {
        match subscriber.try_recv() {
            Ok(value) => received.push(value),
            Err(TryRecvError::Lagged { skipped }) => assert_ne!(skipped, 0),
            Err(TryRecvError::Empty | TryRecvError::Closed) => break,
        }
    }
    let passed = subscriber.total_received() + subscriber.total_lagged();
    assert_eq!(passed + subscriber.total_aborted(), subscriber.cursor());
    received
}

/// Losses are exact while slots are overwritten in which nothing is published yet, and when nothing ever is.
#[test]
fn losses_are_exact_while_a_claim_is_open() {
    const CAPACITY: u64 = 300;
    for (written, committed) in [(1, 0), (63, 63), (64, 1), (65, 65), (200, 0), (300, 299)] {
        let (mut publisher, subscribable) = channel::<u64>(CAPACITY as usize);
        let mut subscriber = subscribable.subscribe();
        (0..CAPACITY).for_each(|n| publisher.publish(n));
        let mut claim = publisher.claim(CAPACITY as usize).unwrap();
        claim.fill((CAPACITY..).take(written as usize));
        assert!(take(&mut subscriber).into_iter().eq(written..CAPACITY));
        assert_eq!(subscriber.total_lagged(), written);
        assert_eq!(subscriber.latest(), None);
        claim.commit(committed);
        publisher.publish(CAPACITY + committed as u64);
        let end = CAPACITY + committed as u64 + 1;
        assert!(take(&mut subscriber).into_iter().eq(CAPACITY..end));
        assert_eq!(subscriber.total_lagged(), written);
    }
}

/// The same beside a publisher on another thread, which claims, fills and gives up all the time.
#[test]
fn losses_are_exact_beside_claims_on_other_threads() {
    const ROUNDS: u64 = if cfg!(miri) { 20 } else { 3_000 };
    let (mut one, at_one) = channel::<u64>(16);
    let (many, at_many) = channel_mpmc::<u64>(16);
    let (mut here, mut there) = (at_one.subscribe(), at_many.subscribe());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for round in 0..ROUNDS {
                let first = one.published();
                let mut claim = one.claim(round as usize % 17).unwrap();
                claim.fill(first..);
                claim.commit(round as usize % 5);
                let mut claim = many.claim(round as usize % 17).unwrap();
                let first = claim.sequence();
                claim.fill((first..).take(round as usize % 5));
                claim.commit(3);
            }
        });
        for subscriber in [&mut here, &mut there] {
            while !(subscriber.is_closed() && subscriber.try_recv() == Err(TryRecvError::Closed)) {
                let from = subscriber.cursor();
                let received = take(subscriber);
                assert!(received.is_sorted_by(|a, b| a < b), "each once, in order");
                assert!(
                    received
                        .iter()
                        .all(|n| (from..subscriber.cursor()).contains(n))
                );
            }
        }
    });
}
