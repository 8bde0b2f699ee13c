//! Models of the ring's protocols, on the shipped types. For each step that a header calls necessary
//! there is a mutant, the same model without that step, which must fail.
#![cfg(loom)]
#![allow(unsafe_code)] // values behind loom's cells, by which loom sees who shares them

use loom::{cell::UnsafeCell, model::Builder as Model, thread};
use tidings_ring::{
    Builder, EventPublisher, EventSubscribable, EventSubscriber, TryRecvError, WaitStrategy,
    channel, event_channel,
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

fn watched(capacity: usize) -> (EventPublisher<Watched>, EventSubscribable<Watched>) {
    event_channel(capacity, || Watched(UnsafeCell::new(u64::MAX)))
}

/// Publishes the message's own sequence, if there is room.
fn put(publisher: &mut EventPublisher<Watched>) -> bool {
    let n = publisher.published();
    // SAFETY: loom checks it.
    let edit = |value: &mut Watched| value.0.with_mut(|value| unsafe { *value = n });
    publisher.try_publish(edit).is_ok()
}

fn take(subscriber: &mut EventSubscriber<Watched>) -> Option<u64> {
    // SAFETY: loom checks it.
    subscriber.process(|value| value.0.with(|value| unsafe { *value }))
}

/// A lapping publisher and a lossy reader: a message is whole and the one asked for, or not there.
fn slot() {
    let (mut publisher, subscribable) = channel::<[u64; 2]>(1);
    let mut subscriber = subscribable.subscribe();
    let reader = thread::spawn(move || {
        for _ in 0..2 {
            let next = subscriber.cursor();
            match subscriber.try_recv() {
                Ok(pair) => assert_eq!(pair, [next, next], "torn or wrong"),
                Err(TryRecvError::Lagged { skipped }) => {
                    assert_eq!(subscriber.cursor(), next + skipped)
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => {}
            }
        }
    });
    (0..2).for_each(|n| assert!(publisher.try_publish([n, n]).is_ok()));
    reader.join().unwrap();
}

/// A lapping publisher and a drain, which knows from `published` what is out.
fn drain() {
    let (mut publisher, subscribable) = channel::<[u64; 2]>(1);
    let mut subscriber = subscribable.subscribe();
    assert!(publisher.try_publish([0; 2]).is_ok());
    let reader = thread::spawn(move || {
        let mut last = None;
        for [n, m] in subscriber.drain() {
            assert!(n == m && last < Some(n), "torn or wrong");
            last = Some(n);
        }
        assert_eq!(
            subscriber.total_received() + subscriber.total_lagged(),
            subscriber.cursor()
        );
    });
    for n in 1..3 {
        assert!(publisher.try_publish([n, n]).is_ok());
    }
    reader.join().unwrap();
}

/// The same with messages that are validated together.
fn drain_many() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    assert_eq!(publisher.try_publish_batch(&[0, 1, 2, 3]), 4);
    let reader = thread::spawn(move || {
        let mut last = None;
        subscriber.drain().for_each(|n| {
            assert!(last < Some(n), "torn or wrong");
            last = Some(n);
        });
        assert_eq!(
            subscriber.total_received() + subscriber.total_lagged(),
            subscriber.cursor()
        );
    });
    for n in 4..6 {
        assert!(publisher.try_publish(n).is_ok());
    }
    reader.join().unwrap();
}

/// A reader that joins while the publisher laps, and leaves: what it holds is not edited.
fn gate() {
    let (mut publisher, subscribable) = watched(1);
    let reader = thread::spawn(move || {
        let mut subscriber = subscribable.subscribe();
        let next = subscriber.cursor();
        if let Some(value) = take(&mut subscriber) {
            assert_eq!(value, next);
        }
    });
    for _ in 0..3 {
        put(&mut publisher);
    }
    reader.join().unwrap();
}

/// A reader that reads and goes, beside a publisher that follows close behind.
fn given_back() {
    let (mut publisher, subscribable) = watched(1);
    let mut subscriber = subscribable.subscribe();
    assert!(put(&mut publisher));
    let reader = thread::spawn(move || assert_eq!(take(&mut subscriber), Some(0)));
    put(&mut publisher);
    reader.join().unwrap();
}

/// The same with a message that was lent and never given back.
fn leaked() {
    let (mut publisher, subscribable) = watched(1);
    let mut subscriber = subscribable.subscribe();
    assert!(put(&mut publisher));
    let reader = thread::spawn(move || {
        let message = subscriber.try_recv_ref().unwrap();
        // SAFETY: loom checks it.
        assert_eq!(message.0.with(|value| unsafe { *value }), 0);
        core::mem::forget(message);
    });
    put(&mut publisher);
    reader.join().unwrap();
}

/// A reader that joins at the oldest message of a full ring.
fn oldest() {
    let (mut publisher, subscribable) = Builder::new(2).gating::<u64>().unwrap();
    (0..2).for_each(|n| assert!(publisher.try_publish(n).is_ok()));
    let reader = thread::spawn(move || {
        let mut subscriber = subscribable.subscribe_from_oldest();
        let next = subscriber.cursor();
        assert_eq!(
            subscriber.try_recv(),
            Ok(next),
            "the oldest message is held"
        );
    });
    let _ = publisher.try_publish(2);
    reader.join().unwrap();
}

/// A twin made while its model reads on and goes.
fn twin() {
    let (mut publisher, subscribable) = watched(2);
    // The first gate is free again when the twin takes it, so that a look meets the twin's gate first.
    let before = subscribable.subscribe();
    let mut model = subscribable.subscribe();
    drop(before);
    (0..2).for_each(|_| assert!(put(&mut publisher)));
    let reader = thread::spawn(move || {
        let mut twin = model.resubscribe();
        assert_eq!(take(&mut model), Some(0));
        drop(model);
        assert_eq!(take(&mut twin), Some(0));
    });
    put(&mut publisher);
    reader.join().unwrap();
}

/// The last message comes before the close. (S4 has no mutant: here a fence of the wake stands before it.)
fn close() {
    let (mut publisher, subscribable) = channel::<u64>(2);
    let mut subscriber = subscribable.subscribe();
    let reader = thread::spawn(move || match subscriber.try_recv() {
        Ok(n) => assert_eq!(n, 0),
        Err(error) => assert_eq!(error, TryRecvError::Empty, "closed before the last message"),
    });
    assert!(publisher.try_publish(0).is_ok());
    drop(publisher);
    reader.join().unwrap();
}

/// A thread that waits for a message, then for the end.
fn ready() {
    let (mut publisher, subscribable) = Builder::new(2)
        .wait(WaitStrategy::Park)
        .lossy::<u64>()
        .unwrap();
    let mut subscriber = subscribable.subscribe();
    let reader = thread::spawn(move || {
        assert_eq!(subscriber.recv(), Ok(0));
        assert!(subscriber.recv().is_err());
    });
    publisher.publish(0);
    drop(publisher);
    reader.join().unwrap();
}

/// A publisher that waits for room.
fn full() {
    let (mut publisher, subscribable) = Builder::new(1)
        .wait(WaitStrategy::Park)
        .gating::<u64>()
        .unwrap();
    let mut subscriber = subscribable.subscribe();
    publisher.publish(0);
    let reader = thread::spawn(move || {
        assert_eq!(subscriber.try_recv(), Ok(0));
        subscriber
    });
    publisher.publish(1);
    drop(reader.join().unwrap());
}

/// A publisher that waits for room which a dying subscriber leaves.
fn full_and_left() {
    let (mut publisher, subscribable) = Builder::new(1)
        .wait(WaitStrategy::Park)
        .gating::<u64>()
        .unwrap();
    let subscriber = subscribable.subscribe();
    publisher.publish(0);
    let reader = thread::spawn(move || drop(subscriber));
    publisher.publish(1);
    reader.join().unwrap();
}

/// A reader that joins while the publisher waits for room, maybe for the guess of that reader's gate.
fn joined() {
    let (mut publisher, subscribable) = Builder::new(1)
        .wait(WaitStrategy::Park)
        .gating::<u64>()
        .unwrap();
    let reader = thread::spawn(move || {
        let mut subscriber = subscribable.subscribe();
        let start = subscriber.cursor();
        assert!((&mut subscriber).into_iter().eq(start..2));
    });
    publisher.publish(0);
    publisher.publish(1);
    drop(publisher);
    reader.join().unwrap();
}

macro_rules! models {
    ($($model:ident { $($mutant:ident = $step:literal, $symptom:literal;)* })*) => { $(
        mod $model {
            #[test]
            fn holds() {
                super::check(super::$model);
            }
            $(
                #[test]
                fn $mutant() {
                    let name = concat!(stringify!($model), "::", stringify!($mutant));
                    let model = || super::check(super::$model);
                    tidings_core::sync::mutation::must_fail(name, $step, $symptom, model);
                }
            )*
        }
    )* };
}

models! {
    slot {
        fails_without_p1 = "slot P1", "torn or wrong";
        fails_without_p2 = "slot P2", "torn or wrong";
        fails_without_p4 = "slot P4", "torn or wrong";
        fails_without_c1 = "slot C1", "torn or wrong";
        fails_without_c3 = "slot C3", "torn or wrong";
        fails_without_c4 = "slot C4", "torn or wrong";
    }
    drain {
        fails_without_p2 = "slot P2", "torn or wrong";
        fails_without_c3 = "slot C3", "torn or wrong";
        fails_without_c4 = "slot C4", "torn or wrong";
    }
    drain_many {
        fails_without_p1 = "slot P1", "torn or wrong";
        fails_without_p2 = "slot P2", "torn or wrong";
        fails_without_c3 = "slot C3", "torn or wrong";
    }
    gate {
        fails_without_j2 = "gate J2", "Causality violation";
        fails_without_j3 = "gate J3", "Causality violation";
        fails_without_cell_p2 = "cell P2", "Causality violation";
    }
    given_back {
        fails_without_r2 = "gate R2", "Causality violation";
        fails_without_p3 = "gate P3", "Causality violation";
    }
    leaked {
        fails_without_l1 = "gate L1", "Causality violation";
    }
    oldest {
        fails_without_j2 = "gate J2", "the oldest message is held";
        fails_without_j3 = "gate J3", "the oldest message is held";
        fails_without_p2 = "gate P2", "the oldest message is held";
    }
    twin {
        fails_without_p4 = "gate P4", "Causality violation";
        fails_without_t2 = "gate T2", "Causality violation";
    }
    close {
        fails_without_a2 = "cursor A2", "closed before the last message";
    }
    ready {
        fails_without_n2 = "event N2", "deadlock";
        fails_without_w3 = "event W3", "deadlock";
    }
    full {
        fails_without_f1 = "shared F1", "deadlock";
        fails_without_f3 = "shared F3", "deadlock";
        fails_without_w3 = "event W3", "deadlock";
    }
    full_and_left {
        fails_without_n2 = "event N2", "deadlock";
    }
    joined {
        fails_without_j4 = "gate J4", "deadlock";
    }
}
