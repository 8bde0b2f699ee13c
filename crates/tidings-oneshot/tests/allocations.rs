//! What a channel allocates: itself, and nothing else until a third task waits. Alone in its binary, because the allocator
//! counts for the whole of it.
//!
//! The executor is the one of the ring's tests.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/allocations.rs"]
mod allocations;
#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;

use allocations::allocations;
use executor::poll_once;
use std::future::IntoFuture;
use std::hint::black_box;
use std::time::Duration;
use tidings_core::wait::{Deadline, WaitStrategy};
use tidings_oneshot::{
    Announced, Announcement, Announcer, ListenOwned, Listener, SharedAnnouncer, StaticAnnouncement,
    Wait, WeakListener,
};

const WORD: usize = size_of::<usize>();
type Payload = [u64; 9];

#[test]
fn every_handle_is_one_pointer() {
    let sizes = [
        size_of::<Announcement<Payload>>(),
        size_of::<Announcer<Payload>>(),
        size_of::<SharedAnnouncer<Payload>>(),
        size_of::<Listener<Payload>>(),
        size_of::<WeakListener<Payload>>(),
        size_of::<Announced<Payload>>(),
        size_of::<Option<Listener<Payload>>>(),
        size_of::<Option<Announced<Payload>>>(),
    ];
    assert_eq!(sizes, [WORD; 8]);
}

#[test]
fn a_future_is_a_few_words_whatever_the_value() {
    assert!(size_of::<Wait<'static, Payload>>() <= 6 * WORD);
    assert!(size_of::<ListenOwned<Payload>>() <= 5 * WORD);
    assert_eq!(
        size_of::<Wait<'static, Payload>>(),
        size_of::<Wait<'static, u8>>()
    );
}

#[test]
fn a_channel_is_one_allocation_however_it_ends() {
    assert_eq!(allocations(|| drop(Announcement::<Payload>::new())), 1);
    assert_eq!(
        allocations(|| {
            let (announcer, announcement) = Announcement::new();
            announcer.announce([0_u64; 9]).unwrap();
            drop(announcement.into_inner());
        }),
        1
    );
    assert_eq!(allocations(|| Announcement::<u8>::new().0.close()), 1);
    assert_eq!(
        allocations(|| {
            let (announcer, _) = Announcement::new();
            assert!(announcer.announce_heard(1).is_err());
        }),
        1
    );
}

#[test]
fn a_value_on_hold_or_built_in_place_allocates_nothing_more() {
    let mut channels = [(); 2].map(|()| Some(Announcement::<[u8; 4096]>::new()));
    assert_eq!(
        allocations(|| {
            let (announcer, _kept) = channels[0].take().unwrap();
            announcer.announce_in_place(|place| place.write([1; 4096]));
            let (announcer, _kept) = channels[1].take().unwrap();
            drop(announcer.on_drop([2; 4096]));
        }),
        0
    );
}

#[test]
fn handles_allocate_nothing() {
    let (announcer, announcement) = Announcement::new();
    announcer.announce(1).unwrap();
    assert_eq!(
        allocations(|| {
            let listener = announcement.listener();
            let clones = (
                listener.clone(),
                announcement.clone(),
                announcement.listeners(9),
            );
            let weak = listener.downgrade();
            let guard = listener.guard().unwrap();
            drop((clones, guard.clone(), weak.clone(), weak.upgrade()));
            assert!(listener.into_inner().is_err());
        }),
        0
    );
}

#[test]
fn a_static_channel_allocates_nothing() {
    static CHANNEL: StaticAnnouncement<Payload> = StaticAnnouncement::new();
    assert_eq!(
        allocations(|| {
            assert!(poll_once(&mut CHANNEL.wait()).is_pending());
            CHANNEL.announce([0; 9]).unwrap();
            assert!(CHANNEL.announce([1; 9]).is_err());
        }),
        0
    );
}

/// What so many tasks that wait, and give up, allocate: the first time, the second time, and a hundred times more.
fn rounds(tasks: usize) -> [usize; 3] {
    let (_announcer, announcement) = Announcement::<u8>::new();
    let mut waiting = Vec::with_capacity(tasks);
    let mut round = || {
        waiting.extend((0..tasks).map(|_| announcement.listener().into_future()));
        assert!(waiting.iter_mut().all(|wait| poll_once(wait).is_pending()));
        waiting.clear();
    };
    [
        allocations(&mut round),
        allocations(&mut round),
        allocations(|| (0..100).for_each(|_| round())),
    ]
}

#[test]
fn two_waiting_tasks_allocate_nothing() {
    assert_eq!(rounds(1), [0; 3]);
    assert_eq!(rounds(2), [0; 3]);
}

#[test]
fn more_waiting_tasks_allocate_until_there_is_room_and_then_never_again() {
    for tasks in if cfg!(miri) { [3, 40] } else { [3, 1_000] } {
        let [first, second, more] = rounds(tasks);
        assert!((1..=20).contains(&first), "{tasks} tasks: {first}");
        assert!(second <= 2 && more == 0, "{tasks} tasks: {second}, {more}");
    }
}

/// The shape of a `select!` in a loop, by many workers at once: each round makes a wait, polls it and drops it.
#[test]
fn waits_in_loops_allocate_nothing_once_warm() {
    let (_announcer, announcement) = Announcement::<u8>::new();
    let workers: Vec<_> = announcement.listeners(20).collect();
    let mut waits = Vec::with_capacity(20);
    let mut round = || {
        waits.extend(
            workers
                .iter()
                .map(Listener::clone)
                .map(IntoFuture::into_future),
        );
        assert!(waits.iter_mut().all(|wait| poll_once(wait).is_pending()));
        for step in 0..20 {
            drop(waits.swap_remove((step * 7) % waits.len()));
        }
    };
    (0..3).for_each(|_| round());
    assert_eq!(allocations(|| (0..100).for_each(|_| round())), 0);
}

#[test]
fn waking_and_hearing_allocate_nothing() {
    let (announcer, announcement) = Announcement::new();
    let mut waits: Vec<_> = (0..40).map(|_| announcement.wait()).collect();
    assert!(waits.iter_mut().all(|wait| poll_once(wait).is_pending()));
    assert_eq!(
        allocations(|| {
            announcer.announce(1).unwrap();
            assert!(waits.iter_mut().all(|wait| poll_once(wait).is_ready()));
            waits.clear();
            assert!(poll_once(&mut announcement.wait()).is_ready());
        }),
        0
    );
}

#[test]
fn waiting_threads_allocate_nothing() {
    let brief = || Deadline::after(Duration::from_micros(50));
    let wait = |board: &tidings_oneshot::Board<u8>| {
        assert!(
            board
                .wait_timeout_blocking(Duration::from_micros(50))
                .is_err()
        );
        for strategy in [WaitStrategy::Park, WaitStrategy::ADAPTIVE] {
            assert!(board.wait_blocking_with(&strategy, brief()).is_err());
        }
        assert!(board.wait_timeout_blocking(Duration::ZERO).is_err());
    };
    let ((_one, warm), (_other, fresh)) = (Announcement::new(), Announcement::new());
    wait(&warm);
    assert_eq!(allocations(|| wait(&fresh)), 0);
}

#[test]
fn the_watch_of_an_announcer_allocates_once() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let look = || assert!(poll_once(&mut announcer.abandoned()).is_pending());
    assert_eq!(allocations(|| assert!(!announcer.is_abandoned())), 0);
    assert_eq!(allocations(look), 1);
    assert_eq!(allocations(|| (0..10).for_each(|_| look())), 0);
    assert_eq!(
        allocations(|| assert!(!announcer.abandoned_timeout_blocking(Duration::ZERO))),
        0
    );
    assert_eq!(allocations(|| drop(announcement)), 0);
}

#[test]
fn sharing_an_announcer_allocates_once() {
    let (announcer, _announcement) = Announcement::new();
    let mut shared = None;
    assert_eq!(allocations(|| shared = Some(announcer.into_shared())), 1);
    let shared = shared.unwrap();
    assert_eq!(
        allocations(|| {
            let twin = black_box(shared.clone());
            twin.announce(1).unwrap();
            assert!(shared.announce(2).is_err());
        }),
        0
    );
}
