//! Faults that channels of this kind are known for, each shown to be absent here.
//!
//! What concerns memory is in `allocations.rs`. The executor is the one of the ring's tests.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "../../tidings-core/tests/support/wakers/ledger.rs"]
mod ledger;
#[path = "support/scene.rs"]
mod scene;
#[path = "../../tidings-core/tests/support/wakers.rs"]
mod wakers;

use executor::{poll_once, poll_with};
use guard::ends;
use ledger::Ledger;
use scene::{CAUSES, announced, end, panics};
use std::future::{IntoFuture, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::thread;
use std::time::Duration;
use tidings_core::wait::Deadline;
use tidings_oneshot::{Announced, Announcement, ListenError, Listener, Wait};
use wakers::{Act, calling_back};

/// Numbers of waiting tasks: in the channel itself, in one table, in several.
const CROWDS: [usize; 5] = [1, 2, 3, 30, 200];

/// So many waits, polled once with wakers of that ledger.
fn crowd<'a>(listener: &'a Listener<u8>, ledger: &Ledger, tasks: usize) -> Vec<Wait<'a, u8>> {
    let mut waits: Vec<_> = (0..tasks).map(|_| listener.wait()).collect();
    for wait in &mut waits {
        assert!(poll_with(wait, &ledger.waker()).is_pending());
    }
    waits
}

/// Everything that a waker may want of the channel which wakes it.
fn use_all(listener: &Listener<u8>) {
    let clone = listener.clone();
    let _ = poll_once(&mut clone.wait());
    let _ = poll_once(&mut listener.clone().into_future());
    let _ = clone.wait_timeout_blocking(Duration::ZERO);
    drop((clone.guard(), clone.downgrade().upgrade()));
    assert!(clone.into_inner().is_err());
}

#[test]
fn a_waker_may_use_the_channel_that_wakes_it() {
    ends(|| {
        for tasks in CROWDS {
            let (announcer, announcement) = Announcement::new();
            let listener = announcement.listener();
            let inner = listener.clone();
            let ledger = Ledger::calling(move || use_all(&inner));
            let waits = crowd(&listener, &ledger, tasks);
            announcer.announce(1).unwrap();
            assert_eq!(ledger.wakes(), tasks);
            drop(waits);
        }
    });
}

#[test]
fn a_waker_may_use_the_channel_that_closes() {
    ends(|| {
        for cause in CAUSES {
            let (announcer, announcement) = Announcement::new();
            let listener = announcement.listener();
            let inner = listener.clone();
            let ledger = Ledger::calling(move || use_all(&inner));
            let _waits = crowd(&listener, &ledger, 5);
            end(announcer, cause);
            assert_eq!(ledger.wakes(), 5);
        }
    });
}

/// The waits that a woken waker drops are those of its siblings, still in the list of who is to be woken.
#[test]
fn a_waker_may_drop_the_waits_of_its_siblings() {
    ends(|| {
        for tasks in CROWDS {
            let (announcer, announcement) = Announcement::<u8>::new();
            let siblings = Arc::new(Mutex::new(Vec::new()));
            let place = Arc::clone(&siblings);
            let ledger = Ledger::calling(move || drop(std::mem::take(&mut *place.lock().unwrap())));
            for _ in 0..tasks {
                let mut wait = announcement.listener().into_future();
                assert!(poll_with(&mut wait, &ledger.waker()).is_pending());
                siblings.lock().unwrap().push(wait);
            }
            announcer.announce(1).unwrap();
            assert_eq!((ledger.wakes(), announcement.listener_count()), (tasks, 0));
        }
    });
}

#[test]
fn a_waker_that_is_replaced_or_dropped_may_use_the_channel() {
    ends(|| {
        let (announcer, announcement) = Announcement::<u8>::new();
        let listener = announcement.listener();
        let (inner, drops) = (listener.clone(), Arc::new(AtomicUsize::new(0)));
        let count = Arc::clone(&drops);
        let waker = calling_back(move |act| {
            use_all(&inner);
            count.fetch_add(usize::from(act == Act::Drop), SeqCst);
        });
        let mut waits = [(); 4].map(|()| listener.wait());
        for wait in &mut waits {
            assert!(poll_with(wait, &waker).is_pending());
            assert!(poll_once(wait).is_pending(), "replaces it");
            assert!(poll_with(wait, &waker).is_pending());
        }
        drop(waits);
        assert_eq!(drops.load(SeqCst), 8);
        drop((waker, announcer));
    });
}

#[test]
fn a_waker_that_panics_strands_nobody() {
    for tasks in CROWDS {
        let (announcer, announcement) = Announcement::new();
        let listener = announcement.listener();
        let (bomb, ledger) = (Ledger::calling(|| panic!("on purpose")), Ledger::default());
        let _before = crowd(&listener, &ledger, tasks / 2);
        let _bombs = crowd(&listener, &bomb, tasks);
        let mut after = crowd(&listener, &ledger, tasks);
        panics(|| announcer.announce(7));
        assert_eq!((bomb.wakes(), ledger.wakes()), (tasks, tasks + tasks / 2));
        let heard = |wait| poll_once(wait) == Poll::Ready(Ok(&7));
        assert!(after.iter_mut().all(heard));
    }
}

#[test]
fn a_waker_that_panics_does_not_strand_sleeping_threads_either() {
    ends(|| {
        let (announcer, announcement) = Announcement::new();
        let listener = announcement.listener();
        let bomb = Ledger::calling(|| panic!("on purpose"));
        let _waits = crowd(&listener, &bomb, 3);
        let sleepers = [(); 3].map(|()| {
            let listener = listener.clone();
            thread::spawn(move || listener.listen_blocking())
        });
        panics(|| announcer.announce(7));
        let heard = sleepers.map(|sleeper| sleeper.join().unwrap());
        assert_eq!(heard, [Ok(7); 3]);
    });
}

/// The first panic goes on, the value is there, and nothing else is told than what happened.
#[test]
fn of_several_panics_the_announcer_sees_the_first() {
    let (announcer, announcement) = Announcement::new();
    let listener = announcement.listener();
    let count = AtomicUsize::new(0);
    let bomb = Ledger::calling(move || panic!("panic {}", count.fetch_add(1, SeqCst)));
    let _waits = crowd(&listener, &bomb, 5);
    let caught = catch_unwind(AssertUnwindSafe(|| announcer.announce(1))).unwrap_err();
    assert_eq!(caught.downcast_ref::<String>().unwrap(), "panic 0");
    assert_eq!((bomb.wakes(), listener.get()), (5, Some(&1)));
}

#[test]
fn a_waker_that_panics_when_it_is_cloned_leaves_the_channel_whole() {
    let (announcer, announcement) = Announcement::new();
    let listener = announcement.listener();
    let waker = calling_back(|act| assert_ne!(act, Act::Clone, "on purpose"));
    let mut waits = [(); 4].map(|()| listener.wait());
    for wait in &mut waits {
        panics(|| poll_with(wait, &waker));
        assert!(poll_once(wait).is_pending());
        panics(|| poll_with(wait, &waker));
    }
    announcer.announce(1).unwrap();
    assert!(
        waits
            .iter_mut()
            .all(|wait| poll_once(wait) == Poll::Ready(Ok(&1)))
    );
}

#[test]
fn a_waker_that_panics_when_it_is_dropped_gives_its_seat_back() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let listener = announcement.listener();
    let armed = Arc::new(AtomicUsize::new(0));
    let fuse = Arc::clone(&armed);
    let waker = calling_back(move |act| {
        let armed = act == Act::Drop && fuse.swap(0, SeqCst) == 1;
        assert!(!armed, "on purpose");
    });
    for _ in 0..5 {
        let mut wait = listener.wait();
        assert!(poll_with(&mut wait, &waker).is_pending());
        armed.store(1, SeqCst);
        panics(|| drop(wait));
    }
    announcer.announce(1).unwrap();
    assert_eq!(listener.get(), Some(&1));
}

/// Neither huge times nor tiny ones panic, whether the value is there, will never be, or is still to come.
#[test]
fn no_duration_panics() {
    let huge = [
        Duration::MAX,
        Duration::from_secs(u64::MAX),
        Duration::from_millis(u64::MAX),
    ];
    for duration in huge {
        assert_eq!(announced(1).wait_timeout_blocking(duration), Ok(&1));
        let closed = scene::closed::<u8>(CAUSES[0]);
        let told = closed.wait_timeout_blocking(duration);
        assert_eq!(told, Err(ListenError::Closed));
        assert_eq!(
            closed.listen_deadline_blocking(Deadline::after(duration)),
            told.cloned()
        );
    }
}

#[test]
fn nothing_but_what_clones_asks_for_clone() {
    struct Plain;
    let (announcer, announcement) = Announcement::<Plain>::new();
    let listener = announcement.clone().listener().clone();
    let weak = listener.downgrade().clone();
    announcer
        .into_shared()
        .clone()
        .announce(Plain)
        .ok()
        .unwrap();
    assert!(listener.wait_blocking().is_ok() && listener.try_get().is_ok());
    assert!(poll_once(&mut listener.wait()).is_ready());
    assert!(executor::block_on(listener.wait_until(ready(()))).is_ok());
    let guard = listener.guard().unwrap().clone();
    drop((announcement, listener, weak));
    assert!(Announced::into_inner(guard).is_ok());
}

/// One word tells everything: there is no moment at which two questions contradict each other.
#[test]
fn a_channel_seen_ended_has_its_end_at_hand() {
    for round in 0..if cfg!(miri) { 5 } else { 300 } {
        let (announcer, announcement) = Announcement::new();
        let listener = announcement.listener();
        let watcher = thread::spawn(move || {
            while listener.try_get() == Err(tidings_oneshot::TryListenError::Pending) {
                thread::yield_now();
            }
            let both = (listener.is_announced(), listener.is_closed());
            (
                both,
                listener.get().copied(),
                listener.close_cause().is_some(),
            )
        });
        if round % 2 == 0 {
            announcer.announce(round).unwrap();
            assert_eq!(watcher.join().unwrap(), ((true, false), Some(round), false));
        } else {
            drop(announcer);
            assert_eq!(watcher.join().unwrap(), ((false, true), None, true));
        }
    }
}
