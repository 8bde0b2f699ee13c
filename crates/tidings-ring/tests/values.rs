//! Lossy rings of values: borrowed, cloned, dropped in time, once.
#![cfg(not(loom))]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};
use tidings_ring::{RecvError, TryRecvError, ValueRef, value_channel};

/// Counts the instances that are alive.
struct Counted(Arc<AtomicUsize>, u64);

impl Counted {
    fn new(alive: &Arc<AtomicUsize>, number: u64) -> Self {
        alive.fetch_add(1, SeqCst);
        Self(Arc::clone(alive), number)
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        Self::new(&self.0, self.1)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        assert_ne!(self.0.fetch_sub(1, SeqCst), 0, "dropped twice");
    }
}

#[test]
fn a_value_is_borrowed_or_cloned() {
    let (publisher, subscribable) = value_channel::<String>(4);
    let mut subscriber = subscribable.subscribe();
    publisher.publish("a".into());
    publisher.clone().publish("b".into());
    let lent = subscriber.try_recv_ref().unwrap();
    assert_eq!((lent.as_str(), ValueRef::sequence(&lent)), ("a", 0));
    drop(lent);
    assert_eq!(subscriber.try_recv(), Ok("b".to_owned()));
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
    drop(publisher);
    assert_eq!(subscriber.recv(), Err(RecvError));
}

#[test]
fn a_borrowed_value_outlives_its_slot() {
    let alive = Arc::new(AtomicUsize::new(0));
    let (publisher, subscribable) = value_channel::<Counted>(2);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(Counted::new(&alive, 0));
    let lent = subscriber.try_recv_ref().unwrap();
    (1..200).for_each(|n| publisher.publish(Counted::new(&alive, n)));
    publisher.clear();
    assert_eq!((lent.1, alive.load(SeqCst)), (0, 1));
    drop(lent);
    publisher.clear();
    assert_eq!(alive.load(SeqCst), 0);
}

#[test]
fn what_was_overwritten_is_counted() {
    let (publisher, subscribable) = value_channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    (0..10).for_each(|n| publisher.publish(n));
    assert_eq!(
        subscriber.try_recv(),
        Err(TryRecvError::Lagged { skipped: 6 })
    );
    assert_eq!(subscriber.try_recv(), Ok(6));
    assert_eq!(subscriber.latest(), Some(9));
    assert_eq!(
        (subscriber.total_received(), subscriber.total_lagged()),
        (2, 8)
    );
}

#[test]
fn values_are_dropped_once_and_not_kept_for_long() {
    let alive = Arc::new(AtomicUsize::new(0));
    let (publisher, subscribable) = value_channel(8);
    let mut subscriber = subscribable.subscribe();
    for n in 0..1000 {
        publisher.publish(Counted::new(&alive, n));
        assert!(alive.load(SeqCst) <= 8 + 32 + 1, "{}", alive.load(SeqCst));
        if n % 3 == 0 {
            let _ = subscriber.try_recv();
        }
    }
    drop((publisher, subscribable));
    assert_ne!(
        alive.load(SeqCst),
        0,
        "the subscriber can still receive them"
    );
    drop(subscriber);
    assert_eq!(alive.load(SeqCst), 0);
}

#[test]
fn a_cleared_ring_holds_nothing_and_goes_on() {
    let alive = Arc::new(AtomicUsize::new(0));
    let (publisher, subscribable) = value_channel(4);
    let mut subscriber = subscribable.subscribe();
    (0..3).for_each(|n| publisher.publish(Counted::new(&alive, n)));
    publisher.clear();
    assert_eq!(alive.load(SeqCst), 0);
    publisher.publish(Counted::new(&alive, 7));
    let mut seen = Vec::new();
    subscriber.read_batch(9, |value, _| seen.push(value.1));
    assert_eq!(seen, [7]);
    assert_eq!(
        (subscriber.total_lagged(), subscriber.total_aborted()),
        (4, 3)
    );
}

#[test]
fn a_leaked_borrow_keeps_its_value_until_the_next() {
    let alive = Arc::new(AtomicUsize::new(0));
    let (publisher, subscribable) = value_channel(2);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(Counted::new(&alive, 0));
    std::mem::forget(subscriber.try_recv_ref().unwrap());
    publisher.clear();
    assert_eq!(alive.load(SeqCst), 1);
    assert!(subscriber.try_recv_ref().is_err());
    publisher.clear();
    assert_eq!(alive.load(SeqCst), 0);
}

#[test]
fn a_destructor_that_panics_loses_no_other_value() {
    struct Bomb(Arc<AtomicUsize>, bool);
    impl Drop for Bomb {
        fn drop(&mut self) {
            self.0.fetch_add(1, SeqCst);
            assert!(!self.1 || std::thread::panicking(), "as asked");
        }
    }
    for at in 0..20 {
        let dropped = Arc::new(AtomicUsize::new(0));
        let (publisher, subscribable) = value_channel(4);
        (0..20).for_each(|n| publisher.publish(Bomb(Arc::clone(&dropped), n == at)));
        let cleared = catch_unwind(AssertUnwindSafe(|| publisher.clear()));
        let ended = catch_unwind(AssertUnwindSafe(|| drop((publisher, subscribable))));
        assert!(cleared.is_err() || ended.is_err());
        assert_eq!(dropped.load(SeqCst), 20);
    }
}

#[test]
fn a_clone_that_panics_concerns_nobody_else() {
    #[derive(Debug)]
    struct Once;
    impl Clone for Once {
        fn clone(&self) -> Self {
            panic!("as asked")
        }
    }
    let (publisher, subscribable) = value_channel(4);
    let (mut one, mut two) = (subscribable.subscribe(), subscribable.subscribe());
    publisher.publish(Once);
    assert!(catch_unwind(AssertUnwindSafe(|| one.try_recv().map(|_| ()))).is_err());
    assert_eq!((one.total_received(), one.cursor()), (1, 1));
    assert!(two.try_recv_ref().is_ok());
}

#[test]
fn threads_share_values_until_the_last_has_gone() {
    const EACH: u64 = if cfg!(miri) { 40 } else { 10_000 };
    let alive = Arc::new(AtomicUsize::new(0));
    let (publisher, subscribable) = value_channel::<Counted>(4);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let (publisher, alive) = (publisher.clone(), &alive);
            scope.spawn(move || (0..EACH).for_each(|n| publisher.publish(Counted::new(alive, n))));
        }
        for _ in 0..2 {
            let mut subscriber = subscribable.subscribe();
            let start = subscriber.cursor();
            scope.spawn(move || {
                while let Ok(value) = subscriber.recv_ref() {
                    assert!(value.1 < EACH);
                }
                let seen = subscriber.total_received() + subscriber.total_lagged();
                assert_eq!(seen, subscriber.cursor() - start);
            });
        }
        drop(publisher);
    });
    drop(subscribable);
    assert_eq!(alive.load(SeqCst), 0);
}
