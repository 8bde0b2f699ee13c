//! Random schedules of an event with more waiters than loom can search: threads and tasks, two notifiers.
#![cfg(shuttle)]

use std::future::poll_fn;

use shuttle::sync::Arc;
use shuttle::{future, thread};
use tidings_core::sync::atomic::{AtomicUsize, Ordering};
use tidings_core::sync::mutation;
use tidings_core::wait::{Deadline, Event, TaskKey, WaitStrategy};

const SCHEDULES: usize = 5_000;
const LEVELS: usize = 3;

#[derive(Default)]
struct Board {
    event: Event,
    level: AtomicUsize,
}

impl Board {
    fn raise(&self) {
        self.level.fetch_add(1, Ordering::SeqCst);
        self.event.notify();
    }

    fn look(&self, level: usize) -> Option<usize> {
        let seen = self.level.load(Ordering::SeqCst);
        (seen >= level).then_some(seen)
    }
}

fn wait_as_thread(board: &Board, strategy: WaitStrategy) {
    for level in 1..=2 * LEVELS {
        board
            .event
            .wait_until(&strategy, Deadline::NEVER, || board.look(level));
    }
}

async fn wait_as_task(board: Arc<Board>) {
    let mut key = TaskKey::default();
    for level in 1..=2 * LEVELS {
        poll_fn(|cx| board.event.poll_until(&mut key, cx, || board.look(level))).await;
    }
}

fn mixed_waiters() {
    shuttle::check_random(
        || {
            let board = Arc::new(Board::default());
            let short = WaitStrategy::Adaptive {
                spins: 1,
                yields: 1,
            };
            let waiters: Vec<_> = [WaitStrategy::Park, short]
                .into_iter()
                .map(|strategy| {
                    let board = Arc::clone(&board);
                    thread::spawn(move || wait_as_thread(&board, strategy))
                })
                .collect();
            let tasks: Vec<_> = (0..2)
                .map(|_| future::spawn(wait_as_task(Arc::clone(&board))))
                .collect();
            let other = thread::spawn({
                let board = Arc::clone(&board);
                move || (0..LEVELS).for_each(|_| board.raise())
            });
            (0..LEVELS).for_each(|_| board.raise());
            other.join().unwrap();
            waiters
                .into_iter()
                .for_each(|waiter| waiter.join().unwrap());
            for task in tasks {
                future::block_on(task).unwrap();
            }
        },
        SCHEDULES,
    );
}

#[test]
fn every_waiter_reaches_the_last_level() {
    mixed_waiters();
}

#[test]
fn a_waiter_that_does_not_look_again_is_found_out() {
    mutation::must_fail(
        "a_waiter_that_does_not_look_again_is_found_out",
        "event W3",
        "deadlock",
        mixed_waiters,
    );
}
