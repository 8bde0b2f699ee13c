//! Every interleaving, up to the bound, of one event and its waiters; each model beside mutants that must fail.
//!
//! A lost wake-up shows as a deadlock: nobody is left to run and somebody still waits.
#![cfg(loom)]

#[path = "support/bell.rs"]
mod bell;

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bell::block_on;
use loom::sync::Arc;
use loom::thread;
use tidings_core::sync::atomic::{AtomicUsize, Ordering};
use tidings_core::sync::mutation;
use tidings_core::wait::{Deadline, Event, TaskKey, WaitStrategy};

/// An event and the condition that it announces.
struct Board {
    event: Event,
    level: AtomicUsize,
}

impl Board {
    fn shared() -> Arc<Self> {
        Arc::new(Self {
            event: Event::new(),
            level: AtomicUsize::new(0),
        })
    }

    fn raise(&self) {
        self.level.fetch_add(1, Ordering::Relaxed);
        self.event.notify();
    }

    fn look(&self, level: usize) -> Option<usize> {
        let seen = self.level.load(Ordering::Relaxed);
        (seen >= level).then_some(seen)
    }

    fn wait_as_thread(&self, level: usize) {
        let found = self
            .event
            .wait_until(&WaitStrategy::Park, Deadline::NEVER, || self.look(level));
        assert!(found.is_some());
    }

    fn wait_as_task(&self, level: usize) {
        block_on(Reached {
            board: self,
            level,
            key: TaskKey::default(),
        });
    }
}

/// Ready when the board has reached the level.
struct Reached<'a> {
    board: &'a Board,
    level: usize,
    key: TaskKey,
}

impl Future for Reached<'_> {
    type Output = usize;

    fn poll(mut self: std::pin::Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<usize> {
        let (board, level) = (self.board, self.level);
        board
            .event
            .poll_until(&mut self.key, cx, || board.look(level))
    }
}

impl Drop for Reached<'_> {
    fn drop(&mut self) {
        self.board.event.cancel(&mut self.key);
    }
}

fn thread_waits() {
    loom::model(|| {
        let board = Board::shared();
        let waiter = thread::spawn({
            let board = Arc::clone(&board);
            move || board.wait_as_thread(1)
        });
        board.raise();
        waiter.join().unwrap();
    });
}

fn thread_waits_twice() {
    loom::model(|| {
        let board = Board::shared();
        let waiter = thread::spawn({
            let board = Arc::clone(&board);
            move || {
                board.wait_as_thread(1);
                board.wait_as_thread(2);
            }
        });
        board.raise();
        board.raise();
        waiter.join().unwrap();
    });
}

fn task_waits() {
    loom::model(|| {
        let board = Board::shared();
        let waiter = thread::spawn({
            let board = Arc::clone(&board);
            move || board.wait_as_task(1)
        });
        board.raise();
        waiter.join().unwrap();
    });
}

fn thread_and_task_wait() {
    loom::model(|| {
        let board = Board::shared();
        let task = thread::spawn({
            let board = Arc::clone(&board);
            move || board.wait_as_task(1)
        });
        let waiter = thread::spawn({
            let board = Arc::clone(&board);
            move || board.wait_as_thread(1)
        });
        board.raise();
        task.join().unwrap();
        waiter.join().unwrap();
    });
}

fn two_notifiers_raise_for_one_waiter() {
    loom::model(|| {
        let board = Board::shared();
        let other = thread::spawn({
            let board = Arc::clone(&board);
            move || board.raise()
        });
        let waiter = thread::spawn({
            let board = Arc::clone(&board);
            move || board.wait_as_thread(2)
        });
        board.raise();
        other.join().unwrap();
        waiter.join().unwrap();
    });
}

fn task_gives_up_while_another_waits() {
    loom::model(|| {
        let board = Board::shared();
        let steady = thread::spawn({
            let board = Arc::clone(&board);
            move || board.wait_as_task(1)
        });
        let fickle = thread::spawn({
            let board = Arc::clone(&board);
            move || {
                let mut future = pin!(Reached {
                    board: &board,
                    level: 1,
                    key: TaskKey::default()
                });
                let _ = future
                    .as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()));
            }
        });
        board.raise();
        fickle.join().unwrap();
        steady.join().unwrap();
    });
}

#[test]
fn a_waiting_thread_is_woken() {
    thread_waits();
}

#[test]
fn a_thread_that_waits_twice_is_woken_twice() {
    thread_waits_twice();
}

#[test]
fn a_waiting_task_is_woken() {
    task_waits();
}

#[test]
fn a_thread_and_a_task_are_both_woken() {
    thread_and_task_wait();
}

#[test]
fn a_waiter_sees_what_two_notifiers_raised() {
    two_notifiers_raise_for_one_waiter();
}

#[test]
fn a_cancelled_task_takes_nobodys_wake_with_it() {
    task_gives_up_while_another_waits();
}

/// Each row: a model that must end in a deadlock when the step is switched off.
macro_rules! mutants {
    ($($name:ident: $step:literal off in $model:ident;)*) => {
        $(
            #[test]
            fn $name() {
                mutation::must_fail(stringify!($name), $step, "deadlock", $model);
            }
        )*
    };
}

mutants! {
    a_notifier_without_its_fence_misses_the_thread: "event N2" off in thread_waits;
    a_notifier_without_its_fence_misses_the_task: "event N2" off in task_waits;
    a_notifier_without_its_fence_misses_one_of_two: "event N2" off in thread_and_task_wait;
    a_notifier_without_its_fence_misses_beside_another: "event N2" off in two_notifiers_raise_for_one_waiter;
    a_notifier_without_its_fence_misses_after_a_cancel: "event N2" off in task_gives_up_while_another_waits;
    a_thread_without_its_fence_sleeps_on: "event W2" off in thread_waits;
    a_task_without_its_fence_sleeps_on: "event W2" off in task_waits;
    a_thread_that_does_not_look_again_sleeps_on: "event W3" off in thread_waits;
    a_task_that_does_not_look_again_sleeps_on: "event W3" off in task_waits;
    a_waker_that_skips_the_lock_misses_the_sleeper: "block K2" off in thread_waits;
}
