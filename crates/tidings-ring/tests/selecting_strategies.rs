//! Selecting by a wait strategy: one that acts, selects, or panics in the middle of a wait, and those that there are.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use guard::ends;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use tidings_ring::{Next, Publisher, Selector, Strategy, Subscriber, WaitStrategy, channel};

const SOON: Duration = Duration::from_millis(1);

/// Two rings of a kind.
fn rings() -> (Vec<Publisher<u64>>, [Subscriber<u64>; 2]) {
    let rings = [(); 2].map(|()| channel(4));
    let subscribers = rings.each_ref().map(|(_, at)| at.subscribe());
    (
        rings.into_iter().map(|(publisher, _)| publisher).collect(),
        subscribers,
    )
}

/// A strategy that does something in each of its first rounds, before it sleeps.
struct Rounds<F>(u32, F);

impl<F: Fn(u32)> Strategy for Rounds<F> {
    fn pause(&self, round: u32) -> Next {
        (self.1)(round);
        if round < self.0 {
            Next::Check
        } else {
            Next::Park
        }
    }
}

#[test]
fn a_strategy_may_make_one_ready_in_any_round() {
    for (rounds, when) in [(3, 0), (3, 2), (3, 3), (0, 0)] {
        let (mut publishers, subscribers) = rings();
        let publisher = Cell::new(publishers.pop());
        let strategy = Rounds(rounds, |round| {
            if round == when {
                publisher.take().unwrap().publish(1);
            }
        });
        let mut selector = Selector::new();
        let which = selector.select_with(&strategy, [&subscribers[0], &subscribers[1]]);
        assert_eq!(which, 1);
        assert_eq!(selector.select_list_with(strategy, &subscribers), Ok(1));
    }
}

/// One selector inside another's wait, on the same subscribers.
#[test]
fn a_strategy_may_select_itself() {
    let (mut publishers, [one, two]) = rings();
    let publisher = Cell::new(publishers.pop());
    let strategy = Rounds(1, |round| {
        let mut inner = Selector::new();
        assert_eq!(inner.select_timeout([&one, &two], SOON), None);
        if round == 1 {
            publisher.take().unwrap().publish(1);
            assert_eq!(inner.select([&one, &two]), 1);
        }
    });
    assert_eq!(Selector::new().select_with(&strategy, [&one, &two]), 1);
}

#[test]
fn a_strategy_that_panics_leaves_the_selector_whole() {
    let (mut publishers, subscribers) = rings();
    let mut selector = Selector::new();
    for rounds in 0..3 {
        let strategy = Rounds(9, |round| assert!(round < rounds, "the strategy panics"));
        let selected = catch_unwind(AssertUnwindSafe(|| {
            selector.select_list_with(&strategy, &subscribers)
        }));
        assert!(selected.is_err());
    }
    assert_eq!(selector.select_timeout([&subscribers[0]], SOON), None);
    publishers[1].publish(1);
    assert_eq!(selector.select_list(&subscribers), Ok(1));
}

#[test]
fn every_strategy_waits() {
    ends(|| {
        for strategy in [
            WaitStrategy::BusySpin,
            WaitStrategy::Spin,
            WaitStrategy::Yield,
            WaitStrategy::Backoff,
            WaitStrategy::ADAPTIVE,
            WaitStrategy::Monitor,
            WaitStrategy::Park,
        ] {
            let (mut publishers, subscribers) = rings();
            std::thread::scope(|scope| {
                let waits = scope.spawn(|| {
                    Selector::with_strategy(strategy).select([&subscribers[0], &subscribers[1]])
                });
                publishers[1].publish(1);
                assert_eq!(waits.join().unwrap(), 1);
            });
        }
    });
}
