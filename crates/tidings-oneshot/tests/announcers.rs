//! The other ways to announce: several announcers, a guard that announces, a value built in place, a channel in a `static`.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[path = "support/scene.rs"]
mod scene;

use counter::Counter;
use executor::{block_on, poll_with};
use scene::panics;
use std::cell::RefCell;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering::SeqCst};
use std::thread;
use tidings_oneshot::{
    AnnounceError, AnnounceOnDrop, Announcement, CloseCause, State, StaticAnnouncement,
};

#[test]
fn the_first_of_several_announcers_wins_and_the_others_get_their_value_back() {
    let (announcer, announcement) = Announcement::new();
    let first = announcer.into_shared();
    let second = first.clone();
    second.announce(Box::new(2)).unwrap();
    let lost = first.announce(Box::new(1)).unwrap_err();
    assert_eq!(lost, AnnounceError::AlreadyAnnounced(Box::new(1)));
    assert_eq!(lost.into_inner(), Box::new(1));
    let again = second.announce(Box::new(3));
    assert!(matches!(again, Err(AnnounceError::AlreadyAnnounced(_))));
    assert_eq!(announcement.get(), Some(&Box::new(2)));
}

#[test]
fn the_first_to_close_wins_too() {
    let (announcer, announcement) = Announcement::new();
    let announcers = [announcer.into_shared()].map(|one| (one.clone(), one));
    let (first, second) = &announcers[0];
    assert!(first.close());
    assert!(!second.close() && !first.close());
    let lost = second.announce(1);
    assert_eq!(lost, Err(AnnounceError::AlreadyAnnounced(1)));
    assert_eq!(announcement.close_cause(), Some(CloseCause::Closed));
}

#[test]
fn who_comes_after_the_announcement_closes_nothing() {
    let (announcer, announcement) = Announcement::new();
    let announcer = announcer.into_shared();
    announcer.announce(1).unwrap();
    assert!(!announcer.close());
    drop(announcer);
    assert_eq!(
        (announcement.state(), announcement.get()),
        (State::Announced, Some(&1))
    );
}

#[test]
fn only_the_last_of_several_announcers_closes_when_it_goes() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let first = announcer.into_shared();
    let second = first.clone();
    drop(first);
    assert_eq!(announcement.state(), State::Pending);
    drop(second);
    assert_eq!(announcement.close_cause(), Some(CloseCause::Dropped));
    let (announcer, announcement) = Announcement::<u8>::new();
    let shared = announcer.into_shared();
    panics(|| {
        let _last = shared;
        panic!("on purpose");
    });
    assert_eq!(announcement.close_cause(), Some(CloseCause::Panicked));
}

#[test]
fn a_shared_announcer_reads_what_became_of_the_channel() {
    let (announcer, _announcement) = Announcement::new();
    let announcer = announcer.into_shared();
    assert_eq!((announcer.get(), announcer.is_announced()), (None, false));
    announcer.clone().announce("won").unwrap();
    assert_eq!(announcer.wait_blocking(), Ok(&"won"));
}

#[test]
fn a_shared_announcer_learns_that_nobody_hears() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let announcer = announcer.into_shared();
    assert!(!announcer.is_abandoned());
    let (counter, waker) = Counter::with_waker();
    let mut abandoned = announcer.abandoned();
    assert!(poll_with(&mut abandoned, &waker).is_pending());
    drop(announcement);
    assert_eq!(counter.count(), 1);
    block_on(abandoned);
    assert!(announcer.is_abandoned());
}

#[test]
fn a_value_on_hold_is_announced_when_its_guard_is_dropped() {
    let (announcer, announcement) = Announcement::new();
    let mut held = announcer.on_drop(vec![1]);
    held.push(2);
    assert_eq!((held.len(), announcement.get()), (2, None));
    drop(held);
    assert_eq!(announcement.get(), Some(&vec![1, 2]));
}

#[test]
fn a_value_on_hold_is_announced_also_by_a_panic() {
    let (announcer, announcement) = Announcement::new();
    panics(|| {
        let mut held = announcer.on_drop("began");
        *held = "failed";
        panic!("on purpose");
    });
    assert_eq!(announcement.get(), Some(&"failed"));
}

#[test]
fn a_value_on_hold_is_announced_by_call_or_taken_back() {
    let (announcer, announcement) = Announcement::new();
    drop(announcer.on_drop(1));
    assert_eq!(announcement.get(), Some(&1));
    let (announcer, announcement) = Announcement::new();
    let held = announcer.on_drop(2);
    assert!(AnnounceOnDrop::announcer(&held).same_channel(&announcement));
    let (announcer, value) = AnnounceOnDrop::disarm(held);
    assert_eq!((value, announcement.get()), (2, None));
    announcer.announce(3).unwrap();
    assert_eq!(announcement.get(), Some(&3));
}

#[test]
fn a_value_is_built_where_it_is_read() {
    let (announcer, announcement) = Announcement::<[u8; 5_000]>::new();
    let place = RefCell::new(0);
    announcer.announce_in_place(|room| {
        *place.borrow_mut() = room.as_ptr().addr();
        room.write([3; 5_000])
    });
    let value = announcement.get().unwrap();
    assert_eq!(
        (std::ptr::from_ref(value).addr(), value[4_999]),
        (*place.borrow(), 3)
    );
}

#[test]
fn building_in_place_wakes_who_waits() {
    let (announcer, announcement) = Announcement::new();
    let (counter, waker) = Counter::with_waker();
    let mut wait = announcement.wait();
    assert!(poll_with(&mut wait, &waker).is_pending());
    announcer.announce_in_place(|room| {
        assert_eq!(announcement.get(), None, "not before it is built");
        room.write(5)
    });
    assert_eq!(counter.count(), 1);
    assert_eq!(block_on(wait), Ok(&5));
}

#[test]
fn a_build_that_panics_closes_the_channel() {
    let (announcer, announcement) = Announcement::<u64>::new();
    let (counter, waker) = Counter::with_waker();
    assert!(poll_with(&mut announcement.wait(), &waker).is_pending());
    let mut wait = announcement.wait();
    assert!(poll_with(&mut wait, &waker).is_pending());
    panics(|| announcer.announce_in_place(|_| panic!("on purpose")));
    assert_eq!(announcement.close_cause(), Some(CloseCause::Panicked));
    assert_eq!(counter.count(), 1);
}

/// Somewhere else, which a static keeps in sight of leak checkers.
static ELSEWHERE: AtomicPtr<u64> = AtomicPtr::new(null_mut());

#[test]
fn a_build_that_returns_another_place_is_refused_and_closes() {
    let (announcer, announcement) = Announcement::<u64>::new();
    let elsewhere = Box::leak(Box::new(1));
    ELSEWHERE.store(elsewhere, SeqCst);
    panics(|| announcer.announce_in_place(|_| elsewhere));
    assert_eq!(announcement.close_cause(), Some(CloseCause::Panicked));
}

#[test]
fn a_static_channel_serves_threads_and_tasks() {
    static CHANNEL: StaticAnnouncement<String> = StaticAnnouncement::new();
    let sleeper = thread::spawn(|| CHANNEL.wait_blocking().unwrap().len());
    let (counter, waker) = Counter::with_waker();
    let mut wait = CHANNEL.wait();
    assert!(poll_with(&mut wait, &waker).is_pending());
    CHANNEL.announce(String::from("all")).unwrap();
    assert_eq!((sleeper.join().unwrap(), counter.count()), (3, 1));
    let forever: &'static String = block_on(wait).unwrap();
    assert_eq!(forever, "all");
}

#[test]
fn a_static_channel_is_announced_or_closed_once() {
    let channel = StaticAnnouncement::default();
    channel.announce(1).unwrap();
    assert_eq!(channel.announce(2), Err(AnnounceError::AlreadyAnnounced(2)));
    assert!(!channel.close());
    let channel = StaticAnnouncement::new();
    assert!(channel.close() && !channel.close());
    assert_eq!(channel.announce(3), Err(AnnounceError::AlreadyAnnounced(3)));
    assert_eq!(channel.close_cause(), Some(CloseCause::Closed));
}

#[test]
fn a_channel_in_a_field_drops_its_value_with_itself() {
    let value = Arc::new(());
    let channel = StaticAnnouncement::new();
    channel.announce(Arc::clone(&value)).unwrap();
    assert_eq!(Arc::strong_count(&value), 2);
    drop(channel);
    assert_eq!(Arc::strong_count(&value), 1);
    drop(StaticAnnouncement::<Arc<()>>::new());
}

#[test]
fn a_channel_in_a_field_may_move_between_waits() {
    let channel = StaticAnnouncement::new();
    for _ in 0..3 {
        assert!(poll_with(&mut channel.wait(), std::task::Waker::noop()).is_pending());
    }
    let moved = Box::new(channel);
    moved.announce(1).unwrap();
    assert_eq!(moved.get(), Some(&1));
}
