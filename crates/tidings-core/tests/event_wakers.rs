//! Wakers do what they like while an event clones, wakes or drops them: call back, register again, panic.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/counter.rs"]
mod counter;
#[path = "support/guard.rs"]
mod guard;
#[path = "support/wakers.rs"]
mod wakers;

use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use counter::Counter;
use tidings_core::wait::{Event, TaskKey};
use wakers::{Act, calling_back};

fn modes() -> [Event; 2] {
    [Event::new(), Event::new_fenced()]
}

/// Registers and finds nothing.
fn arm(event: &Event, key: &mut TaskKey, waker: &Waker) {
    let polled = event.poll_until(key, &mut Context::from_waker(waker), || None::<()>);
    assert_eq!(polled, Poll::Pending);
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
