//! Selecting as a task: turns, wakers that are given back, futures that are dropped or leaked, wakers that panic or call back.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "../../tidings-core/tests/support/wakers.rs"]
mod wakers;

use counter::Counter;
use executor::{Tasks, block_on, poll_once, poll_with};
use guard::ends;
use std::cell::Cell;
use std::future::Future;
use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use tidings_ring::{
    Lossy, Publisher, SelectError, Selectable, Selector, Shutdown, Subscriber, channel,
    select_async,
};
use wakers::{Act, calling_back};

/// Answers between two polls that are pending although something is ready.
const TURN: usize = 128;

/// Several rings.
fn rings(count: usize) -> (Vec<Publisher<u64>>, Vec<Subscriber<u64>>) {
    (0..count)
        .map(|_| channel(4))
        .map(|(publisher, subscribable)| (publisher, subscribable.subscribe()))
        .unzip()
}

/// Several rings in which something is ready for good, because nobody receives it.
fn full_rings(count: usize) -> Vec<Subscriber<u64>> {
    let (mut publishers, subscribers) = rings(count);
    publishers
        .iter_mut()
        .for_each(|publisher| publisher.publish(1));
    subscribers
}

type Task = Pin<Box<dyn Future<Output = ()>>>;

const ANSWERS: usize = 1000;

/// Every way in which a task selects; each has as many answers.
fn selecting() -> Vec<Task> {
    let (one, list) = (full_rings(2), full_rings(5));
    let (free, told) = (full_rings(1), Shutdown::new());
    told.trigger();
    vec![
        Box::pin(async move {
            let mut selector = Selector::new();
            for n in 0..ANSWERS {
                assert_eq!(selector.select_async([&one[0], &one[1]]).await, n % 2);
            }
        }),
        Box::pin(async move {
            let mut selector = Selector::new();
            for n in 0..ANSWERS {
                assert_eq!(selector.select_list_async(&list).await, Ok(n % 5));
            }
        }),
        Box::pin(async move {
            for _ in 0..ANSWERS {
                assert_eq!(select_async([&free[0]]).await, 0);
            }
        }),
        Box::pin(async move {
            for _ in 0..ANSWERS {
                assert_eq!(select_async([&told]).await, 0);
            }
        }),
    ]
}

#[test]
fn a_task_that_always_finds_something_gives_way_now_and_then() {
    for task in selecting() {
        let mut tasks = Tasks::default();
        tasks.spawn(task);
        assert_eq!((tasks.run(), tasks.unfinished()), (ANSWERS / TURN + 1, 0));
    }
}

#[test]
fn rings_that_are_never_empty_starve_no_task() {
    ends(|| {
        let (end, subscribers) = (Cell::new(false), full_rings(2));
        let (one, two) = (&subscribers[0], &subscribers[1]);
        let mut tasks = Tasks::default();
        tasks.spawn(async {
            let mut selector = Selector::new();
            while !end.get() {
                selector.select_async([one, two]).await;
            }
        });
        tasks.spawn(async {
            while !end.get() {
                select_async([one, two]).await;
            }
        });
        tasks.spawn(async { end.set(true) });
        tasks.run();
        assert_eq!(tasks.unfinished(), 0);
    });
}

/// The same below a timeout, which is of the same task.
#[test]
#[cfg_attr(miri, ignore = "a runtime that polls the kernel")]
fn a_timeout_around_rings_that_are_never_empty_ends() {
    ends(|| {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build().unwrap();
        runtime.block_on(async {
            let (subscribers, mut selector) = (full_rings(2), Selector::new());
            let busy = async { while selector.select_list_async(&subscribers).await.is_ok() {} };
            let soon = std::time::Duration::from_millis(1);
            assert!(tokio::time::timeout(soon, busy).await.is_err());
        });
    });
}

/// Messages that are waited for one by one cost two polls each, however many there are.
#[test]
fn a_task_that_waits_is_polled_for_messages_only() {
    let (mut publishers, mut subscribers) = rings(2);
    let mut tasks = Tasks::default();
    tasks.spawn(async move {
        let mut selector = Selector::new();
        loop {
            let which = selector
                .select_async([&subscribers[0], &subscribers[1]])
                .await;
            let _ = subscribers[which].try_recv();
        }
    });
    assert_eq!(tasks.run(), 1);
    for n in 0..3 * TURN {
        publishers[n % 2].publish(7);
        assert_eq!((tasks.run(), tasks.run()), (1, 0));
    }
    assert_eq!(tasks.wakes(), 3 * TURN);
}

#[test]
fn a_task_is_woken_by_any_of_them() {
    ends(|| {
        for which in 0..3 {
            let (mut publishers, subscribers) = rings(2);
            let shutdown = Shutdown::new();
            let among: [&dyn Selectable; 3] = [&subscribers[0], &subscribers[1], &shutdown];
            std::thread::scope(|scope| {
                let kept = scope.spawn(|| block_on(Selector::new().select_async(among)));
                let free = scope.spawn(|| block_on(select_async(among)));
                let list = scope.spawn(|| block_on(Selector::new().select_list_async(&among)));
                match which {
                    2 => shutdown.trigger(),
                    _ => publishers[which].publish(1),
                }
                assert_eq!(kept.join().unwrap(), which);
                assert_eq!(free.join().unwrap(), which);
                assert_eq!(list.join().unwrap(), Ok(which));
            });
        }
    });
}

#[test]
fn an_empty_list_is_an_error_at_once() {
    let nothing: [Subscriber<u64>; 0] = [];
    let mut selector = Selector::new();
    let polled = poll_once(&mut selector.select_list_async(&nothing));
    assert_eq!(polled, Poll::Ready(Err(SelectError)));
}

#[test]
fn nothing_is_registered_while_one_is_ready() {
    let (mut publishers, subscribers) = rings(3);
    publishers[2].publish(1);
    let (counter, waker) = Counter::with_waker();
    let mut selector = Selector::new();
    let mut list = selector.select_list_async(&subscribers);
    assert_eq!(poll_with(&mut list, &waker), Poll::Ready(Ok(2)));
    assert_eq!(Arc::strong_count(&counter), 2);
}

#[test]
fn wakers_are_taken_back_by_an_answer_and_by_a_drop() {
    let (mut publishers, subscribers) = rings(3);
    let (one, two) = (&subscribers[0], &subscribers[1]);
    let (counter, waker) = Counter::with_waker();
    let mut selector = Selector::new();
    let mut list = selector.select_list_async(&subscribers);
    assert!(poll_with(&mut list, &waker).is_pending());
    assert_eq!(Arc::strong_count(&counter), 5, "one waker with each ring");
    drop(list);
    assert_eq!(Arc::strong_count(&counter), 2);
    let mut few = selector.select_async([one, two]);
    assert!(poll_with(&mut few, &waker).is_pending());
    assert!(poll_with(&mut few, &waker).is_pending());
    assert_eq!(Arc::strong_count(&counter), 4);
    publishers[1].publish(1);
    assert_eq!(poll_with(&mut few, &waker), Poll::Ready(1));
    assert_eq!(Arc::strong_count(&counter), 2, "before it is dropped");
    assert_eq!(
        poll_with(&mut few, &waker),
        Poll::Ready(1),
        "as it is still"
    );
    assert_eq!(counter.count(), 1);
}

#[test]
fn a_future_that_is_dropped_loses_no_turn() {
    let subscribers = full_rings(2);
    let among: [&dyn Selectable; 2] = [&subscribers[0], &subscribers[1]];
    let mut selector = Selector::new();
    for n in 0..10 {
        drop(selector.select_async(among));
        drop(selector.select_list_async(&among));
        assert_eq!(
            poll_once(&mut selector.select_async(among)),
            Poll::Ready(n % 2)
        );
    }
}

/// Its wakers stay with the rings until they are woken, as those of any future that is leaked.
#[test]
fn a_future_that_is_leaked_leaves_the_selector_whole() {
    let (mut publishers, mut subscribers) = rings(2);
    let (counter, waker) = Counter::with_waker();
    let mut selector = Selector::new();
    let mut leaked = selector.select_list_async(&subscribers);
    assert!(poll_with(&mut leaked, &waker).is_pending());
    forget(leaked);
    let mut list = selector.select_list_async(&subscribers);
    assert!(poll_with(&mut list, &waker).is_pending());
    publishers
        .iter_mut()
        .for_each(|publisher| publisher.publish(1));
    assert_eq!(poll_with(&mut list, &waker), Poll::Ready(Ok(0)));
    drop(list);
    assert_eq!((Arc::strong_count(&counter), counter.count()), (2, 4));
    assert_eq!(selector.select_list(&subscribers), Ok(1));
    subscribers.pop();
    assert_eq!(selector.select_list(&subscribers), Ok(0));
}

/// How many clones of a waker are alive, and the waker, which panics at the `nth` of these acts.
fn angry(at: Act, nth: usize) -> (Arc<AtomicUsize>, std::task::Waker) {
    let alive = Arc::new(AtomicUsize::new(0));
    let (count, acts) = (Arc::clone(&alive), AtomicUsize::new(0));
    let waker = calling_back(move |act| {
        let panics = act == at && acts.fetch_add(1, SeqCst) + 1 == nth;
        match act {
            Act::Clone if !panics => count.fetch_add(1, SeqCst),
            Act::Drop | Act::Wake => count.fetch_sub(1, SeqCst),
            _ => 0,
        };
        assert!(!panics, "the waker panics");
    });
    (alive, waker)
}

#[test]
fn a_waker_that_panics_when_it_is_cloned_leaves_nothing_behind() {
    let (mut publishers, subscribers) = rings(3);
    let mut selector = Selector::new();
    for nth in 1..=3 {
        let (alive, waker) = angry(Act::Clone, nth);
        let polled = catch_unwind(AssertUnwindSafe(|| {
            poll_with(&mut selector.select_list_async(&subscribers), &waker)
        }));
        assert!(polled.is_err());
        assert_eq!(alive.load(SeqCst), 0);
    }
    publishers[2].publish(1);
    assert_eq!(selector.try_select_list(&subscribers), Some(2));
}

#[test]
fn a_waker_that_panics_when_it_is_dropped_keeps_no_other_one_registered() {
    let (_publishers, subscribers) = rings(3);
    let mut selector = Selector::new();
    for nth in 1..=3 {
        let (alive, waker) = angry(Act::Drop, nth);
        let mut list = selector.select_list_async(&subscribers);
        assert!(poll_with(&mut list, &waker).is_pending());
        assert_eq!(alive.load(SeqCst), 3);
        assert!(catch_unwind(AssertUnwindSafe(|| drop(list))).is_err());
        assert_eq!(alive.load(SeqCst), 0);
    }
}

/// A waker may publish, select, trigger and go on while it is cloned, woken or dropped.
#[test]
fn wakers_may_call_back() {
    ends(|| {
        let (publisher, subscribable) = channel::<u64>(4);
        let (first, second) = (subscribable.subscribe(), subscribable.subscribe());
        let shutdown = Shutdown::new();
        let within = Mutex::new(Some(publisher));
        let calls = Arc::new(AtomicUsize::new(0));
        let waker = calling_back({
            let (shutdown, calls) = (shutdown.clone(), Arc::clone(&calls));
            move |_| {
                if calls.fetch_add(1, SeqCst) == 1 {
                    // During the second clone: the first ring is registered with already.
                    if let Some(mut publisher) = within.lock().unwrap().take() {
                        publisher.publish(1);
                    }
                    shutdown.trigger();
                }
                let mut inner = Selector::new();
                let fresh: Subscriber<u64, Lossy> = subscribable.subscribe();
                let _ = poll_once(&mut inner.select_async([&shutdown, &fresh]));
            }
        });
        let mut selector = Selector::new();
        let mut few = selector.select_async([&shutdown, &first, &second]);
        let polled = poll_with(&mut few, &waker);
        assert!(polled.is_ready(), "the clone made them ready");
        drop(few);
        drop(waker);
        assert!(calls.load(SeqCst) > 3);
    });
}
