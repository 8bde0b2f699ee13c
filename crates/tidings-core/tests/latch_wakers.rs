//! Wakers do what they like while a latch clones, wakes or drops them: call back, give up for others, panic.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/guard.rs"]
mod guard;
#[path = "support/wakers/ledger.rs"]
mod ledger;
#[path = "support/wakers.rs"]
mod wakers;

use std::mem::{ManuallyDrop, forget};
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use ledger::Ledger;
use tidings_core::wait::{Latch, Opened};
use wakers::{Act, calling_back};

fn poll(future: &mut Opened<'_>, waker: &Waker) -> Poll<u32> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

/// Polls a new future, which has to wait.
fn wait<'a>(latch: &'a Latch, waker: &Waker) -> Opened<'a> {
    let mut future = latch.opened();
    assert!(poll(&mut future, waker).is_pending());
    future
}

/// What `body` panics with.
fn caught(body: impl FnOnce()) -> Option<&'static str> {
    let payload = catch_unwind(AssertUnwindSafe(body)).err()?;
    Some(payload.downcast_ref().copied().unwrap_or("something else"))
}

fn panicking_on(act: Act, says: &'static str) -> Waker {
    calling_back(move |seen| {
        if seen == act {
            panic_any(says);
        }
    })
}

#[test]
fn a_panicking_waker_keeps_nobody_asleep_and_the_first_panic_goes_on() {
    for steady in [1, 2, 30] {
        let (latch, ledger) = (Latch::new(), Ledger::default());
        let mut waiting = Vec::new();
        for says in ["first", "second", "third"] {
            waiting.push(wait(&latch, &panicking_on(Act::Wake, says)));
            waiting.extend((0..steady).map(|_| wait(&latch, &ledger.waker())));
        }
        let said = caught(|| assert!(latch.open(2)));
        assert_eq!(said, Some("first"));
        assert_eq!((ledger.wakes(), ledger.alive()), (3 * steady, 0));
        assert_eq!(latch.code(), Some(2));
    }
}

/// Panics once more when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic_any(Bomb);
    }
}

#[test]
fn what_a_second_waker_throws_may_panic_when_it_is_dropped() {
    let (latch, ledger) = (Latch::new(), Ledger::default());
    let bomb = calling_back(|act| {
        if act == Act::Wake {
            panic_any(Bomb);
        }
    });
    let _waiting = [
        wait(&latch, &panicking_on(Act::Wake, "first")),
        wait(&latch, &bomb),
        wait(&latch, &ledger.waker()),
    ];
    assert_eq!(caught(|| _ = latch.open(2)), Some("first"));
    assert_eq!(ledger.wakes(), 1);
}

#[test]
fn a_waker_that_cannot_be_cloned_changes_nothing() {
    let (latch, ledger) = (Latch::new(), Ledger::default());
    let mut future = wait(&latch, &ledger.waker());
    let cloning = panicking_on(Act::Clone, "clone");
    assert_eq!(caught(|| _ = poll(&mut future, &cloning)), Some("clone"));
    assert_eq!(caught(|| drop(wait(&latch, &cloning))), Some("clone"));
    latch.open(2);
    assert_eq!((ledger.wakes(), ledger.alive()), (1, 0));
}

/// A waker of which only clones panic when they are dropped; the original is let go by the caller.
fn panicking_when_dropped() -> ManuallyDrop<Waker> {
    ManuallyDrop::new(panicking_on(Act::Drop, "drop"))
}

fn let_go(waker: ManuallyDrop<Waker>) {
    assert_eq!(
        caught(|| drop(ManuallyDrop::into_inner(waker))),
        Some("drop")
    );
}

#[test]
fn a_waker_that_panics_when_it_is_replaced_leaves_the_latch_usable() {
    let (latch, ledger, dropping) = (Latch::new(), Ledger::default(), panicking_when_dropped());
    let mut future = wait(&latch, &dropping);
    let replaced = caught(|| _ = poll(&mut future, &ledger.waker()));
    assert_eq!((replaced, ledger.alive()), (Some("drop"), 0));
    assert!(poll(&mut future, &ledger.waker()).is_pending());
    latch.open(2);
    assert_eq!((ledger.wakes(), ledger.alive()), (1, 0));
    let_go(dropping);
}

#[test]
fn a_waker_that_panics_when_its_future_gives_up_leaves_the_latch_usable() {
    let (latch, ledger, dropping) = (Latch::new(), Ledger::default(), panicking_when_dropped());
    for _ in 0..10 {
        let future = wait(&latch, &dropping);
        assert_eq!(caught(|| drop(future)), Some("drop"));
    }
    let _steady = wait(&latch, &ledger.waker());
    latch.open(2);
    assert_eq!((ledger.wakes(), ledger.alive()), (1, 0));
    let_go(dropping);
}

#[test]
fn a_waker_that_panics_when_the_latch_ends_keeps_no_other_alive() {
    let (latch, ledger, dropping) = (Latch::new(), Ledger::default(), panicking_when_dropped());
    (0..5).for_each(|_| forget(wait(&latch, &ledger.waker())));
    forget(wait(&latch, &dropping));
    (0..5).for_each(|_| forget(wait(&latch, &ledger.waker())));
    assert_eq!(caught(|| drop(latch)), Some("drop"));
    assert_eq!(ledger.alive(), 0);
    let_go(dropping);
}

#[test]
fn a_latch_may_be_opened_while_it_clones_a_waker() {
    static LATCH: Latch = Latch::new();
    let opening = calling_back(|act| {
        if act == Act::Clone {
            LATCH.open(2);
        }
    });
    let mut future = LATCH.opened();
    assert_eq!(poll(&mut future, &opening), Poll::Ready(2));
}

#[test]
fn a_latch_may_be_opened_while_it_drops_a_waker() {
    static LATCH: Latch = Latch::new();
    let ledger = Ledger::default();
    let opening = calling_back(|act| {
        if act == Act::Drop {
            LATCH.open(2);
        }
    });
    let mut future = wait(&LATCH, &opening);
    let _other = wait(&LATCH, &ledger.waker());
    assert_eq!(poll(&mut future, &ledger.waker()), Poll::Ready(2));
    assert_eq!((ledger.wakes(), ledger.alive()), (1, 0));
}

type Siblings = Arc<Mutex<Vec<Opened<'static>>>>;

/// A waker that, whatever happens to it, opens the latch, polls and drops a sibling, and waits itself.
fn meddling(latch: &'static Latch, siblings: &Siblings, opens: bool) -> Waker {
    let siblings = Arc::clone(siblings);
    calling_back(move |_| {
        if opens {
            latch.open(3);
        }
        let sibling = siblings.lock().unwrap().pop();
        if let Some(mut sibling) = sibling {
            let _ = poll(&mut sibling, Waker::noop());
        }
        let mut own = latch.opened();
        let _ = poll(&mut own, Waker::noop());
    })
}

#[test]
fn wakers_may_meddle_with_their_siblings() {
    static LATCHES: [Latch; 2] = [const { Latch::new() }; 2];
    guard::ends(|| {
        for (latch, opens) in LATCHES.iter().zip([false, true]) {
            let (siblings, ledger) = (Siblings::default(), Ledger::default());
            let meddler = meddling(latch, &siblings, opens);
            for _ in 0..20 {
                // Whoever meddles may have opened it.
                let mut pair = [latch.opened(), latch.opened()];
                let _ = poll(&mut pair[0], &meddler);
                let _ = poll(&mut pair[1], &ledger.waker());
                siblings.lock().unwrap().extend(pair);
            }
            latch.open(2);
            assert_eq!(latch.code(), Some(if opens { 3 } else { 2 }));
            siblings.lock().unwrap().clear();
            drop(meddler);
            assert_eq!(ledger.alive(), 0);
        }
    });
}

#[test]
fn a_seat_that_is_left_can_be_taken_by_the_waker_that_is_dropped() {
    static LATCH: Latch = Latch::new();
    let (siblings, ledger) = (Siblings::default(), Arc::new(Ledger::default()));
    let taking = calling_back({
        let (siblings, ledger) = (Arc::clone(&siblings), Arc::clone(&ledger));
        move |act| {
            if act == Act::Drop {
                let taken = wait(&LATCH, &ledger.waker());
                siblings.lock().unwrap().push(taken);
            }
        }
    });
    let mut future = wait(&LATCH, &taking);
    assert!(poll(&mut future, &ledger.waker()).is_pending());
    drop(taking);
    assert_eq!(siblings.lock().unwrap().len(), 2);
    LATCH.open(2);
    assert_eq!((ledger.wakes(), ledger.alive()), (3, 0));
}
