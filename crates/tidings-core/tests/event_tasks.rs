//! Tasks that wait for an event: wakers are woken once, dropped at once, and may do what they like meanwhile.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]
#![allow(unsafe_code, reason = "the wakers of tests/support/wakers.rs")]
#![allow(
    clippy::disallowed_methods,
    reason = "an executor of one thread parks it"
)]

#[path = "support/guard.rs"]
mod guard;
#[path = "support/wakers.rs"]
mod wakers;

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use std::thread;

use tidings_core::wait::{Deadline, Event, TaskKey, WaitStrategy};
use wakers::{Act, Counter, calling_back};

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
fn a_task_that_registers_while_others_are_woken_waits_for_the_next_notification() {
    let event = Arc::new(Event::new());
    let (late, late_waker) = Counter::with_waker();
    let late_key = Arc::new(Mutex::new(TaskKey::default()));
    let registers = calling_back({
        let (event, key) = (Arc::clone(&event), Arc::clone(&late_key));
        move |act| {
            if act == Act::Wake {
                arm(&event, &mut key.lock().unwrap(), &late_waker);
            }
        }
    });
    let mut keys = [TaskKey::default(), TaskKey::default()];
    for key in &mut keys {
        arm(&event, key, &registers);
    }
    event.notify();
    assert_eq!(late.count(), 0);
    event.notify();
    assert_eq!(late.count(), 1);
}

#[test]
fn tasks_that_wait_again_at_once_do_not_keep_the_notifier_busy() {
    let event = Arc::new(Event::new());
    let wakes = Arc::new(AtomicUsize::new(0));
    let again = |event: Arc<Event>, wakes: Arc<AtomicUsize>| {
        calling_back(move |act| {
            if act == Act::Wake {
                wakes.fetch_add(1, Ordering::SeqCst);
                arm(&event, &mut TaskKey::default(), Waker::noop());
            }
        })
    };
    for _ in 0..50 {
        let waker = again(Arc::clone(&event), Arc::clone(&wakes));
        arm(&event, &mut TaskKey::default(), &waker);
    }
    event.notify();
    assert_eq!(wakes.load(Ordering::SeqCst), 50);
}

#[test]
fn the_same_waker_is_not_cloned_again() {
    let clones = Arc::new(AtomicUsize::new(0));
    let waker = calling_back({
        let clones = Arc::clone(&clones);
        move |act| {
            if act == Act::Clone {
                clones.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    let (event, mut key) = (Event::new(), TaskKey::default());
    for _ in 0..3 {
        arm(&event, &mut key, &waker);
    }
    assert_eq!(clones.load(Ordering::SeqCst), 1);
    event.notify();
    arm(&event, &mut key, &waker);
    assert_eq!(clones.load(Ordering::SeqCst), 2);
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

/// A waker whose every act calls back into the event that holds it.
fn meddling(event: &Arc<Event>, key: &Arc<Mutex<TaskKey>>) -> Waker {
    let (event, key) = (Arc::clone(event), Arc::clone(key));
    calling_back(move |_| {
        event.notify();
        if let Ok(mut key) = key.try_lock() {
            event.cancel(&mut key);
            arm(&event, &mut key, Waker::noop());
        }
        let mut own = TaskKey::default();
        arm(&event, &mut own, Waker::noop());
        event.cancel(&mut own);
        assert!(!own.is_armed());
    })
}

#[test]
fn wakers_may_call_back_into_the_event() {
    guard::ends(|| {
        let event = Arc::new(Event::new());
        let shared = Arc::new(Mutex::new(TaskKey::default()));
        let mut key = TaskKey::default();
        for _ in 0..3 {
            arm(&event, &mut key, &meddling(&event, &shared));
            arm(&event, &mut key, &meddling(&event, &shared));
            event.notify();
            arm(&event, &mut key, &meddling(&event, &shared));
            event.cancel(&mut key);
        }
        event.notify();
    });
}

fn panicking_on(act: Act) -> Waker {
    calling_back(move |seen| assert_ne!(seen, act, "on purpose"))
}

#[test]
fn a_panicking_waker_keeps_nobody_asleep() {
    for event in modes() {
        let (first, first_waker) = Counter::with_waker();
        let (last, last_waker) = Counter::with_waker();
        let mut keys: [TaskKey; 4] = Default::default();
        arm(&event, &mut keys[0], &first_waker);
        arm(&event, &mut keys[1], &panicking_on(Act::Wake));
        arm(&event, &mut keys[2], &panicking_on(Act::Wake));
        arm(&event, &mut keys[3], &last_waker);
        assert!(catch_unwind(AssertUnwindSafe(|| event.notify())).is_err());
        assert_eq!((first.count(), last.count()), (1, 1));
        arm(&event, &mut keys[0], &first_waker);
        event.notify();
        assert_eq!(first.count(), 2);
    }
}

#[test]
fn a_waker_that_panics_when_cloned_or_dropped_leaves_the_event_usable() {
    let event = Event::new();
    let mut key = TaskKey::default();
    let cloning = panicking_on(Act::Clone);
    assert!(catch_unwind(AssertUnwindSafe(|| arm(&event, &mut key, &cloning))).is_err());
    // The original is kept aside, so that only the registered clone is dropped by the event.
    let dropping = ManuallyDrop::new(panicking_on(Act::Drop));
    arm(&event, &mut key, &dropping);
    assert!(catch_unwind(AssertUnwindSafe(|| event.cancel(&mut key))).is_err());
    let (counter, waker) = Counter::with_waker();
    arm(&event, &mut key, &waker);
    event.notify();
    assert_eq!(counter.count(), 1);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        drop(ManuallyDrop::into_inner(dropping))
    }));
    assert!(outcome.is_err());
}

#[test]
fn a_panicking_check_leaves_a_key_that_can_be_cancelled() {
    let event = Event::new();
    let (counter, waker) = Counter::with_waker();
    let (mut key, mut looks) = (TaskKey::default(), 0);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        event.poll_until(&mut key, &mut Context::from_waker(&waker), || {
            looks += 1;
            assert!(looks < 2, "on purpose");
            None::<()>
        })
    }));
    assert!(outcome.is_err());
    event.cancel(&mut key);
    drop(waker);
    assert_eq!(Arc::strong_count(&counter), 1);
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
