//! Races: a few threads that act at the same moment, again and again.
#![allow(dead_code, reason = "shared by binaries that each use some of it")]

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use tidings_oneshot::{Announcement, Announcer, Listener};

/// How often a trial is run: so often, times the number in the environment variable `TIDINGS_TRIALS`; seldom under Miri.
pub fn rounds(usual: usize) -> usize {
    if cfg!(miri) {
        return (usual / 500).clamp(2, 20);
    }
    let factor = std::env::var("TIDINGS_TRIALS").ok();
    usual * factor.map_or(1, |factor| factor.parse().expect("a number"))
}

/// Spins for up to some hundred nanoseconds, each time another number.
pub fn jitter() {
    thread_local!(static SEED: Cell<u64> = const { Cell::new(0x9E37_79B9_7F4A_7C15) });
    let seed = SEED.get().wrapping_mul(6_364_136_223_846_793_005) + 1;
    SEED.set(seed);
    (0..seed >> 56).for_each(|_| std::hint::spin_loop());
}

/// Gives the core away until that holds.
pub fn until(condition: impl Fn() -> bool) {
    while !condition() {
        thread::yield_now();
    }
}

/// Threads that walk through many channels, one after the other, and meet at each.
pub fn meetings(
    channels: usize,
    listeners: usize,
) -> (Vec<Announcer<usize>>, Vec<Vec<Listener<usize>>>) {
    let made = (0..channels).map(|_| {
        let (announcer, announcement) = Announcement::new();
        (announcer, announcement.listeners(listeners).collect())
    });
    made.unzip()
}

/// What one thread does in one round.
pub type Act<'a> = Box<dyn FnOnce() + Send + 'a>;

struct Lanes<'a, const N: usize> {
    acts: [Mutex<Option<Act<'a>>>; N],
    ready: AtomicUsize,
    done: AtomicUsize,
    failed: AtomicBool,
    over: AtomicBool,
}

/// Runs the `N` acts of each round at once, each on a thread of its own, then hands on what `round` returned with them.
pub fn race<'a, const N: usize, S>(
    rounds: usize,
    mut round: impl FnMut() -> (S, [Act<'a>; N]),
    mut check: impl FnMut(S),
) {
    let lanes = Lanes::<N> {
        acts: std::array::from_fn(|_| Mutex::new(None)),
        ready: AtomicUsize::new(0),
        done: AtomicUsize::new(0),
        failed: AtomicBool::new(false),
        over: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        for lane in 0..N {
            let lanes = &lanes;
            scope.spawn(move || lanes.run(lane));
        }
        let _over = Over(&lanes.over);
        for number in 1..=rounds {
            let (kept, acts) = round();
            for (place, act) in lanes.acts.iter().zip(acts) {
                *place.lock().unwrap() = Some(act);
            }
            until(|| lanes.done.load(SeqCst) == number * N);
            assert!(!lanes.failed.load(SeqCst), "an act panicked, see above");
            check(kept);
        }
    });
}

impl<const N: usize> Lanes<'_, N> {
    fn run(&self, lane: usize) {
        let mut round = 0;
        while !self.over.load(SeqCst) {
            let Some(act) = self.acts[lane].lock().unwrap().take() else {
                thread::yield_now();
                continue;
            };
            round += 1;
            self.ready.fetch_add(1, SeqCst);
            until(|| self.ready.load(SeqCst) >= round * N);
            jitter();
            if catch_unwind(AssertUnwindSafe(act)).is_err() {
                self.failed.store(true, SeqCst);
            }
            self.done.fetch_add(1, SeqCst);
        }
    }
}

/// Sends the threads home, also when a check fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}
