//! Public failure reports of systems like this one, as trials in which threads race.
//!
//! The letter and number in a test's name is that of the trial. How often each race is run can be multiplied by the environment
//! variable `TIDINGS_TRIALS`. The executor is the one of the ring's tests.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "../../tidings-core/tests/support/wakers/ledger.rs"]
mod ledger;
#[path = "support/race.rs"]
mod race;
#[path = "support/scene.rs"]
mod scene;

use executor::{block_on, poll_once, poll_with};
use guard::ends;
use ledger::Ledger;
use race::{Act, jitter, meetings, race, rounds, until};
use scene::{CAUSES, end};
use std::future::IntoFuture;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::thread;
use tidings_core::wait::{Deadline, WaitStrategy};
use tidings_oneshot::{Announced, Announcement, ListenError, Listener};

const CLOSED: ListenError = ListenError::Closed;

/// Something to be freed once, and how many of it are alive.
type Payload = (Arc<()>, Box<u8>);

fn counted(alive: &Arc<()>) -> Payload {
    (Arc::clone(alive), Box::new(1))
}

/// A look that finds nothing, then an announcement, then a registration: nobody sleeps for ever.
#[test]
fn a01_an_announcement_between_look_and_registration_is_heard() {
    const LISTENERS: usize = 8;
    let (announcers, rows) = meetings(rounds(1_000), LISTENERS);
    ends(move || {
        let (arrived, rows) = (&AtomicUsize::new(0), &rows);
        thread::scope(|scope| {
            for seat in 0..LISTENERS {
                scope.spawn(move || {
                    for (number, row) in rows.iter().enumerate() {
                        arrived.fetch_add(1, SeqCst);
                        jitter();
                        let heard = match seat % 4 {
                            0 => row[seat].listen_blocking(),
                            1 => block_on(row[seat].listen()),
                            2 => block_on(row[seat].clone().into_future()).map(|guard| *guard),
                            _ => row[seat]
                                .wait_blocking_with(&WaitStrategy::Park, Deadline::NEVER)
                                .copied(),
                        };
                        assert_eq!(heard, Ok(number));
                    }
                });
            }
            for (number, announcer) in announcers.into_iter().enumerate() {
                until(|| arrived.load(SeqCst) >= (number + 1) * LISTENERS);
                jitter();
                announcer.announce(number).unwrap();
            }
        });
    });
}

/// Threads and tasks that wait all learn of the end, whichever way the announcer goes.
#[test]
fn a02_everybody_who_waits_learns_of_the_close() {
    const EACH: usize = if cfg!(miri) { 3 } else { 16 };
    ends(|| {
        for cause in (0..rounds(10)).flat_map(|_| CAUSES) {
            let (announcer, announcement) = Announcement::<u8>::new();
            let gathered = Barrier::new(2 * EACH + 1);
            thread::scope(|scope| {
                for listener in announcement.listeners(EACH) {
                    let (other, gathered) = (listener.clone(), &gathered);
                    scope.spawn(move || {
                        gathered.wait();
                        assert_eq!(listener.wait_blocking(), Err(CLOSED));
                    });
                    scope.spawn(move || {
                        let mut wait = other.into_future();
                        assert!(poll_once(&mut wait).is_pending());
                        gathered.wait();
                        assert_eq!(block_on(wait).err(), Some(CLOSED));
                    });
                }
                gathered.wait();
                jitter();
                end(announcer, cause);
            });
            assert_eq!(announcement.listener().wait_blocking(), Err(CLOSED));
        }
    });
}

/// A wait that was polled once goes while its channel is announced: its waker is dropped once, the payload too.
#[test]
fn a03_a_wait_that_goes_during_the_announcement_touches_nothing_freed() {
    let payload = Arc::new(());
    for waiting in [1, 2, 3] {
        race(
            rounds(3_000),
            || {
                let (announcer, announcement) = Announcement::new();
                let ledger = Arc::new(Ledger::default());
                let mut waits: Vec<_> = (0..waiting)
                    .map(|_| announcement.listener().into_future())
                    .collect();
                for wait in &mut waits {
                    assert!(poll_with(wait, &ledger.waker()).is_pending());
                }
                drop(announcement);
                let value = counted(&payload);
                let acts: [Act<'_>; 2] = [
                    Box::new(move || drop(waits)),
                    Box::new(move || announcer.announce(value).unwrap()),
                ];
                (ledger, acts)
            },
            |ledger| {
                assert_eq!((ledger.alive(), Arc::strong_count(&payload)), (0, 1));
                assert!(ledger.wakes() <= waiting);
            },
        );
    }
}

/// The waker is exchanged for another one while the channel is announced: the new one is woken, or the poll is ready.
#[test]
fn a03_a_waker_that_is_replaced_during_the_announcement_is_dropped_once() {
    race(
        rounds(3_000),
        || {
            let (announcer, announcement) = Announcement::new();
            let ledgers = Arc::new([Ledger::default(), Ledger::default()]);
            let mut wait = announcement.listener().into_future();
            assert!(poll_with(&mut wait, &ledgers[0].waker()).is_pending());
            let (here, (back, polled)) = (Arc::clone(&ledgers), channel());
            let acts: [Act<'_>; 2] = [
                Box::new(move || {
                    let ready = poll_with(&mut wait, &here[1].waker()).is_ready();
                    back.send((ready, wait)).unwrap();
                }),
                Box::new(move || announcer.announce(1).unwrap()),
            ];
            ((ledgers, polled), acts)
        },
        |(ledgers, polled)| {
            let (ready, mut wait) = polled.recv().unwrap();
            assert_eq!(ledgers.each_ref().map(Ledger::alive), [0, 0]);
            assert!(ready || ledgers[1].wakes() == 1);
            assert!(poll_once(&mut wait).is_ready());
        },
    );
}

/// Three at once: one announces, one closes, one reads and goes. Whoever lost has the value back, and each is dropped once.
#[test]
fn a04_a_value_is_either_to_be_read_or_given_back() {
    let payload = Arc::new(());
    race(
        rounds(5_000),
        || {
            let (announcer, announcement) = Announcement::new();
            let (first, listener) = (announcer.into_shared(), announcement.listener());
            let (second, won) = (first.clone(), Arc::new(AtomicUsize::new(0)));
            let (announced, closed) = (Arc::clone(&won), Arc::clone(&won));
            let value = counted(&payload);
            let announces = move || first.announce(value).is_ok();
            let reads = move || {
                assert!(
                    listener
                        .get()
                        .is_none_or(|value| Arc::strong_count(&value.0) > 1)
                )
            };
            let acts: [Act<'_>; 3] = [
                Box::new(move || _ = announced.fetch_add(announces().into(), SeqCst)),
                Box::new(move || _ = closed.fetch_add(2 * usize::from(second.close()), SeqCst)),
                Box::new(reads),
            ];
            ((announcement, won), acts)
        },
        |(announcement, won)| {
            let alive = Arc::strong_count(&payload);
            match won.load(SeqCst) {
                1 => assert_eq!((announcement.is_announced(), alive), (true, 2)),
                2 => assert_eq!((announcement.is_closed(), alive), (true, 1)),
                both => panic!("{both}"),
            }
        },
    );
    assert_eq!(Arc::strong_count(&payload), 1);
}

/// The last listener goes while the value is announced: heard by nobody it comes back, else it was taken; never both.
#[test]
fn a04_a_value_that_nobody_can_hear_comes_back_or_is_dropped_once() {
    let payload = Arc::new(());
    race(
        rounds(5_000),
        || {
            let (announcer, announcement) = Announcement::new();
            let (listener, value) = (announcement.listener(), counted(&payload));
            let acts: [Act<'_>; 3] = [
                Box::new(move || drop(announcer.announce_heard(value))),
                Box::new(move || drop(announcement)),
                Box::new(move || drop(listener.into_inner())),
            ];
            ((), acts)
        },
        |()| assert_eq!(Arc::strong_count(&payload), 1),
    );
}

/// Two that each might be the last one: exactly one frees the channel and drops the value, or takes it.
#[test]
fn a13_both_ends_that_go_at_once_free_the_channel_once() {
    let payload = Arc::new(());
    for announces in [true, false] {
        race(
            rounds(5_000),
            || {
                let (announcer, announcement) = Announcement::new();
                let (listener, value) = (announcement.listener(), counted(&payload));
                let weak = listener.downgrade();
                let announce = move || {
                    if announces {
                        announcer.announce(value).unwrap();
                    }
                };
                let acts: [Act<'_>; 4] = [
                    Box::new(announce),
                    Box::new(move || drop(listener)),
                    Box::new(move || drop(announcement)),
                    Box::new(move || drop(weak.upgrade().map(Listener::into_inner))),
                ];
                ((), acts)
            },
            |()| assert_eq!(Arc::strong_count(&payload), 1),
        );
    }
}

/// One end goes by a panic at the moment at which the other one is dropped.
#[test]
fn a13_an_end_that_goes_by_a_panic_meets_one_that_is_dropped() {
    race(
        rounds(200),
        || {
            let (announcer, announcement) = Announcement::<Box<u8>>::new();
            let acts: [Act<'_>; 2] = [
                Box::new(move || end(announcer, tidings_oneshot::CloseCause::Panicked)),
                Box::new(move || drop(announcement.listener())),
            ];
            ((), acts)
        },
        |()| (),
    );
}

/// Guards taken from and given back to a value that is about to end.
#[test]
fn a13_of_several_last_owners_one_takes_the_value() {
    let payload = Arc::new(());
    race(
        rounds(5_000),
        || {
            let announcement = scene::announced(counted(&payload));
            let owners = [(); 3].map(|()| announcement.listener().into_guard().unwrap());
            let taken = Arc::new(AtomicUsize::new(0));
            let acts: [Act<'_>; 3] = owners.map(|guard| -> Act<'_> {
                let taken = Arc::clone(&taken);
                Box::new(move || {
                    _ = taken.fetch_add(Announced::into_inner(guard).is_ok().into(), SeqCst)
                })
            });
            drop(announcement);
            (taken, acts)
        },
        |taken| {
            assert!(taken.load(SeqCst) <= 1);
            assert_eq!(Arc::strong_count(&payload), 1);
        },
    );
}

/// The announcer looks whether anybody hears while the last one goes: it is told, at the latest by its waker.
#[test]
fn a01_the_end_of_the_last_hearer_is_never_missed() {
    race(
        rounds(5_000),
        || {
            let (announcer, announcement) = Announcement::<u8>::new();
            let ledger = Arc::new(Ledger::default());
            let (listener, waker) = (announcement.listener(), ledger.waker());
            let announcer = announcer.into_shared();
            let (here, ready) = (announcer.clone(), Arc::new(AtomicBool::new(false)));
            let told = Arc::clone(&ready);
            let waits = move || {
                let mut abandoned = here.abandoned();
                if poll_with(&mut abandoned, &waker).is_pending() {
                    block_on(abandoned);
                }
                told.store(here.is_abandoned(), SeqCst);
            };
            let acts: [Act<'_>; 3] = [
                Box::new(waits),
                Box::new(move || drop(listener)),
                Box::new(move || drop(announcement)),
            ];
            ((ready, ledger), acts)
        },
        |(ready, ledger)| assert_eq!((ready.load(SeqCst), ledger.alive()), (true, 0)),
    );
}

/// Who hears may take the value at once, though the announcer is still waking others.
#[test]
fn a13_the_last_listener_takes_the_value_as_soon_as_it_heard() {
    let payload = Arc::new(());
    race(
        rounds(5_000),
        || {
            let (announcer, announcement) = Announcement::new();
            let (listener, value) = (announcement.listener(), counted(&payload));
            let acts: [Act<'_>; 2] = [
                Box::new(move || _ = announcer.announce(value)),
                Box::new(move || {
                    assert!(listener.wait_blocking().is_ok());
                    assert!(listener.into_inner().is_ok());
                }),
            ];
            ((), acts)
        },
        |()| assert_eq!(Arc::strong_count(&payload), 1),
    );
}
