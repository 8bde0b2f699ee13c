//! What the types promise about threads and unwinding: decisions, checked.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use std::panic::{RefUnwindSafe, UnwindSafe};

use tidings_core::wait::{Deadline, Event, TaskKey, WaitStrategy};
use tidings_core::{Backoff, CachePadded, Sequence};

fn shared<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe + 'static>() {}

#[test]
fn everything_but_a_spin_token_crosses_threads() {
    shared::<Event>();
    shared::<TaskKey>();
    shared::<Deadline>();
    shared::<WaitStrategy>();
    shared::<Backoff>();
    shared::<CachePadded<u8>>();
    shared::<Sequence>();
}

#[test]
fn an_event_shows_who_waits() {
    let text = format!("{:?}", Event::new_fenced());
    assert_eq!(
        text,
        "Event(State { threads: false, tasks: false, fenced: true, settled: true, epoch: 0 })"
    );
}

#[test]
fn a_fenced_event_fits_a_static() {
    static EVENT: Event = Event::new_fenced();
    EVENT.notify();
    assert!(!EVENT.is_awaited());
}
