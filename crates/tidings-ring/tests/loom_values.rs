//! Models of the ring of values, on the shipped types: a value that somebody looks at is not dropped, and what is dropped was
//! read before. Each model beside mutants that must fail.
#![cfg(loom)]
#![allow(unsafe_code)] // values behind loom's cells, by which loom sees who shares them

#[macro_use]
#[path = "../../tidings-core/tests/support/rows.rs"]
mod rows;

#[path = "support/loom_graves.rs"]
mod graves;

use loom::{cell::UnsafeCell, model::Builder as Model, thread};
use tidings_ring::{TryRecvError, ValuePublisher, ValueSubscriber, value_channel};

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(move || {
        model();
        graves::empty();
    });
}

/// A number that its value takes away when it is dropped, in a cell by which loom sees who reads it meanwhile.
#[repr(align(256))]
struct Value(UnsafeCell<u64>);

const _: () = assert!(align_of::<Value>() == graves::ALIGNMENT);

// SAFETY: that it is not shared in a conflicting way is what loom checks.
unsafe impl Sync for Value {}

const GONE: u64 = u64::MAX;

impl Value {
    fn new(number: u64) -> Self {
        Self(UnsafeCell::new(number))
    }

    fn read(&self) -> u64 {
        // SAFETY: loom checks it.
        self.0.with(|number| unsafe { *number })
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        // SAFETY: loom checks it.
        let number = self.0.with_mut(|number| unsafe { number.replace(GONE) });
        assert_ne!(number, GONE, "dropped twice");
    }
}

fn put(publisher: &ValuePublisher<Value>, number: u64) {
    assert!(publisher.try_publish(Value::new(number)).is_ok());
}

/// Takes what is there, and looks at it twice.
fn take(subscriber: &mut ValueSubscriber<Value>) {
    let next = subscriber.cursor();
    match subscriber.try_recv_ref() {
        Ok(value) => {
            assert_eq!(value.read(), next, "another message");
            assert_eq!(value.read(), next, "another message");
        }
        Err(TryRecvError::Lagged { skipped }) => assert!(skipped > 0),
        Err(TryRecvError::Empty | TryRecvError::Closed) => {}
    }
}

/// A publisher that goes round, beside a subscriber that looks.
fn lapped() {
    let (publisher, subscribable) = value_channel(1);
    let mut subscriber = subscribable.subscribe();
    put(&publisher, 0);
    let reader = thread::spawn(move || take(&mut subscriber));
    put(&publisher, 1);
    put(&publisher, 2);
    reader.join().unwrap();
}

/// The same where the subscriber has something to find from the start to the end.
fn looked_at() {
    let (publisher, subscribable) = value_channel(1);
    let mut subscriber = subscribable.subscribe();
    let reader = thread::spawn(move || {
        take(&mut subscriber);
        take(&mut subscriber);
    });
    put(&publisher, 0);
    put(&publisher, 1);
    reader.join().unwrap();
}

/// Two publishers that retire and reclaim at the same time.
fn reclaimed_by_two() {
    let (publisher, subscribable) = value_channel(1);
    let mut subscriber = subscribable.subscribe();
    put(&publisher, 0);
    let other = publisher.clone();
    let second = thread::spawn(move || drop(other.try_publish(Value::new(1))));
    let _ = publisher.try_publish(Value::new(2));
    if let Ok(value) = subscriber.try_recv_ref() {
        assert_eq!(value.read(), 0);
    }
    second.join().unwrap();
}

/// A subscriber that goes while the publisher looks at hazards.
fn dying() {
    let (publisher, subscribable) = value_channel(1);
    let mut subscriber = subscribable.subscribe();
    put(&publisher, 0);
    let reader = thread::spawn(move || {
        take(&mut subscriber);
        drop(subscriber);
    });
    put(&publisher, 1);
    publisher.clear();
    reader.join().unwrap();
}

models! {
    a_lapped_subscriber_sees_a_message_or_none: || check(lapped);
    what_is_looked_at_is_what_was_asked_for: || check(looked_at);
    two_publishers_reclaim_what_the_other_retired: || check(reclaimed_by_two);
    a_subscriber_may_die_at_any_moment: || check(dying);
}

mutants! {
    lapped_without_h2: "value/cell H2" off in || check(lapped), "Causality violation";
    // The fence of a wake comes before every reclaim, in the mode in which models run.
    lapped_without_r2: "value/cell R2 + event N2" off in || check(lapped), "Causality violation";
    lapped_without_r3: "value/cell R3" off in || check(lapped), "Causality violation";
    lapped_without_h3: "value/cell H3" off in || check(lapped), "Causality violation";
    lapped_without_c4: "value/cell C4" off in || check(lapped), "another message";
    lapped_without_p1: "value/cell P1" off in || check(lapped), "another message";
    looked_at_without_c1: "value/cell C1" off in || check(looked_at), "Causality violation";
    lapped_without_p2: "value/cell P2" off in || check(lapped), "Causality violation";
    lapped_without_c3: "value/cell C3" off in || check(lapped), "Causality violation";
    reclaimed_without_s2: "value/cell/retired S2 + event N2" off in || check(reclaimed_by_two), "Causality violation";
    looked_at_without_p3: "value/cell P3" off in || check(looked_at), "Causality violation";
}
