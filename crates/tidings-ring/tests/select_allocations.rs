//! A selector allocates in its first wait only. Alone in its binary, because the allocator is the whole binary's.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/allocations.rs"]
mod allocations;
#[path = "support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use allocations::allocations;
use executor::poll_once;
use guard::ends;
use std::cell::Cell;
use std::task::Poll;
use std::time::Duration;
use tidings_ring::{
    Gating, Next, Publisher, SelectTimeoutError, Selectable, Selector, Strategy, Subscriber,
    WaitStrategy, channel_bounded, select_async, select_timeout,
};

const BRIEF: Duration = Duration::from_micros(20);
/// Long enough to come to sleep in.
const LONG: Duration = Duration::from_millis(20);

type Rings = (Vec<Publisher<u64, Gating>>, Vec<Subscriber<u64, Gating>>);

fn rings(count: usize) -> Rings {
    (0..count)
        .map(|_| channel_bounded(4, 0))
        .map(|(publisher, subscribable)| (publisher, subscribable.subscribe()))
        .unzip()
}

/// What `round` allocates in a hundred runs, once the rings are warm: each makes room for wakers twice, because a publisher
/// takes the list away to wake whom it holds.
fn steady(mut round: impl FnMut()) -> usize {
    (0..3).for_each(|_| round());
    allocations(|| (0..100).for_each(|_| round()))
}

/// All forms, some of which find something and some of which sleep.
#[test]
fn waits_of_a_thread_allocate_nothing_once_warm() {
    for strategy in [WaitStrategy::Park, WaitStrategy::ADAPTIVE] {
        let (mut publishers, mut subscribers) = rings(5);
        let mut selector = Selector::with_strategy(strategy);
        warm_up(&mut selector, &subscribers);
        let round = || {
            let few: [&dyn Selectable; 2] = [&subscribers[0], &subscribers[1]];
            assert_eq!(selector.try_select(few), None);
            assert_eq!(selector.select_timeout(few, BRIEF), None);
            assert!(selector.select_list_timeout(&subscribers, BRIEF).is_err());
            assert!(
                selector
                    .select_list_timeout(&subscribers[3..], BRIEF)
                    .is_err()
            );
            publishers[1].publish(1);
            assert_eq!(selector.select(few), 1);
            assert_eq!(selector.select_list(&subscribers), Ok(1));
            assert_eq!(subscribers[1].try_recv(), Ok(1));
        };
        assert_eq!(steady(round), 0);
    }
}

/// Sleeps among all, without fail.
fn warm_up(selector: &mut Selector, subscribers: &[Subscriber<u64, Gating>]) {
    let slept = selector.select_list_timeout(subscribers, LONG);
    assert_eq!(slept, Err(SelectTimeoutError::Timeout));
}

#[test]
fn the_first_wait_of_a_selector_allocates_and_no_later_one() {
    let (_publishers, subscribers) = rings(3);
    (0..3).for_each(|_| warm_up(&mut Selector::new(), &subscribers));
    let mut selector = Selector::with_strategy(WaitStrategy::Park);
    let mut few = || {
        let among: [&dyn Selectable; 2] = [&subscribers[0], &subscribers[1]];
        allocations(|| assert_eq!(selector.select_timeout(among, LONG), None))
    };
    assert_eq!((few(), few(), few()), (1, 0, 0), "what it sleeps by");
    let mut list = |count: usize| {
        let among = &subscribers[..count];
        allocations(|| assert!(selector.select_list_timeout(among, LONG).is_err()))
    };
    assert_eq!((list(3), list(3), list(2)), (1, 0, 0), "room for places");
}

#[test]
fn what_finds_something_allocates_nothing_at_all() {
    let (mut publishers, subscribers) = rings(3);
    publishers[2].publish(1);
    let among: [&dyn Selectable; 2] = [&subscribers[0], &subscribers[2]];
    let all = || {
        let mut selector = Selector::new();
        assert_eq!(selector.select(among), 1);
        assert_eq!(selector.select_list(&subscribers), Ok(2));
        assert_eq!(select_timeout(among, BRIEF), Some(1));
        assert_eq!(poll_once(&mut selector.select_async(among)), Poll::Ready(1));
        assert_eq!(poll_once(&mut select_async(among)), Poll::Ready(1));
    };
    assert_eq!(allocations(all), 0);
}

/// A ring that nobody has registered with allocates for the first one who does: none is registered with before the sleep.
#[test]
fn a_thread_that_does_not_sleep_registers_with_nobody() {
    /// Publishes in its fifth round.
    struct Fifth(Cell<Option<Publisher<u64, Gating>>>);
    impl Strategy for Fifth {
        fn pause(&self, round: u32) -> Next {
            if round == 4 {
                self.0.take().unwrap().publish(1);
            }
            Next::Check
        }
    }
    let (mut publishers, subscribers) = rings(3);
    let strategy = Fifth(Cell::new(publishers.pop()));
    let among: [&dyn Selectable; 3] = [&subscribers[0], &subscribers[1], &subscribers[2]];
    let mut selector = Selector::new();
    let spun = allocations(|| assert_eq!(selector.select_with(strategy, among), 2));
    assert_eq!(spun, 1, "what the selector would sleep by");
    // A busy machine may let the time pass before the thread comes to sleep.
    let mut brief =
        || allocations(|| assert_eq!(selector.select_timeout([&subscribers[0]], BRIEF), None));
    let slept = (0..1000).any(|_| brief() > 0);
    assert!(slept, "room for a waker in the ring's list");
}

#[test]
fn tasks_allocate_nothing_once_warm() {
    let (mut publishers, mut subscribers) = rings(3);
    let mut selector = Selector::new();
    let round = || {
        let mut free = select_async([&subscribers[0], &subscribers[1]]);
        assert!(poll_once(&mut free).is_pending());
        drop(free);
        let mut few = selector.select_async([&subscribers[0], &subscribers[1]]);
        assert!(poll_once(&mut few).is_pending());
        drop(few);
        let mut list = selector.select_list_async(&subscribers);
        assert!(poll_once(&mut list).is_pending());
        publishers[2].publish(1);
        // It may be pending once more, when its turn is over.
        while poll_once(&mut list) != Poll::Ready(Ok(2)) {}
        drop(list);
        assert_eq!(subscribers[2].try_recv(), Ok(1));
    };
    assert_eq!(steady(round), 0);
}

/// Two threads that make each other sleep and wake each other, each counting for itself. A ring makes room for wakers once
/// more when one registers while a publisher has the list; that happens as often as there are publishers at the same time.
#[test]
fn threads_that_wake_each_other_soon_allocate_no_more() {
    ends(|| {
        let (mut publishers, mut subscribers) = rings(3);
        let (mut pong, mut ponged) = (publishers.remove(0), subscribers.remove(0));
        let (mut ping, mut pinged) = (publishers.remove(0), subscribers.remove(0));
        let idle = &subscribers[0];
        let (here, there) = std::thread::scope(|scope| {
            let there = scope.spawn(move || {
                let mut selector = Selector::with_strategy(WaitStrategy::Park);
                steady(|| {
                    assert_eq!(selector.select([idle, &pinged]), 1);
                    pong.publish(pinged.try_recv().unwrap());
                })
            });
            let mut selector = Selector::with_strategy(WaitStrategy::Park);
            let here = steady(|| {
                ping.publish(1);
                assert_eq!(selector.select([&ponged, idle]), 0);
                assert_eq!(ponged.try_recv(), Ok(1));
            });
            (here, there.join().unwrap())
        });
        assert!(here < 10 && there < 10, "{here} and {there}");
    });
}
