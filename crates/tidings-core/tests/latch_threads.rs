//! Threads that wait for a latch: none is left asleep, deadlines hold, tasks wait beside them.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/bell.rs"]
mod bell;
#[path = "support/guard.rs"]
mod guard;
#[path = "support/wakers/two_steps.rs"]
mod two_steps;

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bell::block_on;
use tidings_core::wait::{Deadline, Latch, WaitStrategy};
use two_steps::open_in_two_steps;

const ROUNDS: usize = if cfg!(miri) { 5 } else { 1_000 };

const STRATEGIES: [WaitStrategy; 4] = [
    WaitStrategy::Park,
    WaitStrategy::ADAPTIVE,
    WaitStrategy::Yield,
    WaitStrategy::Backoff,
];

fn sleep(latch: &Latch) -> Option<u32> {
    latch.wait(&WaitStrategy::Park, Deadline::NEVER)
}

/// Until a thread has said that it will sleep.
fn until_somebody_sleeps(latch: &Latch) {
    while !format!("{latch:?}").contains("threads: true") {
        thread::yield_now();
    }
}

#[test]
fn eight_sleepers_are_woken() {
    guard::ends(|| {
        for strategy in STRATEGIES {
            let latch = Latch::new();
            thread::scope(|scope| {
                for _ in 0..8 {
                    scope.spawn(|| assert_eq!(latch.wait(&strategy, Deadline::NEVER), Some(5)));
                }
                if strategy == WaitStrategy::Park {
                    until_somebody_sleeps(&latch);
                }
                assert!(latch.open(5));
            });
        }
    });
}

#[test]
fn nobody_sleeps_through_a_reservation() {
    guard::ends(|| {
        let latch = Latch::new();
        thread::scope(|scope| {
            let early = scope.spawn(|| sleep(&latch));
            until_somebody_sleeps(&latch);
            open_in_two_steps(&latch, 6, || {
                scope.spawn(|| assert_eq!(sleep(&latch), Some(6)));
            });
            assert_eq!(early.join().unwrap(), Some(6));
        });
    });
}

#[test]
fn an_open_latch_lets_through_whatever_the_deadline() {
    let latch = Latch::new();
    latch.open(2);
    for strategy in STRATEGIES {
        let passed = Deadline::after(Duration::ZERO);
        assert_eq!(latch.wait(&strategy, passed), Some(2));
        assert_eq!(latch.wait(&strategy, Deadline::NEVER), Some(2));
    }
}

#[test]
fn a_deadline_ends_the_wait_and_not_before() {
    for strategy in STRATEGIES {
        for nanoseconds in [0, 1, 3_000_000] {
            let (latch, span) = (Latch::new(), Duration::from_nanos(nanoseconds));
            let start = Instant::now();
            assert_eq!(latch.wait(&strategy, Deadline::after(span)), None);
            assert!(start.elapsed() >= span, "{strategy:?} gave up early");
        }
    }
}

#[test]
fn who_gave_up_may_wait_again_as_long_as_it_takes() {
    guard::ends(|| {
        let latch = Latch::new();
        let park = WaitStrategy::Park;
        thread::scope(|scope| {
            scope.spawn(|| {
                let soon = Deadline::after(Duration::from_nanos(1));
                assert_eq!(latch.wait(&park, soon), None);
                let for_ever = Deadline::after(Duration::MAX);
                assert_eq!(latch.wait(&park, for_ever), Some(3));
            });
            until_somebody_sleeps(&latch);
            latch.open(3);
        });
    });
}

/// Each round a new latch, two that want to open it, a thread and three tasks that wait and read the winner's news.
#[test]
fn of_two_openers_one_wins_and_everybody_hears_that_one() {
    guard::ends(|| {
        let rounds: Vec<_> = (0..ROUNDS)
            .map(|_| (Latch::new(), AtomicUsize::new(0)))
            .collect();
        let (start, wins) = (Barrier::new(6), AtomicUsize::new(0));
        let hear = |news: &AtomicUsize, code: u32| {
            assert_eq!(news.load(Ordering::Relaxed), code as usize);
        };
        thread::scope(|scope| {
            scope.spawn(|| {
                for (latch, news) in &rounds {
                    start.wait();
                    hear(news, sleep(latch).unwrap());
                }
            });
            for _ in 0..3 {
                scope.spawn(|| {
                    for (latch, news) in &rounds {
                        start.wait();
                        hear(news, block_on(latch.opened()));
                    }
                });
            }
            for code in [2, 3] {
                let (rounds, start, wins) = (&rounds, &start, &wins);
                scope.spawn(move || {
                    for (latch, news) in rounds {
                        start.wait();
                        let write = || news.store(code as usize, Ordering::Relaxed);
                        let won = open_in_two_steps(latch, code, write);
                        wins.fetch_add(usize::from(won), Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(wins.into_inner(), ROUNDS);
    });
}
