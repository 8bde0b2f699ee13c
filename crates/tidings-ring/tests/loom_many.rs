//! Models of rings of many publishers, on the shipped types; each beside mutants that must fail.
#![cfg(loom)]
#![allow(unsafe_code)] // values behind loom's cells, by which loom sees who shares them

#[macro_use]
#[path = "../../tidings-core/tests/support/rows.rs"]
mod rows;

use loom::{cell::UnsafeCell, model::Builder as Model, thread};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tidings_ring::{
    Builder, EventSubscribable, EventSubscriber, MpEventPublisher, Subscriber, TryRecvError,
    WaitStrategy, channel_mpmc, event_channel_mpmc,
};

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(model);
}

/// A value whose readers and writers loom checks for exclusion.
struct Watched(UnsafeCell<u64>);

// SAFETY: that it is not shared in a conflicting way is what loom checks.
unsafe impl Sync for Watched {}

fn watched(capacity: usize) -> (MpEventPublisher<Watched>, EventSubscribable<Watched>) {
    event_channel_mpmc(capacity, || Watched(UnsafeCell::new(0)))
}

/// Publishes a number, if there is room.
fn put(publisher: &MpEventPublisher<Watched>, number: u64) -> bool {
    // SAFETY: loom checks it.
    let edit = |value: &mut Watched| value.0.with_mut(|value| unsafe { *value = number });
    publisher.try_publish(edit).is_ok()
}

fn take(subscriber: &mut EventSubscriber<Watched>) -> Option<u64> {
    // SAFETY: loom checks it.
    subscriber.process(|value| value.0.with(|value| unsafe { *value }))
}

/// What is there, each message whole.
fn drain(subscriber: &mut Subscriber<[u64; 2]>) {
    for [n, m] in subscriber.drain() {
        assert_eq!(n, m, "torn");
    }
    assert_eq!(
        subscriber.total_received() + subscriber.total_lagged(),
        subscriber.cursor(),
        "lost or doubled"
    );
}

/// Two publishers on a lossy ring of one slot, each after the other's message.
fn lossy() {
    let (publisher, subscribable) = channel_mpmc::<[u64; 2]>(1);
    let mut subscriber = subscribable.subscribe();
    let other = publisher.clone();
    let second = thread::spawn(move || other.try_publish([7; 2]).is_ok());
    let _ = publisher.try_publish([8; 2]);
    drain(&mut subscriber);
    second.join().unwrap();
    drain(&mut subscriber);
    assert_eq!(subscriber.cursor(), publisher.published());
}

/// The same with a reader of its own thread.
fn lossy_read() {
    let (publisher, subscribable) = channel_mpmc::<[u64; 2]>(1);
    let mut subscriber = subscribable.subscribe();
    assert!(publisher.try_publish([9; 2]).is_ok());
    let other = publisher.clone();
    let second = thread::spawn(move || other.try_publish([7; 2]).is_ok());
    let reader = thread::spawn(move || drain(&mut subscriber));
    second.join().unwrap();
    reader.join().unwrap();
}

/// Two publishers and a subscriber of an in-place ring: no slot is edited that is read, or edited by two.
fn in_place() {
    let (publisher, subscribable) = watched(1);
    let mut subscriber = subscribable.subscribe();
    let other = publisher.clone();
    let second = thread::spawn(move || put(&other, 7));
    let first = put(&publisher, 8);
    let got = take(&mut subscriber);
    assert!(got.is_none_or(|got| got == 7 || got == 8));
    let put_by_second = second.join().unwrap();
    let rest = take(&mut subscriber);
    let all = [got, rest].into_iter().flatten().count();
    assert_eq!(
        all,
        usize::from(first) + usize::from(put_by_second),
        "lost or doubled"
    );
}

/// A message of one, read, and its slot written by the other.
fn handed_on() {
    let (publisher, subscribable) = watched(1);
    let mut subscriber = subscribable.subscribe();
    let other = publisher.clone();
    assert!(put(&publisher, 1));
    let reader = thread::spawn(move || assert_eq!(take(&mut subscriber), Some(1)));
    let second = thread::spawn(move || put(&other, 2));
    put(&publisher, 3);
    reader.join().unwrap();
    second.join().unwrap();
}

/// No gate: the slot's last publisher is all that there is to wait for.
fn nobody_gates() {
    let (publisher, _subscribable) = watched(1);
    let other = publisher.clone();
    let second = thread::spawn(move || put(&other, 2));
    put(&publisher, 3);
    second.join().unwrap();
    put(&publisher, 4);
}

/// A subscriber joins while two publishers look.
fn joined() {
    let (publisher, subscribable) = watched(1);
    let other = publisher.clone();
    let second = thread::spawn(move || put(&other, 7));
    let reader = thread::spawn(move || {
        let mut subscriber = subscribable.subscribe();
        if let Some(value) = take(&mut subscriber) {
            assert!(value == 7 || value == 8);
        }
    });
    put(&publisher, 8);
    put(&publisher, 8);
    second.join().unwrap();
    reader.join().unwrap();
}

/// A subscriber joins at the oldest message while another publisher's look lets this one go on.
fn oldest() {
    let (publisher, subscribable) = watched(2);
    (0..2).for_each(|n| assert!(put(&publisher, n)));
    let other = publisher.clone();
    let second = thread::spawn(move || put(&other, 7));
    let reader = thread::spawn(move || {
        let mut subscriber = subscribable.subscribe_from_oldest();
        let _ = take(&mut subscriber);
    });
    put(&publisher, 8);
    second.join().unwrap();
    reader.join().unwrap();
}

/// A subscriber goes, and another takes its place at once.
fn rejoined() {
    let (publisher, subscribable) = watched(1);
    let mut first = subscribable.subscribe();
    assert!(put(&publisher, 1));
    let reader = thread::spawn(move || {
        assert_eq!(take(&mut first), Some(1));
        drop(first);
        drop(subscribable.subscribe());
    });
    put(&publisher, 2);
    reader.join().unwrap();
}

/// The same where the other one is of another thread.
fn inherited() {
    let (publisher, subscribable) = watched(1);
    let mut first = subscribable.subscribe();
    assert!(put(&publisher, 1));
    let reader = thread::spawn(move || assert_eq!(take(&mut first), Some(1)));
    let heir = thread::spawn(move || subscribable.subscribe());
    put(&publisher, 2);
    reader.join().unwrap();
    drop(heir.join().unwrap());
}

/// A twin is made while its model reads on and goes, and two publishers look.
fn twin() {
    let (publisher, subscribable) = watched(2);
    let before = subscribable.subscribe();
    let mut model = subscribable.subscribe();
    drop(before);
    (0..2).for_each(|n| assert!(put(&publisher, n)));
    let reader = thread::spawn(move || {
        let mut twin = model.resubscribe();
        assert_eq!(take(&mut model), Some(0));
        drop(model);
        assert_eq!(take(&mut twin), Some(0));
    });
    put(&publisher, 7);
    reader.join().unwrap();
}

/// An edit that panics, between a reader and another publisher.
fn tombstone() {
    let (publisher, subscribable) = watched(2);
    let mut subscriber = subscribable.subscribe();
    let other = publisher.clone();
    let second = thread::spawn(move || {
        let edit = |_: &mut Watched| std::panic::resume_unwind(Box::new(()));
        let failed = catch_unwind(AssertUnwindSafe(|| other.try_publish(edit).is_ok()));
        assert!(failed.is_err());
    });
    assert!(put(&publisher, 8));
    let got = take(&mut subscriber);
    second.join().unwrap();
    let rest = take(&mut subscriber);
    assert_eq!(got.or(rest), Some(8));
    assert_eq!(subscriber.cursor(), 2);
    assert_eq!(subscriber.total_aborted(), 1);
}

/// Two publishers sleep on a full ring, and the subscriber goes on.
fn full() {
    let (publisher, subscribable) = Builder::new(1)
        .wait(WaitStrategy::Park)
        .gating_mpmc::<u64>()
        .unwrap();
    let mut subscriber = subscribable.subscribe();
    publisher.publish(0);
    let other = publisher.clone();
    let second = thread::spawn(move || other.publish(1));
    let reader = thread::spawn(move || {
        assert_eq!(subscriber.recv(), Ok(0));
        assert_eq!(subscriber.recv(), Ok(1));
        subscriber
    });
    publisher.publish(1);
    second.join().unwrap();
    drop(reader.join().unwrap());
}

/// A publisher waits for another that has not finished its slot.
fn busy() {
    let (publisher, _subscribable) = Builder::new(1)
        .wait(WaitStrategy::Park)
        .lossy_mpmc::<u64>()
        .unwrap();
    let other = publisher.clone();
    let second = thread::spawn(move || other.publish(1));
    publisher.publish(2);
    second.join().unwrap();
    assert_eq!(publisher.published(), 2);
}

/// The last message of the last publisher comes before the close.
fn close() {
    let (publisher, subscribable) = channel_mpmc::<u64>(2);
    let mut subscriber = subscribable.subscribe();
    let other = publisher.clone();
    let second = thread::spawn(move || other.try_publish(7).is_ok());
    assert!(publisher.try_publish(8).is_ok());
    drop(publisher);
    let mut seen = 0;
    loop {
        match subscriber.try_recv() {
            Ok(_) => seen += 1,
            Err(TryRecvError::Closed) => break,
            Err(_) => thread::yield_now(),
        }
    }
    assert_eq!(seen, 2, "closed before the last message");
    second.join().unwrap();
}

models! {
    two_publishers_of_one_slot_lose_nothing_unsaid: || check(lossy);
    a_reader_sees_whole_messages_of_both: || check(lossy_read);
    an_in_place_slot_has_one_editor_or_readers: || check(in_place);
    a_slot_is_handed_from_reader_to_either_publisher: || check(handed_on);
    without_gates_the_last_publisher_is_waited_for: || check(nobody_gates);
    a_subscriber_joins_while_two_publishers_look: || check(joined);
    a_subscriber_joins_at_the_oldest: || check(oldest);
    a_place_is_taken_again_at_once: || check(rejoined);
    a_place_is_inherited_by_another_thread: || check(inherited);
    a_twin_is_made_while_publishers_look: || check(twin);
    a_tombstone_is_passed_over: || check(tombstone);
    sleepers_on_a_full_ring_are_woken: || check(full);
    a_publisher_that_waits_for_another_is_woken: || check(busy);
    the_last_message_comes_before_the_close: || check(close);
}

// Where N2 is off too, the fence of a wake comes before the step, in the mode in which models run.
mutants! {
    lossy_read_without_p1: "slot P1" off in || check(lossy_read), "torn";
    lossy_read_without_p2: "slot P2" off in || check(lossy_read), "torn";
    lossy_read_without_p4: "slot P4" off in || check(lossy_read), "torn";
    lossy_read_without_c3: "slot C3" off in || check(lossy_read), "torn";
    lossy_read_without_c4: "slot C4" off in || check(lossy_read), "torn";
    nobody_gates_without_m3: "many M3" off in || check(nobody_gates), "Causality violation";
    nobody_gates_without_p2: "cell P2" off in || check(nobody_gates), "Causality violation";
    handed_on_without_l1: "shared L1" off in || check(handed_on), "Causality violation";
    handed_on_without_l2: "shared L2" off in || check(handed_on), "Causality violation";
    handed_on_without_r2: "gate R2" off in || check(handed_on), "Causality violation";
    handed_on_without_p3: "gate P3" off in || check(handed_on), "Causality violation";
    joined_without_j2: "gate J2" off in || check(joined), "Causality violation";
    joined_without_j3: "gate J3" off in || check(joined), "Causality violation";
    joined_without_p2: "gate P2" off in || check(joined), "Causality violation";
    oldest_without_p2: "gate P2" off in || check(oldest), "Causality violation";
    rejoined_without_j1: "gate J1 + event N2" off in || check(rejoined), "Causality violation";
    inherited_without_o3: "gate/cell O3 + event N2" off in || check(inherited), "Causality violation";
    inherited_without_j1: "gate J1" off in || check(inherited), "Causality violation";
    twin_without_t2: "gate T2" off in || check(twin), "Causality violation";
    twin_without_p4: "gate P4" off in || check(twin), "Causality violation";
    full_without_f3: "shared F3" off in || check(full), "deadlock";
    full_without_w3: "event W3" off in || check(full), "deadlock";
    close_without_m8: "many M8 + event N2" off in || check(close), "closed before the last message";
}
