//! The hardware's part of the handshake: a store that lingers in the notifier's store buffer while its load of the waiters
//! is already done. Each round keeps the buffer busy with stores to lines that the other core has just touched, then
//! notifies at the moment at which the waiter registers. Without the waiter's heavy fence this hangs within seconds on
//! two cores of x86-64, as it does without the notifier's fence in fenced mode.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/guard.rs"]
mod guard;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

use tidings_core::CachePadded;
use tidings_core::wait::{Deadline, Event, TaskKey, WaitStrategy};

const ROUNDS: usize = if cfg!(miri) { 5 } else { 30_000 };
const LINES: usize = 24;

type Word = CachePadded<AtomicUsize>;

/// What two threads share: a round each, lines that both write, the condition, and the event.
struct Litmus {
    at: [Word; 2],
    lines: [Word; LINES],
    level: Word,
    event: CachePadded<Event>,
}

impl Litmus {
    fn new(event: Event) -> Self {
        Self {
            at: Default::default(),
            lines: Default::default(),
            level: Word::default(),
            event: CachePadded::new(event),
        }
    }

    /// Both threads leave within some nanoseconds of each other.
    fn meet(&self, me: usize, round: usize) {
        self.at[me].store(round, Ordering::SeqCst);
        let mut patience = 0_u32;
        while self.at[1 - me].load(Ordering::Acquire) < round {
            patience += 1;
            if patience % 1024 == 0 {
                thread::yield_now();
            } else {
                std::hint::spin_loop();
            }
        }
    }

    fn touch_lines(&self, round: usize) {
        for line in &self.lines {
            line.store(round, Ordering::Relaxed);
        }
    }

    fn look(&self, round: usize) -> Option<()> {
        (self.level.load(Ordering::Acquire) >= round).then_some(())
    }

    fn notify_in_every_round(&self) {
        for round in 1..=ROUNDS {
            self.meet(0, round);
            for turn in 0..round % 61 {
                std::hint::black_box(turn);
            }
            self.touch_lines(round);
            self.level.store(round, Ordering::Release);
            self.event.notify();
        }
    }

    fn run(&self, wait: impl Fn(usize) + Send) {
        thread::scope(|scope| {
            scope.spawn(|| self.notify_in_every_round());
            for round in 1..=ROUNDS {
                self.touch_lines(round);
                self.meet(1, round);
                wait(round);
            }
        });
    }
}

#[test]
fn a_sleeping_thread_is_woken_by_a_store_that_lingers() {
    for event in [Event::new(), Event::new_fenced()] {
        guard::ends(move || {
            let litmus = Litmus::new(event);
            litmus.run(|round| {
                let park = WaitStrategy::Park;
                litmus
                    .event
                    .wait_until(&park, Deadline::NEVER, || litmus.look(round));
            });
        });
    }
}

/// As a task, polled once a round; whoever is told to wait must be woken, here by the end of the round.
#[test]
fn a_waiting_task_is_woken_by_a_store_that_lingers() {
    for event in [Event::new(), Event::new_fenced()] {
        guard::ends(move || {
            let litmus = Litmus::new(event);
            litmus.run(|round| {
                let woken = Arc::new(Flag::default());
                let waker = Waker::from(Arc::clone(&woken));
                let mut key = TaskKey::default();
                let polled =
                    litmus
                        .event
                        .poll_until(&mut key, &mut Context::from_waker(&waker), || {
                            litmus.look(round)
                        });
                while polled == Poll::Pending && !woken.0.load(Ordering::Acquire) {
                    thread::yield_now();
                }
            });
        });
    }
}

#[derive(Default)]
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}
