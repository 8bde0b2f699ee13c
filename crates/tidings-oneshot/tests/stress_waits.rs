//! The trials of `stress_trials.rs`, continued: those of the layer in which threads and tasks wait.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "support/race.rs"]
mod race;

use executor::{block_on, poll_once};
use futures_util::stream::{FuturesUnordered, StreamExt};
use guard::ends;
use race::{Act, jitter, meetings, race, rounds, until};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::task::Poll;
use std::thread;
use tidings_core::wait::{Deadline, WaitStrategy};
use tidings_oneshot::{Announcement, Listener};

/// One message in flight at a time, each on a channel of its own, there and back.
#[test]
fn f01_no_wake_is_lost_in_a_ping_pong() {
    let strategies = [
        WaitStrategy::Park,
        WaitStrategy::ADAPTIVE,
        WaitStrategy::Yield,
        WaitStrategy::Spin,
    ];
    for strategy in strategies {
        let (pings, pinged) = meetings(rounds(1_000), 1);
        let (pongs, ponged) = meetings(rounds(1_000), 1);
        ends(move || {
            let wait = |row: &[Listener<usize>]| {
                row[0]
                    .wait_blocking_with(&strategy, Deadline::NEVER)
                    .copied()
            };
            thread::scope(|scope| {
                scope.spawn(|| {
                    for (pong, row) in pongs.into_iter().zip(&pinged) {
                        let number = wait(row).unwrap();
                        jitter();
                        pong.announce(number).unwrap();
                    }
                });
                for (number, (ping, row)) in pings.into_iter().zip(&ponged).enumerate() {
                    jitter();
                    ping.announce(number).unwrap();
                    assert_eq!(wait(row), Ok(number));
                }
            });
        });
    }
}

#[test]
fn f01_no_wake_is_lost_between_tasks() {
    let ((pings, pinged), (pongs, ponged)) =
        (meetings(rounds(2_000), 1), meetings(rounds(2_000), 1));
    ends(move || {
        thread::scope(|scope| {
            scope.spawn(|| {
                for (pong, row) in pongs.into_iter().zip(&pinged) {
                    pong.announce(block_on(row[0].listen()).unwrap()).unwrap();
                }
            });
            for (number, (ping, row)) in pings.into_iter().zip(&ponged).enumerate() {
                ping.announce(number).unwrap();
                assert_eq!(block_on(row[0].wait()), Ok(&number));
            }
        });
    });
}

/// There is one moment at which everybody is ready: nobody is told "pending" after somebody was told "ready".
#[test]
fn f05_waits_polled_in_order_never_contradict_each_other() {
    race(
        rounds(300),
        || {
            let (announcer, announcement) = Announcement::new();
            let polls = move || {
                let mut waits: Vec<_> = (0..300).map(|_| announcement.wait()).collect();
                let ready: Vec<_> = waits
                    .iter_mut()
                    .map(|wait| poll_once(wait).is_ready())
                    .collect();
                assert!(ready.is_sorted());
                if ready[299] {
                    assert!(waits.iter_mut().all(|wait| poll_once(wait).is_ready()));
                    assert_eq!(poll_once(&mut announcement.wait()), Poll::Ready(Ok(&1)));
                }
            };
            let acts: [Act<'_>; 2] = [
                Box::new(polls),
                Box::new(move || announcer.announce(1).unwrap()),
            ];
            ((), acts)
        },
        |()| (),
    );
}

/// Many waits on one listener, some of which are given up while the others are woken.
#[test]
fn f07_waits_of_one_listener_in_a_crowd_end_exactly_once() {
    const WAITS: usize = if cfg!(miri) { 20 } else { 250 };
    for round in 0..rounds(40) {
        let (announcer, announcement) = Announcement::new();
        let listener = announcement.listener();
        let mut crowd: FuturesUnordered<_> = (0..WAITS).map(|_| listener.wait()).collect();
        let mut quitters: Vec<_> = (0..WAITS).map(|_| Some(listener.wait())).collect();
        assert!(
            quitters
                .iter_mut()
                .flatten()
                .all(|wait| poll_once(wait).is_pending())
        );
        thread::scope(|scope| {
            scope.spawn(|| announcer.announce(1).unwrap());
            for n in 0..WAITS {
                quitters[(n * 7 + round) % WAITS] = None;
            }
            assert!((0..WAITS).all(|_| block_on(crowd.next()) == Some(Ok(&1))));
            assert_eq!(block_on(crowd.next()), None);
        });
    }
}

/// More threads than cores, each waiting its own way beside one that works all the time: everything ends.
#[test]
fn f11_a_busy_machine_holds_nobody_up() {
    const THREADS: usize = if cfg!(miri) { 4 } else { 32 };
    ends(|| {
        let over = &AtomicBool::new(false);
        thread::scope(|scope| {
            (0..2).for_each(|_| drop(scope.spawn(move || until(|| over.load(SeqCst)))));
            for _ in 0..rounds(20) {
                let (announcer, announcement) = Announcement::new();
                let wait = |listener: Listener<u8>, n| match n % 2 {
                    0 => listener.listen_blocking(),
                    _ => block_on(listener.listen()),
                };
                let spawn = |(n, listener)| scope.spawn(move || wait(listener, n));
                let waiters: Vec<_> = announcement
                    .listeners(THREADS)
                    .enumerate()
                    .map(spawn)
                    .collect();
                announcer.announce(1).unwrap();
                assert!(
                    waiters
                        .into_iter()
                        .all(|waiter| waiter.join().unwrap() == Ok(1))
                );
            }
            over.store(true, SeqCst);
        });
    });
}
