//! Threads that wait for an event: none is left asleep, deadlines hold, panics pass through.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/guard.rs"]
mod guard;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tidings_core::wait::{Deadline, Event, Next, Spins, Strategy, WaitStrategy};

const ROUNDS: u64 = if cfg!(miri) { 20 } else { 10_000 };

fn modes() -> [Event; 2] {
    [Event::new(), Event::new_fenced()]
}

/// A number that others wait for.
struct Level {
    value: AtomicU64,
    event: Event,
}

impl Level {
    fn new(event: Event) -> Self {
        Self {
            value: AtomicU64::new(0),
            event,
        }
    }

    fn raise(&self, to: u64) {
        self.value.store(to, Ordering::Release);
        self.event.notify();
    }

    fn look(&self, level: u64) -> Option<()> {
        (self.value.load(Ordering::Acquire) >= level).then_some(())
    }

    fn wait(&self, strategy: &impl Strategy, level: u64) {
        self.event
            .wait_until(strategy, Deadline::NEVER, || self.look(level));
    }
}

/// Up to some hundred nanoseconds of work, different each time.
struct Jitter(u64);

impl Jitter {
    fn work(&mut self) {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        for _ in 0..self.0 % 128 {
            std::hint::black_box(self.0);
        }
    }
}

/// One message in flight at a time: a lost wake-up hangs, because nothing comes after it.
fn ping_pong(strategy: WaitStrategy) {
    // On a loaded machine each hand-over between busy spinners takes a whole time slice.
    let rounds = match strategy {
        WaitStrategy::BusySpin => ROUNDS / 20,
        _ => ROUNDS,
    };
    for (ping, pong) in modes().into_iter().zip(modes()) {
        let (ping, pong) = (Level::new(ping), Level::new(pong));
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut jitter = Jitter(7);
                for round in 1..=rounds {
                    ping.wait(&strategy, round);
                    jitter.work();
                    pong.raise(round);
                }
            });
            let mut jitter = Jitter(11);
            for round in 1..=rounds {
                jitter.work();
                ping.raise(round);
                pong.wait(&strategy, round);
            }
        });
    }
}

macro_rules! ping_pong {
    ($($name:ident: $strategy:expr;)*) => {
        $(
            #[test]
            fn $name() {
                guard::ends(|| ping_pong($strategy));
            }
        )*
    };
}

ping_pong! {
    busy_spin_loses_no_wake: WaitStrategy::BusySpin;
    spin_loses_no_wake: WaitStrategy::Spin;
    yield_loses_no_wake: WaitStrategy::Yield;
    backoff_loses_no_wake: WaitStrategy::Backoff;
    adaptive_loses_no_wake: WaitStrategy::ADAPTIVE;
    adaptive_that_parks_soon_loses_no_wake: WaitStrategy::Adaptive { spins: 2, yields: 0 };
    monitor_loses_no_wake: WaitStrategy::Monitor;
    park_loses_no_wake: WaitStrategy::Park;
}

#[test]
fn every_round_wakes_every_waiter() {
    guard::ends(|| {
        for event in modes() {
            let (level, waiters) = (Level::new(event), 4_u64);
            let arrived = Level::new(Event::new());
            let count = AtomicU64::new(0);
            let rounds = ROUNDS / 10;
            thread::scope(|scope| {
                for _ in 0..waiters {
                    scope.spawn(|| {
                        for round in 1..=rounds {
                            level.wait(&WaitStrategy::Park, round);
                            if count.fetch_add(1, Ordering::AcqRel) + 1 == round * waiters {
                                arrived.raise(round);
                            }
                        }
                    });
                }
                for round in 1..=rounds {
                    level.raise(round);
                    arrived.wait(&WaitStrategy::Park, round);
                }
            });
        }
    });
}

#[test]
fn a_deadline_that_has_passed_still_looks() {
    let event = Event::new();
    let gone = Deadline::after(Duration::ZERO);
    let looks = Cell::new(0);
    let nothing = event.wait_until(&WaitStrategy::Park, gone, || {
        looks.set(looks.get() + 1);
        None::<()>
    });
    assert_eq!((nothing, looks.get()), (None, 2));
    assert_eq!(
        event.wait_until(&WaitStrategy::Park, gone, || Some(1)),
        Some(1)
    );
}

#[test]
fn what_came_just_before_the_deadline_is_found() {
    let gone = Deadline::after(Duration::ZERO);
    let looks = Cell::new(0);
    let found = Event::new().wait_until(&WaitStrategy::Park, gone, || {
        looks.set(looks.get() + 1);
        (looks.get() == 2).then_some("late")
    });
    assert_eq!(found, Some("late"));
}

#[test]
fn no_strategy_gives_up_before_the_deadline() {
    let span = Duration::from_millis(20);
    for strategy in [
        WaitStrategy::BusySpin,
        WaitStrategy::Spin,
        WaitStrategy::Yield,
        WaitStrategy::Backoff,
        WaitStrategy::ADAPTIVE,
        WaitStrategy::Park,
    ] {
        let start = Instant::now();
        let nothing = Event::new().wait_until(&strategy, Deadline::after(span), || None::<()>);
        assert_eq!(nothing, None);
        assert!(start.elapsed() >= span, "{strategy:?} gave up early");
    }
}

#[test]
fn the_longest_duration_waits_for_ever() {
    guard::ends(|| {
        let level = Level::new(Event::new());
        thread::scope(|scope| {
            let waiter = scope.spawn(|| {
                let for_ever = Deadline::after(Duration::MAX);
                level
                    .event
                    .wait_until(&WaitStrategy::Park, for_ever, || level.look(1))
            });
            while !level.event.is_awaited() {
                thread::yield_now();
            }
            level.raise(1);
            assert_eq!(waiter.join().unwrap(), Some(()));
        });
    });
}

#[test]
fn a_deadline_that_fits_the_clock_barely_waits_too() {
    guard::ends(|| {
        let level = Level::new(Event::new());
        thread::scope(|scope| {
            let waiter = scope.spawn(|| {
                // Three hundred years: the clock holds it, nanoseconds in 64 bits would not.
                let late = Deadline::after(Duration::from_secs(10_000_000_000));
                level
                    .event
                    .wait_until(&WaitStrategy::Park, late, || level.look(1))
            });
            while !level.event.is_awaited() {
                thread::yield_now();
            }
            level.raise(1);
            assert_eq!(waiter.join().unwrap(), Some(()));
        });
    });
}

#[test]
fn a_notification_is_not_kept_for_later() {
    let event = Event::new();
    event.notify();
    let soon = Deadline::after(Duration::from_millis(5));
    assert_eq!(
        event.wait_until(&WaitStrategy::Park, soon, || None::<()>),
        None
    );
}

#[test]
fn a_panicking_check_leaves_the_event_usable() {
    for event in modes() {
        let level = Level::new(event);
        let looks = Cell::new(0);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            level
                .event
                .wait_until(&WaitStrategy::Park, Deadline::NEVER, || {
                    looks.set(looks.get() + 1);
                    assert!(looks.get() < 2, "on purpose");
                    None::<()>
                })
        }));
        assert!(outcome.is_err());
        thread::scope(|scope| {
            scope.spawn(|| level.wait(&WaitStrategy::Park, 1));
            level.raise(1);
        });
    }
}

/// Records the rounds that it is asked for, and parks at the fourth.
struct Recorder<'a> {
    rounds: &'a AtomicUsize,
}

impl Strategy for Recorder<'_> {
    fn pause(&self, round: u32) -> Next {
        assert_eq!(self.rounds.swap(round as usize, Ordering::SeqCst) + 1, {
            if round == 0 { 1 } else { round as usize }
        });
        if round < 3 { Next::Check } else { Next::Park }
    }
}

#[test]
fn a_users_strategy_is_asked_round_by_round() {
    guard::ends(|| {
        let (level, rounds) = (Level::new(Event::new()), AtomicUsize::new(0));
        thread::scope(|scope| {
            scope.spawn(|| level.wait(&Recorder { rounds: &rounds }, 1));
            while !level.event.is_awaited() {
                thread::yield_now();
            }
            level.raise(1);
        });
        assert_eq!(rounds.load(Ordering::SeqCst), 3);
    });
}

/// Asks through the implementation for references.
fn spins_of<S: Strategy>(strategy: &S) -> Spins {
    <&S as Strategy>::spins(&strategy)
}

#[test]
fn strategies_park_when_they_say_and_say_when_they_spin() {
    let adaptive = WaitStrategy::Adaptive {
        spins: 2,
        yields: 1,
    };
    let plan: Vec<_> = (0..4).map(|round| adaptive.pause(round)).collect();
    assert_eq!(plan, [Next::Check, Next::Check, Next::Check, Next::Park]);
    assert_eq!(WaitStrategy::Park.pause(0), Next::Park);
    assert_eq!(WaitStrategy::Yield.spins(), Spins::Never);
    assert_eq!(spins_of(&WaitStrategy::BusySpin), Spins::Always);
    for never_parks in [
        WaitStrategy::BusySpin,
        WaitStrategy::Spin,
        WaitStrategy::Yield,
        WaitStrategy::Backoff,
    ] {
        assert_eq!(never_parks.pause(u32::MAX), Next::Check);
    }
}

#[test]
fn rounds_of_the_largest_strategy_do_not_overflow() {
    let huge = WaitStrategy::Adaptive {
        spins: u32::MAX,
        yields: u32::MAX,
    };
    assert_eq!(huge.pause(u32::MAX - 1), Next::Check);
}
