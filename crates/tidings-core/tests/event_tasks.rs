//! Tasks that wait for an event: woken once, freed at once, none left asleep.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]
#![allow(
    clippy::disallowed_methods,
    reason = "an executor of one thread parks it"
)]

#[path = "support/counter.rs"]
mod counter;
#[path = "support/guard.rs"]
mod guard;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::task::{Context, Poll, Waker};
use std::thread;

use counter::Counter;
use tidings_core::wait::{Deadline, Event, TaskKey, WaitStrategy};

fn modes() -> [Event; 2] {
    [Event::new(), Event::new_fenced()]
}

/// Registers and finds nothing.
fn arm(event: &Event, key: &mut TaskKey, waker: &Waker) {
    let polled = event.poll_until(key, &mut Context::from_waker(waker), || None::<()>);
    assert_eq!(polled, Poll::Pending);
}

#[test]
fn one_notification_wakes_every_task_once() {
    for event in modes() {
        let mut tasks: Vec<_> = (0..40)
            .map(|_| (Counter::with_waker(), TaskKey::default()))
            .collect();
        for ((_, waker), key) in &mut tasks {
            arm(&event, key, waker);
        }
        event.notify();
        event.notify();
        assert!(tasks.iter().all(|((counter, _), _)| counter.count() == 1));
    }
}

#[test]
fn nobody_waits_after_a_notification() {
    for event in modes() {
        let mut key = TaskKey::default();
        assert!(!event.is_awaited());
        arm(&event, &mut key, Waker::noop());
        assert!(event.is_awaited());
        event.notify();
        assert!(!event.is_awaited());
    }
}

#[test]
fn what_appears_during_the_registration_is_found() {
    let (event, mut key, mut looks) = (Event::new(), TaskKey::default(), 0);
    let found = event.poll_until(&mut key, &mut Context::from_waker(Waker::noop()), || {
        looks += 1;
        (looks == 2).then_some("second look")
    });
    assert_eq!(found, Poll::Ready("second look"));
    assert!(!key.is_armed());
}

#[test]
fn the_latest_waker_counts() {
    let (event, mut key) = (Event::new(), TaskKey::default());
    let (old, old_waker) = Counter::with_waker();
    let (new, new_waker) = Counter::with_waker();
    arm(&event, &mut key, &old_waker);
    arm(&event, &mut key, &new_waker);
    drop(old_waker);
    assert_eq!(Arc::strong_count(&old), 1);
    event.notify();
    assert_eq!((old.count(), new.count()), (0, 1));
}

#[test]
fn cancelling_frees_the_waker_at_once() {
    for event in modes() {
        let (counter, waker) = Counter::with_waker();
        let mut key = TaskKey::default();
        arm(&event, &mut key, &waker);
        drop(waker);
        assert_eq!(Arc::strong_count(&counter), 2);
        event.cancel(&mut key);
        assert_eq!(Arc::strong_count(&counter), 1);
        event.notify();
        assert_eq!(counter.count(), 0);
    }
}

#[test]
fn finding_something_frees_the_waker_at_once() {
    let (event, mut key) = (Event::new(), TaskKey::default());
    let (counter, waker) = Counter::with_waker();
    arm(&event, &mut key, &waker);
    let mut cx = Context::from_waker(&waker);
    assert_eq!(
        event.poll_until(&mut key, &mut cx, || Some(1)),
        Poll::Ready(1)
    );
    drop(waker);
    assert_eq!(Arc::strong_count(&counter), 1);
}

#[test]
fn a_forgotten_key_only_delays_the_drop() {
    let event = Event::new();
    let (counter, waker) = Counter::with_waker();
    arm(&event, &mut TaskKey::default(), &waker);
    drop(waker);
    event.notify();
    assert_eq!((counter.count(), Arc::strong_count(&counter)), (1, 1));
}

#[test]
fn dropping_the_event_frees_the_wakers() {
    let event = Event::new();
    let (counter, waker) = Counter::with_waker();
    let mut key = TaskKey::default();
    arm(&event, &mut key, &waker);
    drop((event, waker));
    assert_eq!(Arc::strong_count(&counter), 1);
}

#[test]
fn a_stale_key_touches_nobody_else() {
    let event = Event::new();
    let mut stale = TaskKey::default();
    arm(&event, &mut stale, Waker::noop());
    event.notify();
    let (counter, waker) = Counter::with_waker();
    arm(&event, &mut TaskKey::default(), &waker);
    event.cancel(&mut stale);
    event.notify();
    assert_eq!(counter.count(), 1);
}

#[test]
fn a_key_of_another_event_touches_nobody_else() {
    let (here, there) = (Event::new(), Event::new());
    let (mut foreign, mut own) = (TaskKey::default(), TaskKey::default());
    arm(&there, &mut foreign, Waker::noop());
    let (counter, waker) = Counter::with_waker();
    arm(&here, &mut own, &waker);
    here.cancel(&mut foreign);
    here.notify();
    assert_eq!(counter.count(), 1);
}

#[test]
fn a_key_may_move_on_to_another_event() {
    let (first, second) = (Event::new(), Event::new());
    let (counter, waker) = Counter::with_waker();
    let mut key = TaskKey::default();
    arm(&first, &mut key, &waker);
    arm(&second, &mut key, &waker);
    drop(first);
    second.notify();
    assert_eq!(counter.count(), 1);
}

#[test]
fn a_task_that_is_never_polled_again_blocks_nobody() {
    let event = Event::new();
    let (live, live_waker) = Counter::with_waker();
    let (mut idle_key, mut live_key) = (TaskKey::default(), TaskKey::default());
    arm(&event, &mut idle_key, Waker::noop());
    arm(&event, &mut live_key, &live_waker);
    event.notify();
    arm(&event, &mut live_key, &live_waker);
    event.notify();
    assert_eq!(live.count(), 2);
}

#[test]
fn threads_and_tasks_wait_side_by_side() {
    guard::ends(|| {
        for event in modes() {
            let level = AtomicUsize::new(0);
            let look = |wanted| (level.load(Ordering::Acquire) >= wanted).then_some(());
            let rounds = if cfg!(miri) { 5 } else { 2_000 };
            let done = AtomicUsize::new(0);
            thread::scope(|scope| {
                scope.spawn(|| {
                    for round in 1..=rounds {
                        event.wait_until(&WaitStrategy::Park, Deadline::NEVER, || look(round));
                        done.fetch_add(1, Ordering::AcqRel);
                    }
                });
                scope.spawn(|| {
                    let waker = Waker::from(Arc::new(Unpark(thread::current())));
                    let (mut key, mut cx) = (TaskKey::default(), Context::from_waker(&waker));
                    for round in 1..=rounds {
                        while event
                            .poll_until(&mut key, &mut cx, || look(round))
                            .is_pending()
                        {
                            thread::park();
                        }
                        done.fetch_add(1, Ordering::AcqRel);
                    }
                });
                for round in 1..=rounds {
                    level.store(round, Ordering::Release);
                    event.notify();
                    while done.load(Ordering::Acquire) < 2 * round {
                        thread::yield_now();
                    }
                }
            });
        }
    });
}

struct Unpark(thread::Thread);

impl std::task::Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The first tasks of an event change how its notifiers fence, while one of them runs.
#[test]
fn the_first_tasks_of_an_event_are_woken_too() {
    guard::ends(|| {
        let rounds = if cfg!(miri) { 5 } else { 3_000 };
        let events: Vec<_> = (0..rounds)
            .map(|_| (Event::new(), AtomicUsize::new(0)))
            .collect();
        let start = Barrier::new(3);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let waker = Waker::from(Arc::new(Unpark(thread::current())));
                    let mut cx = Context::from_waker(&waker);
                    for (event, level) in &events {
                        let look = || (level.load(Ordering::Acquire) > 0).then_some(());
                        let mut key = TaskKey::default();
                        start.wait();
                        while event.poll_until(&mut key, &mut cx, look).is_pending() {
                            thread::park();
                        }
                    }
                });
            }
            for (event, level) in &events {
                start.wait();
                level.store(1, Ordering::Release);
                event.notify();
            }
        });
    });
}

/// Registrations, cancellations and notifications from many threads: exact wakes are not countable, but nothing hangs,
/// and no waker is left over.
#[test]
fn churn_leaves_no_waker_behind() {
    guard::ends(|| {
        let event = Event::new();
        let (counter, waker) = Counter::with_waker();
        let rounds = if cfg!(miri) { 10 } else { 5_000 };
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut keys: [TaskKey; 3] = Default::default();
                    for round in 0..rounds {
                        arm(&event, &mut keys[round % 3], &waker);
                        event.cancel(&mut keys[(round + 1) % 3]);
                        if round % 7 == 0 {
                            event.notify();
                        }
                    }
                    keys.iter_mut().for_each(|key| event.cancel(key));
                });
            }
        });
        drop(waker);
        assert_eq!(Arc::strong_count(&counter), 1);
    });
}
