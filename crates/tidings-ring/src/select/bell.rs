//! What a thread sleeps by while its waker is with several events.
//!
//! ```text
//! States  the bell's event · with each thing, whether the bell's waker is there
//! Wait    B1 look at everything, while the strategy passes the time; nothing is registered
//!         B2 the strategy parks: announce the thread to the bell's event (W1, W2 of event.rs)   B3 look at everything again,
//!         registering the bell's waker with each   B4 sleep while the bell's event says what it said in B2; then B1
//! Wake    B5 whoever made a thing ready takes the waker and wakes by it: notify the bell's event
//! Leave   B6 take the waker back from each, on every way out, also by a panic
//! I1      what became ready before B3 has looked at it is seen by B3; what does later finds the waker, by the thing's own
//!         handshake (W3 of event.rs)
//! I2      B2 comes before B3, so whoever takes a waker that B3 left sees the thread announced: B4 does not sleep, or is woken.
//!         A wake that comes late, after B6, makes a later wait look once more
//! Pairs   the list of wakers, which B3 fills and B5 takes from under a lock: B2 happens before B5
//! Progress  B1 is wait-free and costs publishers nothing; B3 takes each event's lock; B4 blocks on purpose
//! ```

use super::{
    Selectable,
    rota::{Rota, take_back},
};
use core::cell::Cell;
// door: a `Waker` is made of this count only.
use std::sync::Arc;
use std::task::{Context, Wake, Waker};
use tidings_core::{
    sync::mutant,
    wait::{Deadline, Event, Next, Spins, Strategy, TaskKey},
};

/// See the module. Made when it is slept by for the first time.
#[derive(Default)]
pub(super) struct Bell(Option<Arc<Ring>>);

/// What rings.
#[derive(Default)]
struct Ring(Event);

impl Wake for Ring {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    /// B5.
    fn wake_by_ref(self: &Arc<Self>) {
        if !mutant("bell B5") {
            self.0.notify();
        }
    }
}

impl Bell {
    /// B1 to B6: the index of one that is ready, `None` when the deadline passes first.
    pub(super) fn wait<S: Selectable>(
        &mut self,
        rota: &Rota,
        among: &[S],
        keys: &mut [TaskKey],
        strategy: &(impl Strategy + ?Sized),
        deadline: Deadline,
    ) -> Option<usize> {
        let ring = &*self.0.get_or_insert_default();
        let places = Places { among, keys };
        let strategy = Drowsy {
            strategy,
            parks: Cell::new(false),
        };
        ring.0.wait_until(&strategy, deadline, || {
            if strategy.parks.take() && !mutant("bell B3") {
                let waker = Waker::from(Arc::clone(ring));
                rota.register(among, places.keys, &mut Context::from_waker(&waker))
            } else {
                rota.find(among) // B1
            }
        })
    }
}

/// A strategy that tells when the next look is the last one before the thread sleeps.
struct Drowsy<'a, S: ?Sized> {
    strategy: &'a S,
    parks: Cell<bool>,
}

impl<S: Strategy + ?Sized> Strategy for Drowsy<'_, S> {
    fn pause(&self, round: u32) -> Next {
        let next = self.strategy.pause(round);
        self.parks.set(next == Next::Park);
        next
    }

    fn spins(&self) -> Spins {
        self.strategy.spins()
    }
}

/// Takes the wakers back.
struct Places<'a, S: Selectable> {
    among: &'a [S],
    keys: &'a mut [TaskKey],
}

impl<S: Selectable> Drop for Places<'_, S> {
    /// B6.
    fn drop(&mut self) {
        take_back(self.among, self.keys);
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
mod tests {
    use super::*;
    use crate::select::sealed;
    use core::task::Poll;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Instant;
    use tidings_core::wait::WaitStrategy;

    /// Never ready; what its registration does besides is the test's.
    struct Thing<F>(Event, F);

    impl<F: Fn(&Waker) + Sync> sealed::Selectable for Thing<F> {
        fn is_ready(&self) -> bool {
            false
        }

        fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
            let polled = self.0.poll_until(key, cx, || None);
            (self.1)(cx.waker());
            polled
        }

        fn cancel(&self, key: &mut TaskKey) {
            self.0.cancel(key);
        }

        fn is_turn_over(&self, _: &Context<'_>) -> bool {
            false
        }
    }

    /// Waits for two things, and how many wakers are left behind; `None` when the wait panics.
    fn wakers_left(
        registered: impl Fn(&Waker) + Sync,
        strategy: &impl Strategy,
        deadline: Deadline,
    ) -> (Option<Option<usize>>, usize) {
        let things = [&registered; 2].map(|registered| Thing(Event::new(), registered));
        let (mut bell, mut keys) = (Bell::default(), [(); 2].map(|()| TaskKey::default()));
        let waited = catch_unwind(AssertUnwindSafe(|| {
            bell.wait(&Rota::default(), &things, &mut keys, strategy, deadline)
        }));
        let left = Arc::strong_count(bell.0.as_ref().unwrap()) - 1;
        assert!(keys.iter().all(|key| !key.is_armed()));
        (waited.ok(), left)
    }

    /// Sleeps the first time, panics the second.
    #[derive(Default)]
    struct Once(Cell<bool>);

    impl Strategy for Once {
        fn pause(&self, _: u32) -> Next {
            assert!(!self.0.replace(true), "the strategy panics");
            Next::Park
        }
    }

    #[test]
    fn a_deadline_leaves_no_waker() {
        let soon = Deadline::after(core::time::Duration::from_millis(1));
        assert_eq!(
            wakers_left(|_| (), &WaitStrategy::Park, soon),
            (Some(None), 0)
        );
        let gone = Deadline::at(Instant::now());
        assert_eq!(
            wakers_left(|_| (), &WaitStrategy::Park, gone),
            (Some(None), 0)
        );
    }

    #[test]
    fn a_strategy_that_panics_after_a_sleep_leaves_no_waker() {
        // Rung between B3 and B4, so that nobody sleeps.
        let left = wakers_left(Waker::wake_by_ref, &Once::default(), Deadline::NEVER);
        assert_eq!(left, (None, 0));
    }

    #[test]
    fn a_registration_that_panics_leaves_no_waker() {
        let calls = tidings_core::sync::atomic::AtomicUsize::new(0);
        let second = |_: &Waker| {
            // ORDERING: Relaxed: one thread counts.
            let calls = calls.fetch_add(1, tidings_core::sync::atomic::Ordering::Relaxed);
            assert_eq!(calls, 0, "the second panics");
        };
        let left = wakers_left(second, &WaitStrategy::Park, Deadline::NEVER);
        assert_eq!(left, (None, 0));
    }
}
