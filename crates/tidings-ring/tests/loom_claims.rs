//! Models of claims that are filled by hand, given up or leaked, on the shipped types; each beside mutants that must fail.
#![cfg(loom)]

#[macro_use]
#[path = "../../tidings-core/tests/support/rows.rs"]
mod rows;

use loom::{model::Builder as Model, thread};
use std::mem::forget;
use tidings_ring::{
    Builder, Gating, MpPublisher, Subscribable, Subscriber, WaitStrategy, channel,
    channel_mpmc_bounded,
};

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(model);
}

/// What is there, each message whole and of one of these numbers.
fn drain(subscriber: &mut Subscriber<[u64; 2]>, numbers: &[u64]) {
    for [n, m] in subscriber.drain() {
        assert_eq!(n, m, "torn");
        assert!(numbers.contains(&n), "given up");
    }
    assert_eq!(
        subscriber.total_received() + subscriber.total_lagged(),
        subscriber.cursor(),
        "lost or doubled"
    );
}

/// A lossy subscriber reads while its message's slot is filled for a claim, given up, and filled again.
fn filled_twice() {
    let (mut publisher, subscribable) = channel::<[u64; 2]>(1);
    let mut subscriber = subscribable.subscribe();
    publisher.publish([1; 2]);
    let reader = thread::spawn(move || {
        drain(&mut subscriber, &[1, 3]);
        subscriber
    });
    let mut claim = publisher.try_claim(1).unwrap();
    claim.write([2; 2]).unwrap();
    drop(claim);
    let mut claim = publisher.try_claim(1).unwrap();
    claim.write([3; 2]).unwrap();
    claim.commit(1);
    drain(&mut reader.join().unwrap(), &[3]);
}

/// A short commit beside another publisher, and a subscriber that reads meanwhile.
fn committed_short() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(3, 0);
    let mut subscriber = subscribable.subscribe();
    let other = publisher.clone();
    let second = thread::spawn(move || assert!(other.try_publish(7).is_ok()));
    let reader = thread::spawn(move || (subscriber.drain().count(), subscriber));
    let mut claim = publisher.try_claim(2).unwrap();
    claim.write(8).unwrap();
    assert_eq!(claim.commit(2), 1);
    second.join().unwrap();
    let (before, mut subscriber) = reader.join().unwrap();
    assert_eq!(before + subscriber.drain().count(), 2, "lost or doubled");
    assert_eq!((subscriber.cursor(), subscriber.total_aborted()), (3, 1));
}

fn parked() -> (MpPublisher<u64, Gating>, Subscribable<u64, Gating>) {
    let ring = Builder::new(1).wait(WaitStrategy::Park).gating_mpmc();
    ring.unwrap()
}

/// A subscriber sleeps where a claim is given up, and its publisher then waits for that slot.
fn slept_over() {
    let (publisher, subscribable) = parked();
    let mut subscriber = subscribable.subscribe();
    let reader = thread::spawn(move || assert_eq!(subscriber.recv(), Ok(1)));
    drop(publisher.try_claim(1).unwrap());
    publisher.publish(1);
    reader.join().unwrap();
}

/// A subscriber sleeps at a claim that is leaked, and the ring ends.
fn leaked() {
    let (publisher, subscribable) = channel_mpmc_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    let reader = thread::spawn(move || {
        assert_eq!(subscriber.recv(), Ok(7), "lost behind the leak");
        assert!(subscriber.recv().is_err());
    });
    forget(publisher.try_claim(1).unwrap());
    assert!(publisher.try_publish(7).is_ok());
    drop(publisher);
    reader.join().unwrap();
}

models! {
    a_slot_that_is_filled_twice_is_read_whole: || check(filled_twice);
    a_short_commit_is_seen_whole: || check(committed_short);
    a_tombstone_wakes_whom_it_would_hold: || check(slept_over);
    a_leaked_claim_ends_with_the_ring: || check(leaked);
}

mutants! {
    filled_twice_without_p1: "slot P1" off in || check(filled_twice), "torn";
    filled_twice_without_c3: "slot C3" off in || check(filled_twice), "torn";
    filled_twice_without_c4: "slot C4" off in || check(filled_twice), "torn";
    slept_over_without_a3: "cursor A3" off in || check(slept_over), "deadlock";
    slept_over_without_f3: "shared F3" off in || check(slept_over), "deadlock";
    leaked_without_m9: "many M9" off in || check(leaked), "lost behind the leak";
}
