//! Waiting for one of several, as a thread; and the word that ends it all.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;

use guard::ends;
use std::time::{Duration, Instant};
use tidings_ring::{
    MpPublisher, Publisher, SelectError, SelectTimeoutError, Selectable, Selector, Shutdown,
    Subscriber, TryRecvError, WaitStrategy, channel, channel_bounded, channel_mpmc,
    channel_mpmc_bounded, event_channel, event_channel_mpmc, select, select_deadline,
    select_timeout, value_channel,
};

const SOON: Duration = Duration::from_millis(1);

#[test]
fn whatever_is_ready_is_found_at_once() {
    let (mut copies, subscribable) = channel::<u64>(4);
    let mut copy = subscribable.subscribe();
    let (mut events, subscribable) = event_channel(4, || 0);
    let mut event = subscribable.subscribe();
    let (values, subscribable) = value_channel::<u64>(4);
    let mut value = subscribable.subscribe();
    assert_eq!(select_timeout([&copy, &event, &value], SOON), None);
    events.publish(|value| *value = 1);
    assert_eq!(select([&copy, &event, &value]), 1);
    event.process(|_| ());
    values.publish(2);
    assert_eq!(select([&copy, &event, &value]), 2);
    assert_eq!(value.try_recv(), Ok(2));
    copies.publish(3);
    assert_eq!(
        select_deadline([&copy, &event, &value], Instant::now()),
        Some(0)
    );
    assert_eq!(copy.try_recv(), Ok(3));
}

#[test]
fn an_end_and_a_loss_are_something_to_say() {
    let (mut one, subscribable) = channel::<u64>(1);
    let mut lossy = subscribable.subscribe();
    let (two, subscribable) = channel::<u64>(1);
    let ended = subscribable.subscribe();
    drop(two);
    assert_eq!(select([&lossy, &ended]), 1);
    one.publish(1);
    one.publish(2);
    assert_eq!(select([&lossy]), 0);
    assert!(lossy.try_recv().is_err());
}

#[test]
fn a_thread_that_waits_is_woken_by_any_of_them() {
    for which in 0..3 {
        let (mut copies, subscribable) = channel_bounded::<u64>(4, 0);
        let copy = subscribable.subscribe();
        let (values, subscribable) = value_channel::<u64>(4);
        let value = subscribable.subscribe();
        let shutdown = Shutdown::new();
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| select([&copy, &value, &shutdown]));
            match which {
                0 => copies.publish(1),
                1 => values.publish(1),
                _ => shutdown.trigger(),
            }
            assert_eq!(waits.join().unwrap(), which);
        });
    }
}

/// The short forms begin anywhere each time.
#[test]
fn none_starves() {
    let (mut one, subscribable) = channel::<u64>(4);
    let first = subscribable.subscribe();
    let (mut two, subscribable) = channel::<u64>(4);
    let second = subscribable.subscribe();
    one.publish(1);
    two.publish(1);
    let mut seen = [0; 2];
    (0..100).for_each(|_| seen[select([&first, &second])] += 1);
    assert!(seen.iter().all(|&seen| seen > 0), "{seen:?}");
}

#[test]
fn shutdown_reaches_threads_and_tasks_and_stays() {
    let shutdown = Shutdown::new();
    assert!(!shutdown.is_shutdown() && !shutdown.wait_timeout(SOON));
    assert!(!shutdown.wait_deadline(Instant::now()));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| shutdown.wait());
        scope.spawn(|| runtime.block_on(shutdown.wait_async()));
        shutdown.clone().trigger();
    });
    shutdown.trigger();
    assert!(shutdown.is_shutdown() && shutdown.wait_timeout(SOON));
    assert_eq!(format!("{shutdown:?}"), "Shutdown { is_shutdown: true }");
}

#[test]
fn a_loop_over_two_rings_gets_everything() {
    const EACH: u64 = if cfg!(miri) { 30 } else { 3_000 };
    let (mut one, subscribable) = channel_bounded::<u64>(4, 0);
    let mut first = subscribable.subscribe();
    let (mut two, subscribable) = channel_bounded::<u64>(4, 0);
    let mut second = subscribable.subscribe();
    std::thread::scope(|scope| {
        scope.spawn(move || (0..EACH).for_each(|n| one.publish(n)));
        scope.spawn(move || (0..EACH).for_each(|n| two.publish(n)));
        let (mut sums, mut left) = ([0; 2], 2 * EACH);
        while left > 0 {
            let which = select([&first, &second]);
            let received = [&mut first, &mut second][which].try_recv();
            if let Ok(n) = received {
                sums[which] += n;
                left -= 1;
            }
            if first.total_received() == EACH || second.total_received() == EACH {
                break;
            }
        }
        sums[0] += first.iter().sum::<u64>();
        sums[1] += second.iter().sum::<u64>();
        assert_eq!(sums, [EACH * (EACH - 1) / 2; 2]);
    });
}

/// Several rings of a kind.
fn rings(count: usize) -> (Vec<Publisher<u64>>, Vec<Subscriber<u64>>) {
    (0..count)
        .map(|_| channel(4))
        .map(|(publisher, subscribable)| (publisher, subscribable.subscribe()))
        .unzip()
}

#[test]
fn two_that_are_always_ready_get_every_second_answer_each() {
    let (mut publishers, subscribers) = rings(2);
    publishers
        .iter_mut()
        .for_each(|publisher| publisher.publish(1));
    let (one, two) = (&subscribers[0], &subscribers[1]);
    let mut selector = Selector::new();
    for _ in 0..100 {
        assert_eq!(selector.select([one, two]), 0);
        assert_eq!(selector.try_select([one, two]), Some(1));
        assert_eq!(selector.select_timeout([one, two], SOON), Some(0));
        assert_eq!(
            selector.select_deadline([one, two], Instant::now()),
            Some(1)
        );
        assert_eq!(selector.select_with(WaitStrategy::Park, [one, two]), 0);
        assert_eq!(selector.select_list(&subscribers), Ok(1));
        assert_eq!(selector.try_select_list(&subscribers), Some(0));
        assert_eq!(selector.select_list_timeout(&subscribers, SOON), Ok(1));
    }
}

#[test]
fn those_that_are_ready_take_turns_among_those_that_are_not() {
    let (mut publishers, mut subscribers) = rings(5);
    for ready in [0, 2, 4] {
        publishers[ready].publish(1);
    }
    let mut selector = Selector::new();
    for _ in 0..10 {
        assert_eq!(selector.try_select_list(&subscribers), Some(0));
        assert_eq!(selector.try_select_list(&subscribers), Some(2));
        assert_eq!(selector.try_select_list(&subscribers), Some(4));
    }
    assert_eq!(subscribers[0].try_recv(), Ok(1));
    assert_eq!(selector.try_select_list(&subscribers), Some(2));
    // What would be next is not in the list any more.
    assert_eq!(selector.try_select_list(&subscribers[1..3]), Some(1));
    subscribers.truncate(2);
    assert_eq!(selector.try_select_list(&subscribers), None);
}

#[test]
fn an_empty_list_is_an_outcome_not_a_wait() {
    let nothing: [&dyn Selectable; 0] = [];
    let mut selector = Selector::new();
    assert_eq!(selector.try_select_list(&nothing), None);
    assert_eq!(selector.select_list(&nothing), Err(SelectError));
    let outcome = selector.select_list_with(WaitStrategy::BusySpin, &nothing);
    assert_eq!(outcome, Err(SelectError));
    let for_ever = selector.select_list_timeout(&nothing, Duration::MAX);
    assert_eq!(for_ever, Err(SelectTimeoutError::Nothing));
    let gone = selector.select_list_deadline(&nothing, Instant::now());
    assert_eq!(gone, Err(SelectTimeoutError::Nothing));
    assert_eq!(SelectError.to_string(), "there is nothing to select from");
    assert_eq!(
        SelectTimeoutError::from(SelectError),
        SelectTimeoutError::Nothing
    );
    let late = SelectTimeoutError::Timeout.to_string();
    assert_eq!(late, "none was ready before the deadline");
}

#[test]
fn a_list_may_hold_every_kind() {
    let (copies, subscribable) = channel_mpmc::<u64>(4);
    let copy = subscribable.subscribe();
    let (gated, subscribable) = channel_mpmc_bounded::<u64>(4, 0);
    let held = subscribable.subscribe();
    let beside = subscribable.subscribe_lossy();
    let after = subscribable.subscribe_after(&[held.upstream()]).unwrap();
    let (events, subscribable) = event_channel_mpmc(4, || 0);
    let event = subscribable.subscribe();
    let (values, subscribable) = value_channel::<String>(4);
    let value = subscribable.subscribe();
    let shutdown = Shutdown::new();
    let all: [&dyn Selectable; 7] = [&copy, &held, &beside, &after, &event, &value, &shutdown];
    let mut selector = Selector::new();
    assert_eq!(selector.try_select_list(&all), None);
    copies.publish(1);
    assert_eq!(selector.select_list(&all), Ok(0));
    gated.publish(1);
    assert_eq!(selector.select_list(&all), Ok(1));
    assert_eq!(selector.select_list(&all), Ok(2));
    events.publish(|value| *value = 1);
    assert_eq!(selector.select_list(&all), Ok(4), "3 comes after 1");
    values.publish(String::new());
    assert_eq!(selector.select_list(&all), Ok(5));
    shutdown.trigger();
    assert_eq!(selector.select_list(&all), Ok(6));
    assert_eq!(selector.select_list(&all), Ok(0));
}

/// Of one that comes after another the other's progress makes it ready.
#[test]
fn one_that_comes_after_another_is_waited_for() {
    ends(|| {
        let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
        let mut first = subscribable.subscribe();
        let second = subscribable.subscribe_after(&[first.upstream()]).unwrap();
        let (_idle, other) = rings(1);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| Selector::new().select([&other[0], &second]));
            publisher.publish(1);
            assert_eq!(first.recv(), Ok(1));
            assert_eq!(waits.join().unwrap(), 1);
        });
    });
}

/// What was given up is passed over by the next receive, which may find nothing behind it.
#[test]
fn what_was_given_up_is_ready_and_may_be_empty() {
    fn given_up(publisher: &MpPublisher<u64>, subscriber: &mut Subscriber<u64>) {
        let mut selector = Selector::new();
        assert_eq!(selector.try_select([&*subscriber]), None);
        let claim = publisher.try_claim(2).unwrap();
        assert_eq!(
            selector.try_select([&*subscriber]),
            None,
            "it may yet be filled"
        );
        drop(claim);
        assert_eq!(selector.select([&*subscriber]), 0);
        assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
        assert_eq!(selector.select_timeout([&*subscriber], SOON), None);
        drop(publisher.try_claim(1).unwrap());
        publisher.publish(7);
        assert_eq!(selector.select([&*subscriber]), 0);
        assert_eq!(subscriber.try_recv(), Ok(7), "in one receive");
    }
    let (publisher, subscribable) = channel_mpmc::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    given_up(&publisher, &mut subscriber);
    assert_eq!(subscriber.total_aborted(), 3);
    drop(publisher.try_claim(1).unwrap());
    drop(publisher);
    assert_eq!(select([&subscriber]), 0);
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Closed));
    assert_eq!(select([&subscriber]), 0, "the end stays");
}

/// A waiting thread passes over it, so that a publisher that waits for that slot goes on.
#[test]
fn what_was_given_up_ends_a_wait() {
    ends(|| {
        let (publisher, subscribable) = channel_mpmc_bounded::<u64>(1, 0);
        let mut subscriber = subscribable.subscribe();
        let (_idle, other) = rings(1);
        std::thread::scope(|scope| {
            scope.spawn(move || {
                drop(publisher.claim(1).unwrap());
                publisher.publish(7);
            });
            let mut selector = Selector::with_strategy(WaitStrategy::Park);
            loop {
                assert_eq!(selector.select([&other[0], &subscriber]), 1);
                match subscriber.try_recv() {
                    Ok(message) => break assert_eq!(message, 7),
                    Err(error) => assert_eq!(error, TryRecvError::Empty),
                }
            }
        });
        assert_eq!(subscriber.total_aborted(), 1);
    });
}

#[test]
fn a_deadline_that_has_passed_finds_what_is_ready_and_waits_for_nothing() {
    let (mut publishers, subscribers) = rings(2);
    let (one, two) = (&subscribers[0], &subscribers[1]);
    let gone = Instant::now();
    let mut selector = Selector::new();
    assert_eq!(selector.select_deadline([one, two], gone), None);
    assert_eq!(selector.select_timeout([one, two], Duration::ZERO), None);
    let late = selector.select_list_deadline(&subscribers, gone);
    assert_eq!(late, Err(SelectTimeoutError::Timeout));
    publishers[1].publish(1);
    assert_eq!(selector.select_deadline([one, two], gone), Some(1));
    assert_eq!(select_timeout([one, two], Duration::ZERO), Some(1));
    assert_eq!(selector.select_list_deadline(&subscribers, gone), Ok(1));
}

#[test]
fn several_selectors_wait_for_the_same_subscribers() {
    ends(|| {
        let (mut publishers, subscribers) = rings(3);
        std::thread::scope(|scope| {
            let mut waiting = Vec::new();
            for _ in 0..4 {
                let subscribers = &subscribers;
                waiting.push(scope.spawn(move || Selector::new().select_list(subscribers)));
            }
            publishers[2].publish(1);
            for waits in waiting {
                assert_eq!(waits.join().unwrap(), Ok(2));
            }
        });
    });
}

/// However many rings, each is heard to its end, and each message is received once.
#[test]
fn a_list_that_shrinks_is_heard_to_its_end() {
    const EACH: u64 = if cfg!(miri) { 10 } else { 1_000 };
    ends(|| {
        for strategy in [WaitStrategy::ADAPTIVE, WaitStrategy::Park] {
            let (publishers, mut subscribers): (Vec<_>, Vec<_>) = (0..5)
                .map(|_| channel_bounded::<u64>(2, 0))
                .map(|(publisher, subscribable)| (publisher, subscribable.subscribe()))
                .unzip();
            std::thread::scope(|scope| {
                for mut publisher in publishers {
                    scope.spawn(move || (0..EACH).for_each(|n| publisher.publish(n)));
                }
                let (mut selector, mut sum) = (Selector::with_strategy(strategy), 0);
                while let Ok(index) = selector.select_list(&subscribers) {
                    match subscribers[index].try_recv() {
                        Ok(n) => sum += n,
                        Err(TryRecvError::Closed) => drop(subscribers.remove(index)),
                        Err(error) => panic!("ready, and yet {error}"),
                    }
                }
                assert_eq!(sum, 5 * EACH * (EACH - 1) / 2);
            });
        }
    });
}

#[test]
fn a_selector_goes_where_its_owner_goes() {
    fn goes<T: Send + Sync + Unpin + std::panic::UnwindSafe + 'static>() {}
    goes::<Selector>();
    fn is_shared<T: Send + Sync>(_: &T) {}
    let (_publishers, subscribers) = rings(2);
    let mut selector = Selector::new();
    assert_eq!(format!("{selector:?}"), "Selector { next: 0, .. }");
    let few = selector.select_async([&subscribers[0]]);
    is_shared(&few);
    assert_eq!(format!("{few:?}"), "SelectFuture { among: 1, .. }");
    drop(few);
    let list = selector.select_list_async(&subscribers);
    is_shared(&list);
    assert_eq!(format!("{list:?}"), "SelectListFuture { among: 2, .. }");
}
