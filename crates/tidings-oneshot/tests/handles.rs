//! Handles: who counts, who keeps what alive, who may take the value, and how the announcer learns that nobody hears.
//!
//! The executor is the one of the ring's tests.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "../../tidings-core/tests/support/wakers/ledger.rs"]
mod ledger;
#[path = "support/scene.rs"]
mod scene;

use counter::Counter;
use executor::{block_on, poll_once, poll_with};
use guard::ends;
use ledger::Ledger;
use scene::{CAUSES, announced, closed, panics};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tidings_core::wait::Deadline;
use tidings_oneshot::{Announced, Announcement, StaticAnnouncement};

#[test]
fn listeners_and_guards_are_counted_and_nothing_else() {
    let announcement = announced(1);
    let listener = announcement.listener();
    let others = (announcement.clone(), listener.downgrade());
    assert_eq!(announcement.listener_count(), 1);
    let guard = listener.guard().unwrap();
    let all = (listener.clone(), guard.clone());
    assert_eq!(listener.listener_count(), 4);
    drop((all, others, guard));
    assert_eq!(announcement.listener_count(), 1);
    drop(listener);
    assert_eq!(announcement.listener_count(), 0);
}

#[test]
fn every_announcer_knows_the_number_of_listeners() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let _listeners = [announcement.listener(), announcement.listener()];
    assert_eq!(announcer.listener_count(), 2);
    assert_eq!(announcer.into_shared().listener_count(), 2);
}

#[test]
fn listeners_in_bulk_are_counted_at_once() {
    let (announcer, announcement) = Announcement::new();
    let mut bulk = announcement.listeners(5);
    assert_eq!((bulk.len(), announcement.listener_count()), (5, 5));
    let first: Vec<_> = bulk.by_ref().take(2).collect();
    assert_eq!((bulk.len(), bulk.size_hint()), (3, (3, Some(3))));
    drop(bulk);
    assert_eq!(announcement.listener_count(), 2);
    announcer.announce('x').unwrap();
    assert!(first.iter().all(|listener| listener.get() == Some(&'x')));
}

#[test]
fn bulk_that_is_used_up_stays_so() {
    let (_announcer, announcement) = Announcement::<u8>::new();
    assert_eq!(announcement.listeners(0).count(), 0);
    let mut bulk = announcement.listeners(1);
    assert!(bulk.next().is_some() && bulk.next().is_none() && bulk.next().is_none());
    assert_eq!(announcement.listener_count(), 0);
}

/// What was not taken out of it is a listener, too.
#[test]
fn bulk_keeps_its_channel() {
    let announcement = announced(String::from("kept"));
    let mut bulk = announcement.listeners(2);
    drop((bulk.next(), announcement));
    let last = bulk.next().unwrap();
    drop(bulk);
    assert_eq!(last.into_inner().unwrap(), "kept");
}

#[test]
fn too_many_listeners_are_refused_before_the_count_runs_over() {
    let (_announcer, announcement) = Announcement::<u8>::new();
    panics(|| announcement.listeners(usize::MAX));
    panics(|| announcement.listeners((1 << 31) + 1));
    let most = [(); 2].map(|()| announcement.listeners(1 << 30));
    panics(|| announcement.listeners(1));
    panics(|| announcement.listener());
    let weak = { most }.map(|mut bulk| bulk.next().unwrap().downgrade());
    assert_eq!(announcement.listener_count(), 0);
    assert!(weak[0].upgrade().is_some());
}

#[test]
fn a_guard_keeps_the_value_after_everything_else_is_gone() {
    let announcement = announced(String::from("kept"));
    let guard = announcement.listener().guard().unwrap();
    drop(announcement);
    let clone = guard.clone();
    drop(guard);
    assert_eq!(
        (clone.len(), AsRef::<String>::as_ref(&clone).as_str()),
        (4, "kept")
    );
}

#[test]
fn a_listener_becomes_a_guard_without_being_counted_again() {
    let announcement = announced(1);
    let listener = announcement.listener();
    let guard = listener.into_guard().unwrap();
    assert_eq!((*guard, announcement.listener_count()), (1, 1));
}

#[test]
fn without_a_value_there_is_no_guard_and_the_listener_comes_back() {
    let (announcer, announcement) = Announcement::new();
    let listener = announcement.listener();
    assert!(listener.guard().is_none());
    let listener = listener.into_guard().unwrap_err();
    assert_eq!(announcement.listener_count(), 1);
    announcer.announce(2).unwrap();
    assert_eq!(*listener.guard().unwrap(), 2);
    for cause in CAUSES {
        let listener = closed::<u8>(cause).listener();
        assert!(listener.guard().is_none() && listener.into_guard().is_err());
    }
}

/// Not `Clone`, to be sure that it is the value itself.
#[derive(Debug, PartialEq)]
struct Plain(Box<u8>);

#[test]
fn the_last_owner_takes_the_value_whatever_it_is() {
    let value = || Plain(Box::new(1));
    assert_eq!(announced(value()).into_inner().unwrap(), value());
    let last = || announced(value()).listener();
    assert_eq!(last().into_inner().unwrap(), value());
    assert_eq!(
        Announced::into_inner(last().into_guard().unwrap()).unwrap(),
        value()
    );
}

#[test]
fn nobody_takes_a_value_that_another_handle_can_reach() {
    let announcement = announced(Plain(Box::new(2)));
    let listener = announcement.listener();
    let guard = listener.guard().unwrap();
    let announcement = announcement.into_inner().unwrap_err();
    let guard = Announced::into_inner(guard).unwrap_err();
    drop(announcement);
    let listener = listener.into_inner().unwrap_err();
    drop(guard);
    assert_eq!(listener.into_inner().unwrap(), Plain(Box::new(2)));
}

#[test]
fn nobody_takes_what_was_not_announced() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let announcement = announcement.into_inner().unwrap_err();
    drop(announcer);
    assert!(announcement.into_inner().unwrap_err().is_closed());
    assert!(closed::<u8>(CAUSES[0]).listener().into_inner().is_err());
}

#[test]
fn a_shared_announcer_is_an_owner_until_it_goes() {
    let (announcer, announcement) = Announcement::new();
    let announcer = announcer.into_shared();
    announcer.announce(3).unwrap();
    let announcement = announcement.into_inner().unwrap_err();
    drop(announcer);
    assert_eq!(announcement.into_inner().unwrap(), 3);
}

#[test]
fn weak_listeners_and_a_watch_do_not_keep_the_value_from_being_taken() {
    let (announcer, announcement) = Announcement::new();
    let listener = announcement.listener();
    let weak = listener.downgrade();
    drop(announcement);
    assert!(poll_once(&mut announcer.abandoned()).is_pending());
    announcer.announce(Plain(Box::new(3))).unwrap();
    assert_eq!(listener.into_inner().unwrap(), Plain(Box::new(3)));
    assert!(weak.upgrade().is_none());
}

#[test]
fn a_weak_listener_is_upgraded_while_somebody_can_hear() {
    let (announcer, announcement) = Announcement::new();
    let weak = announcement.listener().downgrade();
    let listener = weak.upgrade().unwrap();
    drop(announcement);
    assert!(weak.clone().upgrade().is_some());
    announcer.announce(5).unwrap();
    let guard = listener.into_guard().unwrap();
    assert_eq!(weak.upgrade().unwrap().get(), Some(&5));
    drop(guard);
    assert!(weak.upgrade().is_none());
}

#[test]
fn a_weak_listener_keeps_neither_the_value_nor_the_interest_of_an_announcer() {
    let value = Arc::new(());
    let (announcer, announcement) = Announcement::new();
    let weak = announcement.listener().downgrade();
    drop(announcement);
    assert!(announcer.is_abandoned());
    assert!(weak.upgrade().is_none());
    announcer.announce(Arc::clone(&value)).unwrap();
    assert_eq!(Arc::strong_count(&value), 1);
    let announcement = announced(Arc::clone(&value));
    let weak = (weak, announcement.listener().downgrade());
    drop(announcement);
    assert_eq!(Arc::strong_count(&value), 1);
    assert!(weak.1.clone().upgrade().is_none());
}

#[test]
fn handles_of_one_channel_know_each_other() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let (listener, other) = (announcement.listener(), Announcement::<u8>::new().1);
    assert!(announcement.same_channel(&listener) && listener.same_channel(&announcement));
    assert!(listener.same_channel(&listener.downgrade().upgrade().unwrap()));
    assert!(announcer.same_channel(&announcement) && !announcer.same_channel(&other));
    assert!(!other.same_channel(&listener));
    let shared = announcer.into_shared();
    assert!(shared.same_channel(&listener) && shared.clone().same_channel(&shared));
    let fixed = [StaticAnnouncement::<u8>::new(), StaticAnnouncement::new()];
    assert!(fixed[0].same_channel(&fixed[0]) && !fixed[0].same_channel(&fixed[1]));
    let guard = announced(1).listener().guard().unwrap();
    assert!(!Announced::same_channel(&guard, &announced(1)));
}

#[test]
fn a_channel_is_abandoned_when_nobody_can_hear_and_stays_so() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let listener = announcement.listener();
    drop(announcement);
    assert!(!announcer.is_abandoned());
    drop(listener);
    assert!(announcer.is_abandoned());
    assert!(poll_once(&mut announcer.abandoned()).is_ready());
    assert!(announcer.is_abandoned());
}

#[test]
fn an_announcer_waits_as_a_task_for_the_end_of_the_last_hearer() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let (counter, waker) = Counter::with_waker();
    let listener = announcement.listener();
    let mut abandoned = announcer.abandoned();
    assert!(poll_with(&mut abandoned, &waker).is_pending());
    drop(announcement);
    assert_eq!(counter.count(), 0, "a listener is left");
    drop(listener);
    assert_eq!(counter.count(), 1);
    block_on(&mut abandoned);
    block_on(abandoned);
}

#[test]
fn guards_and_bulk_are_waited_for_too() {
    let (announcer, announcement) = Announcement::new();
    let announcer = announcer.into_shared();
    let (counter, waker) = Counter::with_waker();
    announcer.announce(1).unwrap();
    let bulk = announcement.listeners(3);
    let guard = announcement.listener().into_guard().unwrap();
    drop(announcement);
    assert!(poll_with(&mut announcer.abandoned(), &waker).is_pending());
    let mut abandoned = announcer.abandoned();
    assert!(poll_with(&mut abandoned, &waker).is_pending());
    drop(bulk);
    assert!(!announcer.is_abandoned());
    drop(guard);
    assert_eq!(counter.count(), 1, "the first one was given up");
    assert!(poll_once(&mut abandoned).is_ready());
}

#[test]
fn every_task_that_waits_for_the_abandonment_is_woken() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let announcers = [(); 4].map({
        let announcer = announcer.into_shared();
        move |()| announcer.clone()
    });
    let ledger = Ledger::default();
    let mut waits = announcers.each_ref().map(|announcer| announcer.abandoned());
    for wait in &mut waits {
        assert!(poll_with(wait, &ledger.waker()).is_pending());
    }
    drop(announcement);
    assert_eq!((ledger.wakes(), ledger.alive()), (4, 0));
}

#[test]
fn a_wait_for_the_abandonment_takes_its_waker_along() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let ledger = Ledger::default();
    let mut wait = announcer.abandoned();
    assert!(poll_with(&mut wait, &ledger.waker()).is_pending());
    drop(wait);
    assert_eq!(ledger.alive(), 0);
    drop(announcer);
    assert!(announcement.is_closed());
}

/// The watch is the announcer's: whoever ends the channel later frees it, in any order.
#[test]
fn an_announcer_that_watched_may_go_first() {
    for watches in 0..3 {
        let (announcer, announcement) = Announcement::new();
        let weak = announcement.listener().downgrade();
        for _ in 0..watches {
            assert!(poll_once(&mut announcer.abandoned()).is_pending());
        }
        announcer.announce(String::from("read")).unwrap();
        let listener = announcement.listener();
        drop(announcement);
        assert_eq!(listener.get().unwrap(), "read");
        drop(listener);
        assert!(weak.upgrade().is_none());
    }
}

#[test]
fn an_announcer_waits_as_a_thread_for_the_end_of_the_last_hearer() {
    ends(|| {
        let (announcer, announcement) = Announcement::<u8>::new();
        let listener = announcement.listener();
        let leaver = thread::spawn(move || drop((announcement, listener)));
        announcer.abandoned_blocking();
        assert!(announcer.is_abandoned());
        assert!(announcer.abandoned_timeout_blocking(Duration::ZERO));
        assert!(announcer.abandoned_timeout_blocking(Duration::MAX));
        assert!(announcer.abandoned_deadline_blocking(Deadline::at(Instant::now())));
        announcer.into_shared().abandoned_blocking();
        leaver.join().unwrap();
    });
}

#[test]
fn an_announcer_that_is_heard_waits_until_its_time_is_over() {
    let (announcer, announcement) = Announcement::<u8>::new();
    for brief in [
        Duration::ZERO,
        Duration::from_nanos(1),
        Duration::from_micros(100),
    ] {
        assert!(!announcer.abandoned_timeout_blocking(brief));
        assert!(!announcer.abandoned_deadline_blocking(Deadline::after(brief)));
    }
    let announcer = announcer.into_shared();
    assert!(!announcer.abandoned_timeout_blocking(Duration::ZERO));
    assert!(!announcer.abandoned_deadline_blocking(Deadline::at(Instant::now())));
    drop(announcement);
    assert!(announcer.abandoned_timeout_blocking(Duration::MAX));
}

/// It runs in the drop of a listener, whose thread it unwinds; the count is right, the others are woken, nothing leaks.
#[test]
fn a_waker_of_the_announcer_may_panic() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let listener = announcement.listener();
    drop(announcement);
    let (bomb, ledger) = (Ledger::calling(|| panic!("on purpose")), Ledger::default());
    let mut waits = [(); 3].map(|()| announcer.abandoned());
    for (wait, ledger) in waits.iter_mut().zip([&ledger, &bomb, &ledger]) {
        assert!(poll_with(wait, &ledger.waker()).is_pending());
    }
    panics(|| drop(listener));
    assert_eq!((bomb.wakes(), ledger.wakes()), (1, 2));
    assert!(announcer.is_abandoned());
}
