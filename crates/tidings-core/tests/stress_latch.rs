//! Threads that wait and give up, over and over, beside whoever opens: nobody is left asleep, every waker is accounted for.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/bell.rs"]
mod bell;
#[path = "support/guard.rs"]
mod guard;
#[path = "support/wakers/ledger.rs"]
mod ledger;
#[path = "support/wakers/two_steps.rs"]
mod two_steps;

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::task::{Context, Poll, Waker};
use std::thread;

use bell::Bell;
use ledger::Ledger;
use tidings_core::wait::{Deadline, Latch, Opened, WaitStrategy};
use two_steps::open_in_two_steps;

const ROUNDS: usize = if cfg!(miri) { 3 } else { 2_000 };
const THREADS: usize = 4;
const CODE: u32 = 2;

fn poll(future: &mut Opened<'_>, waker: &Waker) -> Poll<u32> {
    Pin::new(future).poll(&mut Context::from_waker(waker))
}

/// A task of its own: who wakes it rings the bell.
struct Task {
    bell: Arc<Bell>,
    ledger: Ledger,
}

impl Task {
    fn new() -> Self {
        let bell = Arc::new(Bell::default());
        let rings = Arc::clone(&bell);
        Self {
            bell,
            ledger: Ledger::calling(move || rings.ring()),
        }
    }

    /// Waits with some futures, as a select does, and begins anew with some of them, until it is open.
    fn select(&self, latch: &Latch, futures: usize, patience: usize) {
        let mut waiting: Vec<_> = (0..futures).map(|_| latch.opened()).collect();
        for turn in 0.. {
            let waker = self.ledger.waker();
            for future in &mut waiting {
                if let Poll::Ready(code) = poll(future, &waker) {
                    return assert_eq!(code, CODE);
                }
            }
            if turn >= patience {
                self.bell.wait();
            } else {
                waiting[turn % futures] = latch.opened();
            }
        }
    }
}

/// A latch for each round; all threads begin it together, and `THREADS` of them select.
fn stress(futures: impl Fn(usize) -> usize + Sync, opener: impl Fn(&Latch, usize) + Sync) {
    let latches: Vec<_> = (0..ROUNDS).map(|_| Latch::new()).collect();
    let tasks: Vec<_> = (0..THREADS).map(|_| Task::new()).collect();
    let start = Barrier::new(THREADS + 1);
    thread::scope(|scope| {
        for task in &tasks {
            let (latches, start, futures) = (&latches, &start, &futures);
            scope.spawn(move || {
                for (round, latch) in latches.iter().enumerate() {
                    start.wait();
                    task.select(latch, futures(round), round % 17);
                }
            });
        }
        for (round, latch) in latches.iter().enumerate() {
            start.wait();
            opener(latch, round);
        }
    });
    drop(latches);
    assert!(tasks.iter().all(|task| task.ledger.alive() == 0));
}

/// A little work, different in each round.
fn dawdle(round: usize) {
    (0..round * 7 % 97).for_each(|n| _ = std::hint::black_box(n));
}

#[test]
fn selecting_tasks_are_woken_from_the_latch_itself() {
    guard::ends(|| {
        stress(
            |_| 1,
            |latch, round| {
                dawdle(round);
                assert!(latch.open(CODE));
            },
        );
    });
}

#[test]
fn selecting_tasks_are_woken_while_tables_grow() {
    guard::ends(|| {
        stress(
            |round| 1 + round % 40,
            |latch, round| {
                dawdle(round);
                assert!(open_in_two_steps(latch, CODE, || ()));
            },
        );
    });
}

#[test]
fn the_opener_may_wait_a_while_itself() {
    guard::ends(|| {
        stress(
            |_| 3,
            |latch, round| {
                let soon = Deadline::after(std::time::Duration::from_nanos(round as u64 % 2_000));
                assert_eq!(latch.wait(&WaitStrategy::Park, soon), None);
                assert!(latch.open(CODE));
            },
        );
    });
}

/// One latch that stays shut for long: seats pass from thread to thread.
#[test]
fn seats_pass_from_thread_to_thread() {
    guard::ends(|| {
        let (latch, turns) = (Latch::new(), AtomicUsize::new(0));
        let tasks: Vec<_> = (0..THREADS).map(|_| Task::new()).collect();
        thread::scope(|scope| {
            for task in &tasks {
                scope.spawn(|| {
                    for turn in 0..ROUNDS {
                        let mut futures = [(); 3].map(|()| latch.opened());
                        for future in &mut futures[..1 + turn % 3] {
                            assert!(poll(future, &task.ledger.waker()).is_pending());
                        }
                        turns.fetch_add(1, Ordering::Relaxed);
                    }
                    task.select(&latch, 3, 0);
                });
            }
            while turns.load(Ordering::Relaxed) < THREADS * ROUNDS {
                thread::yield_now();
            }
            latch.open(CODE);
        });
        assert!(tasks.iter().all(|task| task.ledger.alive() == 0));
    });
}
