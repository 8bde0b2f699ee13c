//! Waiting for a write to a word, by the processor's own means where it has them.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering::*};
use std::time::{Duration, Instant};
use tidings_core::hint::monitor;
use tidings_core::wait::{Deadline, Event, Next, Spins, Strategy, WaitStrategy};

/// Which of the two is tested here is said past the test runner, which keeps the output of tests that pass.
#[test]
fn this_processor_says_what_it_can() {
    let path: &[u8] = if WaitStrategy::has_monitor() {
        b"monitor: this processor can watch a word, and does\n"
    } else {
        b"monitor: SKIPPED: this processor cannot watch a word; the fallback is tested\n"
    };
    std::io::stderr().write_all(path).unwrap();
    assert_eq!(WaitStrategy::has_monitor(), monitor::is_there());
}

#[test]
fn watching_counts_as_spinning_and_gives_way_to_yields_and_sleep() {
    let Spins::Rounds { free, limit } = WaitStrategy::Monitor.spins() else {
        panic!("some rounds spin, not all");
    };
    let first = WaitStrategy::Monitor.pause(0);
    if WaitStrategy::has_monitor() {
        assert_eq!((free, first), (0, Next::Watch));
    } else {
        let fallback = WaitStrategy::ADAPTIVE.spins();
        assert_eq!(WaitStrategy::Monitor.spins(), fallback);
        assert_eq!(first, Next::Check);
    }
    for yields in 0..WaitStrategy::DEFAULT_YIELDS {
        assert_eq!(WaitStrategy::Monitor.pause(limit + yields), Next::Check);
    }
    let asleep = limit + WaitStrategy::DEFAULT_YIELDS;
    assert_eq!(WaitStrategy::Monitor.pause(asleep), Next::Park);
    assert_eq!(WaitStrategy::Monitor.pause(u32::MAX), Next::Park);
}

#[test]
fn a_wait_that_is_not_worth_it_looks_once_and_ends() {
    let word = AtomicU64::new(0);
    let mut looks = 0;
    monitor::wait(&word, || {
        looks += 1;
        false
    });
    assert_eq!(looks, 1);
}

#[test]
fn a_wait_for_nothing_ends_too() {
    let word = AtomicU64::new(0);
    (0..1000).for_each(|_| monitor::wait(&word, || true));
}

#[test]
fn a_write_by_another_thread_is_seen() {
    let word = AtomicU64::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| word.store(1, Release));
        while word.load(Acquire) == 0 {
            monitor::wait(&word, || word.load(Acquire) == 0);
        }
    });
}

#[test]
fn an_event_is_waited_for_by_watching() {
    for round in 1..if cfg!(miri) { 3 } else { 200 } {
        let (event, word) = (Event::new(), AtomicU64::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                word.store(round, Release);
                event.notify();
            });
            let look = || (word.load(Acquire) == round).then_some(round);
            let never = Deadline::NEVER;
            let found = event.wait_until_watching(&WaitStrategy::Monitor, never, &word, look);
            assert_eq!(found, Some(round));
        });
    }
}

#[test]
fn a_deadline_ends_it() {
    let (event, word) = (Event::new(), AtomicU64::new(0));
    let soon = Deadline::at(Instant::now() + Duration::from_millis(1));
    let look = || (word.load(Acquire) == 1).then_some(());
    assert_eq!(
        event.wait_until_watching(&WaitStrategy::Monitor, soon, &word, look),
        None
    );
    assert_eq!(event.wait_until(&WaitStrategy::Monitor, soon, look), None);
}

/// Watches for ever: with a word it waits for it, without one it looks again.
struct Watches;

impl Strategy for Watches {
    fn pause(&self, _round: u32) -> Next {
        Next::Watch
    }
}

#[test]
fn a_strategy_of_ones_own_may_watch() {
    let (event, word) = (Event::new(), AtomicU64::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| word.store(1, Release));
        let look = || (word.load(Acquire) == 1).then_some(());
        let found = event.wait_until_watching(&Watches, Deadline::NEVER, &word, look);
        assert_eq!(
            found.and(event.wait_until(&Watches, Deadline::NEVER, look)),
            Some(())
        );
    });
}
