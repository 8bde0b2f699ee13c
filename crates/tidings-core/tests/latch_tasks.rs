//! Tasks that wait for a latch: each is woken once, whoever gives up takes its waker along, whoever is late finds it open.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/wakers/ledger.rs"]
mod ledger;
#[path = "support/wakers/two_steps.rs"]
mod two_steps;

use std::mem::forget;
use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use ledger::Ledger;
use tidings_core::wait::{Latch, LatchKey, Opened};
use two_steps::open_in_two_steps;

/// Numbers of tasks: in the latch itself, in the first table, in several.
const CROWDS: [usize; 6] = [1, 2, 3, 10, 40, if cfg!(miri) { 100 } else { 1_000 }];

fn poll(future: &mut Opened<'_>, waker: &Waker) -> Poll<u32> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

/// So many tasks, one clone of the waker in a seat for each.
fn crowd<'a>(latch: &'a Latch, ledger: &Ledger, tasks: usize) -> Vec<Opened<'a>> {
    let waker = ledger.waker();
    let mut waiting: Vec<_> = (0..tasks).map(|_| latch.opened()).collect();
    for future in &mut waiting {
        assert!(poll(future, &waker).is_pending());
    }
    drop(waker);
    assert_eq!(ledger.alive(), tasks);
    waiting
}

#[test]
fn every_task_is_woken_once() {
    for tasks in CROWDS {
        let (latch, ledger) = (Latch::new(), Ledger::default());
        let mut waiting = crowd(&latch, &ledger, tasks);
        assert!(latch.open(2));
        assert_eq!((ledger.wakes(), ledger.alive()), (tasks, 0));
        for future in &mut waiting {
            assert_eq!(poll(future, Waker::noop()), Poll::Ready(2));
        }
    }
}

#[test]
fn every_task_is_woken_by_itself() {
    let latch = Latch::new();
    let ledgers: Vec<_> = (0..20).map(|_| Ledger::default()).collect();
    let _waiting: Vec<_> = ledgers
        .iter()
        .map(|ledger| crowd(&latch, ledger, 1))
        .collect();
    latch.open(2);
    assert!(ledgers.iter().all(|ledger| ledger.wakes() == 1));
}

#[test]
fn whoever_gives_up_takes_its_waker_along_at_once() {
    for tasks in CROWDS {
        let (latch, ledger) = (Latch::new(), Ledger::default());
        let mut waiting = crowd(&latch, &ledger, tasks);
        while let Some(future) = waiting.pop() {
            drop(future);
            assert_eq!(ledger.alive(), waiting.len());
        }
        latch.open(2);
        assert_eq!(ledger.wakes(), 0);
    }
}

#[test]
fn seats_that_were_given_back_are_taken_again() {
    let (latch, ledger) = (Latch::new(), Ledger::default());
    let mut waiting = crowd(&latch, &ledger, 40);
    for future in waiting.iter_mut().step_by(3) {
        *future = latch.opened();
        assert!(poll(future, &ledger.waker()).is_pending());
    }
    assert_eq!(ledger.alive(), 40);
    latch.open(2);
    assert_eq!((ledger.wakes(), ledger.alive()), (40, 0));
}

#[test]
fn who_is_late_finds_it_open_and_leaves_no_waker() {
    let (latch, ledger) = (Latch::new(), Ledger::default());
    latch.open(9);
    let mut late = latch.opened();
    assert_eq!(poll(&mut late, &ledger.waker()), Poll::Ready(9));
    assert_eq!(poll(&mut late, &ledger.waker()), Poll::Ready(9));
    assert_eq!((latch.code(), ledger.clones()), (Some(9), 0));
}

#[test]
fn a_task_that_looks_late_leaves_its_waker_to_the_opener() {
    for tasks in [1, 3] {
        let (latch, ledger) = (Latch::new(), Ledger::default());
        let waiting = crowd(&latch, &ledger, tasks);
        latch.open(2);
        drop(waiting);
        assert_eq!((ledger.wakes(), ledger.alive()), (tasks, 0));
    }
}

#[test]
fn the_latest_waker_counts() {
    for others in [0, 5] {
        let (latch, old, new) = (Latch::new(), Ledger::default(), Ledger::default());
        let _others = crowd(&latch, &new, others);
        let mut future = crowd(&latch, &old, 1).remove(0);
        assert!(poll(&mut future, &new.waker()).is_pending());
        assert_eq!(old.alive(), 0);
        latch.open(2);
        assert_eq!((old.wakes(), new.wakes()), (0, others + 1));
    }
}

#[test]
fn the_same_waker_is_not_cloned_again() {
    let (latch, ledger) = (Latch::new(), Ledger::default());
    let mut waiting = crowd(&latch, &ledger, 5);
    for future in &mut waiting {
        assert!(poll(future, &ledger.waker()).is_pending());
    }
    assert_eq!(ledger.clones(), 5);
}

#[test]
fn wakers_of_leaked_futures_go_with_the_latch() {
    for tasks in CROWDS {
        let (latch, ledger) = (Latch::new(), Ledger::default());
        crowd(&latch, &ledger, tasks).into_iter().for_each(forget);
        drop(latch);
        assert_eq!((ledger.wakes(), ledger.alive()), (0, 0));
    }
}

#[test]
fn a_latch_that_moves_takes_the_wakers_of_leaked_futures_along() {
    for tasks in [1, 40] {
        let (latch, ledger) = (Latch::new(), Ledger::default());
        crowd(&latch, &ledger, tasks).into_iter().for_each(forget);
        let moved = Box::new(latch);
        let mut future = crowd(&moved, &Ledger::default(), 0);
        future.push(moved.opened());
        assert!(poll(&mut future[0], Waker::noop()).is_pending());
        moved.open(2);
        assert_eq!((ledger.wakes(), ledger.alive()), (tasks, 0));
    }
}

#[test]
fn it_is_opened_once() {
    let latch = Latch::new();
    assert_eq!(latch.code(), None);
    assert!(latch.open(7));
    assert!(!latch.open(8) && !latch.reserve());
    assert_eq!(latch.code(), Some(7));
}

#[test]
fn whoever_reserved_it_opens_it() {
    let (latch, ledger) = (Latch::new(), Ledger::default());
    let mut waiting = Vec::new();
    let opened = open_in_two_steps(&latch, 4, || {
        waiting = crowd(&latch, &ledger, 3);
        assert!(!latch.reserve() && !latch.open(5));
        assert_eq!((latch.code(), ledger.wakes()), (None, 0));
    });
    assert!(opened && !open_in_two_steps(&latch, 6, || ()));
    assert_eq!((latch.code(), ledger.wakes()), (Some(4), 3));
}

#[test]
fn a_code_that_means_shut_is_refused() {
    for code in [0, 1] {
        let latch = Latch::new();
        assert!(catch_unwind(|| latch.open(code)).is_err());
        assert_eq!(latch.code(), None);
        assert!(latch.open(u32::MAX));
        assert_eq!(latch.code(), Some(u32::MAX));
    }
}

#[test]
fn a_latch_fits_a_static() {
    static LATCH: Latch = Latch::new();
    let ledger = Ledger::default();
    let _waiting = crowd(&LATCH, &ledger, 3);
    LATCH.open(2);
    assert_eq!(ledger.wakes(), 3);
}

#[test]
fn latches_and_their_futures_cross_threads_and_panics() {
    fn shared<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + 'static>() {}
    shared::<Latch>();
    shared::<Opened<'static>>();
    shared::<LatchKey>();
}

#[test]
fn debug_shows_the_code_and_who_waits() {
    let latch = Latch::default();
    let _waiting = crowd(&latch, &Ledger::default(), 0);
    let mut future = latch.opened();
    assert!(poll(&mut future, Waker::noop()).is_pending());
    let shown = format!("{future:?}");
    assert!(
        shown.starts_with("Opened(Latch { code: None, waiters: Word { claimed: 1, registered: 1")
    );
}
