//! Models of orders among subscribers, on the shipped types; each beside mutants that must fail.
#![cfg(loom)]
#![allow(unsafe_code)] // values behind loom's cells, by which loom sees who shares them

#[macro_use]
#[path = "../../tidings-core/tests/support/rows.rs"]
mod rows;

use loom::{cell::UnsafeCell, model::Builder as Model, sync::Arc, thread};
use tidings_ring::{Builder, Gating, Publisher, Subscribable, WaitStrategy, event_channel};

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Model::new();
    builder.preemption_bound.get_or_insert(2);
    builder.check(model);
}

fn ring(capacity: usize) -> (Publisher<u64, Gating>, Subscribable<u64, Gating>) {
    let builder = Builder::new(capacity).wait(WaitStrategy::Park);
    builder.gating().unwrap()
}

/// What an upstream's handler does beside its message.
struct Beside(UnsafeCell<u64>);

// SAFETY: that it is not shared in a conflicting way is what loom checks.
unsafe impl Sync for Beside {}
// SAFETY: as above.
unsafe impl Send for Beside {}

impl Beside {
    fn new() -> Arc<Self> {
        Arc::new(Self(UnsafeCell::new(0)))
    }

    fn set(&self, number: u64) {
        // SAFETY: loom checks it.
        self.0.with_mut(|beside| unsafe { *beside = number });
    }

    fn get(&self) -> u64 {
        // SAFETY: loom checks it.
        self.0.with(|beside| unsafe { *beside })
    }
}

/// What the upstream did with a message is there when the downstream sees it.
fn done() {
    let (mut publisher, subscribable) = event_channel(2, || 0);
    let mut first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    assert!(publisher.try_publish(|n| *n = 7).is_ok());
    let beside = Beside::new();
    let theirs = Arc::clone(&beside);
    let upstream = thread::spawn(move || {
        assert_eq!(first.read_batch(1, |n, _| theirs.set(*n)), 1);
        first
    });
    second.process(|n| assert_eq!(beside.get(), *n));
    drop(upstream.join().unwrap());
}

/// The same of an upstream that leaves after its message.
fn left() {
    let (mut publisher, subscribable) = event_channel(2, || 0);
    let mut first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    assert!(publisher.try_publish(|n| *n = 7).is_ok());
    let beside = Beside::new();
    let theirs = Arc::clone(&beside);
    let upstream = thread::spawn(move || {
        let message = first.try_recv_ref().unwrap();
        theirs.set(*message);
        // Leaked: only that the subscriber leaves lets the downstream go on.
        core::mem::forget(message);
    });
    second.process(|n| assert_eq!(beside.get(), *n));
    upstream.join().unwrap();
}

/// A downstream that sleeps is woken by its upstream's progress.
fn woken() {
    let (mut publisher, subscribable) = ring(2);
    let mut first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    assert!(publisher.try_publish(7).is_ok());
    let upstream = thread::spawn(move || {
        assert_eq!(first.try_recv(), Ok(7));
        first
    });
    assert_eq!(second.recv(), Ok(7));
    drop(upstream.join().unwrap());
}

/// And by its leaving.
fn woken_by_leaving() {
    let (mut publisher, subscribable) = ring(2);
    let first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    assert!(publisher.try_publish(7).is_ok());
    let upstream = thread::spawn(move || drop(first));
    assert_eq!(second.recv(), Ok(7));
    upstream.join().unwrap();
}

/// The place of an upstream that left is not given to somebody who would then be waited for.
fn not_mistaken() {
    let (mut publisher, subscribable) = ring(2);
    let first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    let newcomer = thread::spawn(move || {
        drop(first);
        subscribable.subscribe()
    });
    assert!(publisher.try_publish(7).is_ok());
    assert_eq!(second.recv(), Ok(7));
    drop(newcomer.join().unwrap());
}

/// A chain ends when the ring does, after the last message went through.
fn closed() {
    let (mut publisher, subscribable) = ring(2);
    let mut first = subscribable.subscribe();
    let mut second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
    let upstream = thread::spawn(move || {
        assert_eq!(first.recv(), Ok(7));
        assert!(first.recv().is_err());
    });
    assert!(publisher.try_publish(7).is_ok());
    drop(publisher);
    assert_eq!(second.recv(), Ok(7));
    assert!(second.recv().is_err());
    upstream.join().unwrap();
}

models! {
    what_an_upstream_did_comes_before: || check(done);
    what_an_upstream_did_before_it_left_comes_before: || check(left);
    a_sleeping_downstream_is_woken_by_progress: || check(woken);
    a_sleeping_downstream_is_woken_by_leaving: || check(woken_by_leaving);
    a_place_that_was_looked_at_is_given_to_nobody: || check(not_mistaken);
    a_chain_ends_with_the_ring: || check(closed);
}

mutants! {
    done_without_a2: "after A2" off in || check(done), "Causality violation";
    done_without_r2: "gate R2" off in || check(done), "Causality violation";
    left_without_a2: "after A2" off in || check(left), "Causality violation";
    left_without_l1: "gate L1" off in || check(left), "Causality violation";
    woken_without_r3: "gate R3" off in || check(woken), "deadlock";
    woken_without_n2: "event N2" off in || check(woken), "deadlock";
    woken_by_leaving_without_r3: "gate R3" off in || check(woken_by_leaving), "deadlock";
}
