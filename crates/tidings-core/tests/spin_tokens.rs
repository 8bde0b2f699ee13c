//! Spin tokens are counted for the whole process, so they are tested alone in one binary, and in one test.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tidings_core::wait::{Deadline, Event, Next, SpinToken, Spins, Strategy};

fn all() -> Vec<SpinToken> {
    std::iter::from_fn(SpinToken::try_acquire).collect()
}

/// Spins under tokens only, and panics in its second round, which without a token is its first.
struct Panicking;

impl Strategy for Panicking {
    fn pause(&self, round: u32) -> Next {
        assert_eq!(round, 0, "on purpose");
        Next::Check
    }

    fn spins(&self) -> Spins {
        Spins::Rounds { free: 0, limit: 10 }
    }
}

/// Records the rounds it is asked for until it parks in the round behind its spins.
struct Seen<'a>(&'a AtomicUsize);

impl Strategy for Seen<'_> {
    fn pause(&self, round: u32) -> Next {
        self.0.fetch_or(1 << round, Ordering::SeqCst);
        if round < 4 { Next::Check } else { Next::Park }
    }

    fn spins(&self) -> Spins {
        Spins::Rounds { free: 1, limit: 4 }
    }
}

fn rounds_seen() -> usize {
    let (seen, mut looks) = (AtomicUsize::new(0), 0);
    Event::new().wait_until(&Seen(&seen), Deadline::NEVER, || {
        looks += 1;
        // The look before the sleep comes when the strategy has said Park.
        (seen.load(Ordering::SeqCst) & 1 << 4 != 0).then_some(())
    });
    seen.load(Ordering::SeqCst)
}

#[test]
fn tokens_are_cores_minus_one_and_come_back() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(SpinToken::limit(), cores - 1);
    assert_eq!(all().len(), cores - 1);
    assert_eq!(all().len(), cores - 1, "dropping gives them back");

    never_too_many_under_contention();

    let outcome = catch_unwind(AssertUnwindSafe(|| {
        Event::new().wait_until(&Panicking, Deadline::NEVER, || None::<()>)
    }));
    assert!(outcome.is_err());
    assert_eq!(all().len(), cores - 1, "a panic gives the token back");

    if cores > 1 {
        assert_eq!(rounds_seen(), 0b11111, "with a token every round is run");
    }
    let taken = all();
    let expected = if cores > 1 { 0b10001 } else { 0b10000 };
    assert_eq!(rounds_seen(), expected, "without one the spins are skipped");
    drop(taken);
    assert_eq!(all().len(), cores - 1);
}

fn never_too_many_under_contention() {
    let (threads, rounds) = (4, if cfg!(miri) { 10 } else { 10_000 });
    let (out, start) = (AtomicUsize::new(0), Barrier::new(threads));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                start.wait();
                for _ in 0..rounds {
                    if let Some(token) = SpinToken::try_acquire() {
                        let now = out.fetch_add(1, Ordering::SeqCst) + 1;
                        assert!(now <= SpinToken::limit());
                        out.fetch_sub(1, Ordering::SeqCst);
                        drop(token);
                    }
                }
            });
        }
    });
}
