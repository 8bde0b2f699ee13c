//! Waiting in steady flow allocates nothing. Alone in its binary, because the allocator counts for the whole process.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/allocations.rs"]
mod allocations;

use std::task::{Context, Waker};
use std::time::Duration;

use allocations::allocations;
use tidings_core::wait::{Deadline, Event, TaskKey, WaitStrategy};

#[test]
fn steady_async_waiting_allocates_nothing() {
    for event in [Event::new(), Event::new_fenced()] {
        let mut keys: [TaskKey; 10] = Default::default();
        let mut cx = Context::from_waker(Waker::noop());
        let mut round = |event: &Event| {
            for key in &mut keys {
                assert!(event.poll_until(key, &mut cx, || None::<()>).is_pending());
            }
            event.cancel(&mut keys[3]);
            event.notify();
        };
        (0..3).for_each(|_| round(&event));
        let steady = allocations(|| (0..100).for_each(|_| round(&event)));
        assert_eq!(steady, 0);
    }
}

#[test]
fn waiting_as_a_thread_allocates_nothing() {
    let event = Event::new();
    let wait = |strategy: &WaitStrategy| {
        let soon = Deadline::after(Duration::from_micros(50));
        event.wait_until(strategy, soon, || None::<()>);
    };
    let strategies = [
        WaitStrategy::Park,
        WaitStrategy::ADAPTIVE,
        WaitStrategy::Yield,
    ];
    strategies.iter().for_each(wait);
    assert_eq!(allocations(|| strategies.iter().for_each(wait)), 0);
}
