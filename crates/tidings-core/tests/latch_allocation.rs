//! What waiting for a latch allocates: nothing for two tasks, nothing once warm for more. Alone in its binary, because the
//! allocator counts for the whole of it.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/allocations.rs"]
mod allocations;

use std::pin::Pin;
use std::task::{Context, Waker};
use std::time::Duration;

use allocations::allocations;
use tidings_core::wait::{Deadline, Latch, Opened, WaitStrategy};

/// Waits with all of them, then gives up.
fn wait_and_give_up<'a>(waiting: &mut Vec<Opened<'a>>, latch: &'a Latch, tasks: usize) {
    let mut cx = Context::from_waker(Waker::noop());
    waiting.extend((0..tasks).map(|_| latch.opened()));
    for future in &mut *waiting {
        assert!(Pin::new(future).poll(&mut cx).is_pending());
    }
    waiting.clear();
}

/// What a round of so many tasks allocates: the first one, the second one, and a hundred more.
fn rounds(tasks: usize) -> [usize; 3] {
    let latch = Latch::new();
    let mut waiting = Vec::with_capacity(tasks);
    let mut round = || wait_and_give_up(&mut waiting, &latch, tasks);
    [
        allocations(&mut round),
        allocations(&mut round),
        allocations(|| (0..100).for_each(|_| round())),
    ]
}

#[test]
fn two_tasks_allocate_nothing_at_all() {
    assert_eq!(rounds(1), [0, 0, 0]);
    assert_eq!(rounds(2), [0, 0, 0]);
}

#[test]
fn a_third_task_allocates_once() {
    let [first, second, more] = rounds(3);
    assert!(first > 0);
    assert_eq!([second, more], [0, 0]);
}

#[test]
fn a_hundred_tasks_that_come_again_and_again_allocate_once() {
    let [first, second, more] = rounds(100);
    assert!(first > 0);
    assert_eq!([second, more], [0, 0]);
}

/// Where the newest table is too small for all of them, the second round adds one.
#[test]
fn any_number_of_tasks_allocates_nothing_from_the_third_round_on() {
    for tasks in [10, 29, 31, 60, 86, 87, 113, 300] {
        assert_eq!(rounds(tasks)[2], 0, "{tasks} tasks");
    }
}

#[test]
fn opening_and_sleeping_allocate_nothing() {
    let strategies = [WaitStrategy::Park, WaitStrategy::ADAPTIVE];
    let wait = |latch: &Latch| {
        for strategy in &strategies {
            let soon = Deadline::after(Duration::from_micros(50));
            assert_eq!(latch.wait(strategy, soon), None);
        }
    };
    wait(&Latch::new());
    assert_eq!(
        allocations(|| {
            let latch = Latch::new();
            wait(&latch);
            assert!(latch.open(2));
        }),
        0
    );
}
