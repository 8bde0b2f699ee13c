//! Waiting as a task: the futures, one poll at a time.
//!
//! The executor is the one of the ring's tests.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/wakers/ledger.rs"]
mod ledger;
#[path = "support/scene.rs"]
mod scene;

use counter::Counter;
use executor::{block_on, poll_once, poll_with};
use ledger::Ledger;
use scene::{CAUSES, announced, closed, end, panics};
use std::cell::Cell;
use std::future::{IntoFuture, pending, ready};
use std::pin::pin;
use std::task::Poll;
use tidings_oneshot::{Announcement, ListenError};

const CLOSED: ListenError = ListenError::Closed;

#[test]
fn a_wait_is_pending_until_the_announcement_and_woken_by_it_once() {
    let (announcer, announcement) = Announcement::new();
    let listener = announcement.listener();
    let (counter, waker) = Counter::with_waker();
    let mut wait = listener.wait();
    assert!(poll_with(&mut wait, &waker).is_pending());
    assert!(poll_with(&mut wait, &waker).is_pending());
    announcer.announce(1).unwrap();
    assert_eq!(counter.count(), 1);
    assert_eq!(poll_with(&mut wait, &waker), Poll::Ready(Ok(&1)));
}

#[test]
fn a_wait_is_woken_by_every_kind_of_close() {
    for cause in CAUSES {
        let (announcer, announcement) = Announcement::<u8>::new();
        let (counter, waker) = Counter::with_waker();
        let mut wait = announcement.wait();
        assert!(poll_with(&mut wait, &waker).is_pending());
        end(announcer, cause);
        assert_eq!(counter.count(), 1);
        assert_eq!(poll_once(&mut wait), Poll::Ready(Err(CLOSED)));
        assert_eq!(announcement.close_cause(), Some(cause));
    }
}

#[test]
fn a_wait_that_was_ready_is_ready_again_with_the_same() {
    let listener = announced(5).listener();
    let mut wait = listener.wait();
    assert_eq!(
        [(); 3].map(|()| poll_once(&mut wait)),
        [Poll::Ready(Ok(&5)); 3]
    );
    let listener = closed::<u8>(CAUSES[0]).listener();
    let mut wait = listener.wait();
    assert_eq!(
        [(); 3].map(|()| poll_once(&mut wait)),
        [Poll::Ready(Err(CLOSED)); 3]
    );
}

#[test]
fn a_cloning_wait_gives_a_clone_each_time() {
    let (announcer, announcement) = Announcement::new();
    let mut listen = announcement.listen();
    assert!(poll_once(&mut listen).is_pending());
    announcer.announce(String::from("text")).unwrap();
    for _ in 0..2 {
        let text: String = block_on(&mut listen).unwrap();
        assert_eq!(text, "text");
    }
}

#[test]
fn a_borrowed_listener_is_awaited_for_a_reference() {
    let listener = announced(String::from("lent")).listener();
    let text: &str = block_on(async { (&listener).await }).unwrap();
    assert_eq!(text, "lent");
    let board = &*listener;
    assert_eq!(
        block_on(board.into_future()).map(String::as_str),
        Ok("lent")
    );
}

#[test]
fn a_listener_itself_is_awaited_for_a_guard() {
    let listener = announced(String::from("owned")).listener();
    let guard = block_on(async move { listener.await }).unwrap();
    assert_eq!(guard.as_str(), "owned");
    let listener = closed::<String>(CAUSES[1]).listener();
    assert_eq!(block_on(listener.into_future()).err(), Some(CLOSED));
}

#[test]
fn an_owned_wait_that_was_ready_is_ready_again_with_another_guard() {
    let mut wait = announced(7).listener().into_future();
    let guards = [(); 2].map(|()| block_on(&mut wait).unwrap());
    assert!(std::ptr::eq(&*guards[0], &*guards[1]));
    drop(wait);
    assert_eq!((*guards[0], *guards[1]), (7, 7));
}

/// It keeps the value, too, and counts as somebody who hears.
#[test]
fn an_owned_wait_is_a_listener_until_it_is_dropped() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let mut wait = announcement.listener().into_future();
    drop(announcement);
    assert!(poll_once(&mut wait).is_pending());
    assert_eq!(
        (announcer.listener_count(), announcer.is_abandoned()),
        (1, false)
    );
    drop(wait);
    assert_eq!(
        (announcer.listener_count(), announcer.is_abandoned()),
        (0, true)
    );
}

#[test]
fn futures_may_move_between_polls() {
    let (announcer, announcement) = Announcement::new();
    let ledger = Ledger::default();
    let mut waits: Vec<_> = (0..20).map(|_| announcement.wait()).collect();
    let mut owned = [(); 3].map(|()| Box::new(announcement.listener().into_future()));
    for wait in &mut waits {
        assert!(poll_with(wait, &ledger.waker()).is_pending());
    }
    for wait in &mut owned {
        assert!(poll_with(&mut **wait, &ledger.waker()).is_pending());
    }
    waits.reverse();
    let mut owned = owned.map(|wait| *wait);
    announcer.announce(1).unwrap();
    assert_eq!(ledger.wakes(), 23);
    assert!(
        waits
            .iter_mut()
            .all(|wait| poll_once(wait) == Poll::Ready(Ok(&1)))
    );
    assert!(owned.iter_mut().all(|wait| poll_once(wait).is_ready()));
}

#[test]
fn every_wait_of_one_listener_is_woken() {
    for waits in [1, 2, 3, 30] {
        let (announcer, announcement) = Announcement::new();
        let listener = announcement.listener();
        let ledgers: Vec<_> = (0..waits).map(|_| Ledger::default()).collect();
        let mut waiting: Vec<_> = ledgers.iter().map(|_| listener.wait()).collect();
        for (wait, ledger) in waiting.iter_mut().zip(&ledgers) {
            assert!(poll_with(wait, &ledger.waker()).is_pending());
        }
        announcer.announce(0).unwrap();
        assert!(ledgers.iter().all(|ledger| ledger.wakes() == 1));
    }
}

#[test]
fn only_the_waker_of_the_last_poll_is_kept_and_woken() {
    let (announcer, announcement) = Announcement::new();
    let (first, second) = (Ledger::default(), Ledger::default());
    let mut wait = announcement.wait();
    assert!(poll_with(&mut wait, &first.waker()).is_pending());
    assert!(poll_with(&mut wait, &second.waker()).is_pending());
    assert_eq!((first.alive(), second.alive()), (0, 1));
    announcer.announce(0).unwrap();
    assert_eq!((first.wakes(), second.wakes()), (0, 1));
}

#[test]
fn polls_with_the_same_waker_clone_it_once() {
    let (_announcer, announcement) = Announcement::<u8>::new();
    let ledger = Ledger::default();
    let waker = ledger.waker();
    let mut waits = [(); 4].map(|()| announcement.wait());
    for _ in 0..10 {
        assert!(
            waits
                .iter_mut()
                .all(|wait| poll_with(wait, &waker).is_pending())
        );
    }
    drop(waker);
    assert_eq!((ledger.clones(), ledger.alive()), (4, 4));
    drop(waits);
    assert_eq!(ledger.alive(), 0);
}

#[test]
fn a_wait_that_was_given_up_is_not_woken_and_loses_nothing() {
    let (announcer, announcement) = Announcement::new();
    let (counter, waker) = Counter::with_waker();
    for _ in 0..100 {
        assert!(poll_with(&mut announcement.wait(), &waker).is_pending());
    }
    announcer.announce(3).unwrap();
    assert_eq!(counter.count(), 0);
    assert_eq!(block_on(announcement.wait()), Ok(&3));
}

#[test]
fn a_wait_given_up_after_the_announcement_leaves_nothing_behind() {
    let (announcer, announcement) = Announcement::new();
    let ledger = Ledger::default();
    let mut waits = [(); 5].map(|()| announcement.wait());
    for wait in &mut waits {
        assert!(poll_with(wait, &ledger.waker()).is_pending());
    }
    announcer.announce(3).unwrap();
    drop(waits);
    assert_eq!((ledger.wakes(), ledger.alive()), (5, 0));
}

/// The channel takes the waker along at its end.
#[test]
fn a_wait_that_was_forgotten_leaks_no_waker() {
    for announces in [true, false] {
        let ledger = Ledger::default();
        let (announcer, announcement) = Announcement::new();
        for _ in 0..3 {
            let mut wait = announcement.wait();
            assert!(poll_with(&mut wait, &ledger.waker()).is_pending());
            std::mem::forget(wait);
        }
        assert_eq!(ledger.alive(), 3);
        if announces {
            announcer.announce(1).unwrap();
        } else {
            drop((announcer, announcement));
        }
        assert_eq!(ledger.alive(), 0);
    }
}

#[test]
fn a_timer_that_is_ready_first_ends_the_wait() {
    let (announcer, announcement) = Announcement::new();
    let timed = block_on(announcement.wait_until(ready(())));
    assert_eq!(timed, Err(ListenError::Timeout));
    let timed = block_on(announcement.listen_until(ready(())));
    assert_eq!(timed, Err(ListenError::Timeout));
    announcer.announce(1).unwrap();
    assert_eq!(block_on(announcement.wait_until(pending::<()>())), Ok(&1));
    assert_eq!(block_on(announcement.listen_until(pending::<()>())), Ok(1));
}

#[test]
fn what_was_announced_or_closed_goes_before_the_timer() {
    let announcement = announced(1);
    assert_eq!(block_on(announcement.wait_until(ready(()))), Ok(&1));
    let announcement = closed::<u8>(CAUSES[0]);
    let timed = block_on(announcement.wait_until(ready(())));
    assert_eq!(timed, Err(CLOSED));
}

/// The timer may be any future, also one that may not be moved and one that cannot be polled after its end.
#[test]
fn a_wait_with_a_timer_is_woken_by_either() {
    let ((timer, time), (announcer, announcement)) =
        (Announcement::new(), Announcement::<u8>::new());
    let (counter, waker) = Counter::with_waker();
    let tick = async { assert!(time.wait().await.is_ok()) };
    let mut wait = pin!(announcement.wait_until(tick));
    assert!(poll_with(&mut wait, &waker).is_pending());
    timer.announce(()).unwrap();
    assert_eq!(counter.count(), 1);
    assert_eq!(poll_once(&mut wait), Poll::Ready(Err(ListenError::Timeout)));
    let mut other = pin!(announcement.wait_until(pending::<()>()));
    assert!(poll_with(&mut other, &waker).is_pending());
    announcer.announce(2).unwrap();
    assert_eq!(
        (counter.count(), poll_once(&mut other)),
        (2, Poll::Ready(Ok(&2)))
    );
}

#[test]
fn a_poll_whose_clone_panics_can_be_repeated() {
    struct Shy<'a>(&'a Cell<bool>);
    impl Clone for Shy<'_> {
        fn clone(&self) -> Self {
            assert!(self.0.get(), "on purpose");
            Self(self.0)
        }
    }
    let willing = Cell::new(false);
    let (announcer, announcement) = Announcement::new();
    let mut listen = announcement.listen();
    assert!(poll_once(&mut listen).is_pending());
    announcer.announce(Shy(&willing)).unwrap();
    panics(|| poll_once(&mut listen));
    willing.set(true);
    assert!(poll_once(&mut listen).is_ready());
}

#[test]
fn a_value_is_there_before_anybody_is_woken() {
    let (announcer, announcement) = Announcement::new();
    let inner = announcement.listener();
    let ledger = Ledger::calling(move || {
        assert!(inner.is_announced());
        assert_eq!(poll_once(&mut inner.wait()), Poll::Ready(Ok(&6)));
    });
    let mut waits = [(); 4].map(|()| announcement.wait());
    for wait in &mut waits {
        assert!(poll_with(wait, &ledger.waker()).is_pending());
    }
    announcer.announce(6).unwrap();
    assert_eq!(ledger.wakes(), 4);
}

#[test]
fn tasks_wait_on_any_handle_that_can_read() {
    let (announcer, announcement) = Announcement::new();
    let (announcer, listener) = (announcer.into_shared(), announcement.listener());
    let mut waits = [listener.wait(), announcement.wait(), announcer.wait()];
    assert!(waits.iter_mut().all(|wait| poll_once(wait).is_pending()));
    announcer.announce(4).unwrap();
    assert!(
        waits
            .iter_mut()
            .all(|wait| poll_once(wait) == Poll::Ready(Ok(&4)))
    );
}
