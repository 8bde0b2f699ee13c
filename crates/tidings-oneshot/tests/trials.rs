//! Public failure reports of systems like this one, as trials on one thread; those that race are in `stress_trials.rs`.
//!
//! The letter and number in a test's name is that of the trial. The executor is the one of the ring's tests.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "../../tidings-core/tests/support/wakers/ledger.rs"]
mod ledger;
#[path = "support/scene.rs"]
mod scene;
#[path = "../../tidings-core/tests/support/wakers.rs"]
mod wakers;

use counter::Counter;
use executor::{block_on, poll_once, poll_with};
use guard::ends;
use ledger::Ledger;
use scene::{CAUSES, announced, end, panics};
use std::future::IntoFuture;
use std::mem::forget;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::task::{Poll, Waker};
use std::thread;
use std::time::Duration;
use tidings_core::wait::{Deadline, WaitStrategy};
use tidings_oneshot::{
    Announcement, Announcer, CloseCause, ListenError, ListenOwned, Listener, TryListenError,
};
use wakers::calling_back;

const BRIEF: Duration = Duration::from_nanos(1);

/// A future that owns the announcer is as good as the announcer: dropped, it closes.
#[test]
fn a02_dropping_the_future_that_owns_the_announcer_closes() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let (counter, waker) = Counter::with_waker();
    let mut waits = [(); 16].map(|()| announcement.wait());
    assert!(
        waits
            .iter_mut()
            .all(|wait| poll_with(wait, &waker).is_pending())
    );
    let mut owner = Box::pin(async move {
        announcer.abandoned().await;
        announcer.announce(1)
    });
    assert!(poll_once(&mut owner).is_pending());
    drop(owner);
    assert_eq!(
        (counter.count(), announcement.close_cause()),
        (16, Some(CloseCause::Dropped))
    );
    assert_eq!(
        announcement.listener().wait_blocking(),
        Err(ListenError::Closed)
    );
}

/// The questions of A05, and what a naive reader expects of them.
struct Asker {
    announcer: Option<Announcer<u8>>,
    announces: bool,
    listeners: Vec<Listener<u8>>,
    polled: Vec<ListenOwned<u8>>,
}

impl Asker {
    fn new(announces: bool) -> Self {
        let (announcer, announcement) = Announcement::new();
        Self {
            announcer: Some(announcer),
            announces,
            listeners: vec![announcement.listener()],
            polled: vec![],
        }
    }

    fn end(&mut self) {
        let announcer = self.announcer.take().unwrap();
        if self.announces {
            announcer.announce(7).unwrap();
        } else {
            announcer.close();
        }
    }

    /// What a question is answered with; `pending` while nothing has happened.
    fn expected<E>(&self, pending: E, closed: E) -> Result<u8, E> {
        match (&self.announcer, self.announces) {
            (Some(_), _) => Err(pending),
            (None, true) => Ok(7),
            (None, false) => Err(closed),
        }
    }

    fn ask(&mut self, question: usize) {
        let Some(listener) = self.listeners.last().cloned() else {
            return;
        };
        let waited = self.expected(ListenError::Timeout, ListenError::Closed);
        match question {
            0 => self.poll(listener),
            1 => {
                let expected = self.expected(TryListenError::Pending, TryListenError::Closed);
                assert_eq!(listener.try_get().copied(), expected);
            }
            2 => assert_eq!(listener.listen_timeout_blocking(BRIEF), waited),
            3 if self.announcer.is_none() => assert_eq!(listener.listen_blocking(), waited),
            3 => {}
            4 => self.listeners.push(listener),
            _ => drop(self.listeners.pop()),
        }
    }

    fn poll(&mut self, listener: Listener<u8>) {
        let expected = self.expected(ListenError::Timeout, ListenError::Closed);
        let borrowed = poll_once(&mut listener.wait()).map_ok(|value| *value);
        let mut owned = listener.into_future();
        assert_eq!(poll_once(&mut owned).map_ok(|guard| *guard), borrowed);
        match borrowed {
            Poll::Ready(heard) => assert_eq!(heard, expected),
            Poll::Pending => assert_eq!(expected, Err(ListenError::Timeout)),
        }
        self.polled.push(owned);
    }
}

#[test]
fn a05_every_sequence_of_four_questions_has_an_answer() {
    let sequences = if cfg!(miri) {
        (0..6_usize.pow(4)).step_by(61)
    } else {
        (0..6_usize.pow(4)).step_by(1)
    };
    for sequence in sequences {
        for (place, announces) in [0, 1, 2, 3, 4]
            .into_iter()
            .flat_map(|n| [(n, true), (n, false)])
        {
            let mut asker = Asker::new(announces);
            for n in 0..4 {
                if n == place {
                    asker.end();
                }
                asker.ask(sequence / 6_usize.pow(n) % 6);
            }
            if place == 4 {
                asker.end();
            }
            let expected = asker.expected(ListenError::Timeout, ListenError::Closed);
            for mut wait in asker.polled.drain(..) {
                assert_eq!(
                    poll_once(&mut wait).map_ok(|guard| *guard),
                    Poll::Ready(expected)
                );
            }
        }
    }
}

/// Nobody's wake hangs on another listener: whichever goes first, the one that is left is woken, once.
#[test]
fn a07_the_last_listener_that_is_left_is_woken() {
    const LISTENERS: usize = 10;
    for first in 0..LISTENERS {
        let (announcer, announcement) = Announcement::new();
        let ledgers: Vec<_> = (0..LISTENERS).map(|_| Ledger::default()).collect();
        let poll = |ledger: &Ledger| {
            let mut wait = announcement.listener().into_future();
            assert!(poll_with(&mut wait, &ledger.waker()).is_pending());
            Some(wait)
        };
        let mut waits: Vec<_> = ledgers.iter().map(poll).collect();
        for step in 0..LISTENERS - 1 {
            waits[(first + step) % LISTENERS] = None;
        }
        announcer.announce(1).unwrap();
        let survivor = (first + LISTENERS - 1) % LISTENERS;
        let woken: Vec<_> = ledgers.iter().map(Ledger::wakes).collect();
        assert!((0..LISTENERS).all(|n| woken[n] == usize::from(n == survivor)));
        assert_eq!(*block_on(waits[survivor].take().unwrap()).unwrap(), 1);
    }
}

/// Does all it can from a destructor that runs because its thread unwinds.
struct DuringAPanic<'a>(Option<Announcer<u8>>, &'a Listener<u8>, &'a AtomicBool);

impl Drop for DuringAPanic<'_> {
    fn drop(&mut self) {
        assert!(thread::panicking());
        assert_eq!((self.1.get(), self.1.wait_blocking()), (Some(&5), Ok(&5)));
        assert_eq!(self.1.guard().map(|guard| *guard), Some(5));
        assert!(poll_once(&mut self.1.wait()).is_ready());
        self.0.take().unwrap().announce(6).unwrap();
        self.2.store(true, SeqCst);
    }
}

#[test]
fn a09_a_panic_elsewhere_poisons_nothing() {
    let (announcer, announcement) = Announcement::new();
    let (announced, done) = (announced(5).listener(), AtomicBool::new(false));
    let (counter, waker) = Counter::with_waker();
    let mut wait = announcement.wait();
    assert!(poll_with(&mut wait, &waker).is_pending());
    panics(|| {
        let _runs = DuringAPanic(Some(announcer), &announced, &done);
        panic!("of somebody else");
    });
    assert!(done.into_inner());
    assert_eq!(
        (counter.count(), poll_once(&mut wait)),
        (1, Poll::Ready(Ok(&6)))
    );
}

#[test]
fn a10_every_future_may_be_polled_after_it_was_ready() {
    let (announcer, announcement) = Announcement::new();
    let shared = announcer.into_shared();
    let listener = announcement.listener();
    let (mut wait, mut listen) = (listener.wait(), listener.listen());
    let mut owned = listener.clone().into_future();
    assert!(poll_once(&mut wait).is_pending() && poll_once(&mut listen).is_pending());
    assert!(poll_once(&mut owned).is_pending());
    shared.announce(1).unwrap();
    for _ in 0..3 {
        assert_eq!(poll_once(&mut wait), Poll::Ready(Ok(&1)));
        assert_eq!(poll_once(&mut listen), Poll::Ready(Ok(1)));
        assert_eq!(
            poll_once(&mut owned).map_ok(|guard| *guard),
            Poll::Ready(Ok(1))
        );
    }
    let mut abandoned = shared.abandoned();
    assert!(poll_once(&mut abandoned).is_pending());
    drop((wait, listen));
    drop((owned, listener, announcement));
    assert_eq!(
        [(); 3].map(|()| poll_once(&mut abandoned)),
        [Poll::Ready(()); 3]
    );
}

/// Nothing blocks for nothing, and nothing ends at once that was to be for ever.
#[test]
fn a11_every_timed_wait_takes_any_time() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let announcer = announcer.into_shared();
    for brief in [Duration::ZERO, BRIEF] {
        let at = Deadline::after(brief);
        let timeout = Err(ListenError::Timeout);
        assert_eq!(announcement.listen_timeout_blocking(brief), timeout);
        assert_eq!(announcement.listen_deadline_blocking(at), timeout);
        let waited = announcement.wait_blocking_with(&WaitStrategy::Park, at);
        assert_eq!(waited.copied(), timeout);
        assert!(!announcer.abandoned_timeout_blocking(brief));
        assert!(!announcer.abandoned_deadline_blocking(at));
    }
}

#[test]
fn a11_a_huge_time_is_for_ever() {
    ends(|| {
        for huge in [Duration::MAX, Duration::from_millis(u64::MAX)] {
            let (announcer, announcement) = Announcement::new();
            let listener = announcement.listener();
            let waiters = [
                thread::spawn(move || announcement.listen_timeout_blocking(huge)),
                thread::spawn(move || listener.listen_deadline_blocking(Deadline::after(huge))),
            ];
            // Were it not, they would be gone by now, or before the time of these yields is over.
            (0..20).for_each(|_| thread::yield_now());
            let announcer = announcer.into_shared();
            announcer.announce(3).unwrap();
            let heard = waiters.map(|waiter| waiter.join().unwrap());
            assert_eq!(heard, [Ok(3); 2]);
            assert!(announcer.abandoned_timeout_blocking(huge));
        }
    });
}

/// Cloned, woken, replaced or dropped, a waker announces, makes listeners, waits, and lets go of listeners.
#[test]
fn f02_wakers_may_announce_and_come_and_go() {
    ends(|| {
        let calls = Arc::new(AtomicUsize::new(0));
        for tasks in [1, 2, 5] {
            let (announcer, announcement) = Announcement::<usize>::new();
            let (announcer, inner) = (announcer.into_shared(), announcement.clone());
            let counted = Arc::clone(&calls);
            let waker = calling_back(move |_| {
                let call = counted.fetch_add(1, SeqCst);
                let _ = announcer.announce(call);
                let listener = inner.listener();
                let _ = poll_once(&mut listener.wait());
                drop((listener.clone(), inner.clone(), announcer.clone()));
            });
            // The clone that the first poll makes announces, so the poll is ready.
            let mut waits: Vec<_> = (0..tasks).map(|_| announcement.wait()).collect();
            assert!(
                waits
                    .iter_mut()
                    .all(|wait| poll_with(wait, &waker).is_ready())
            );
        }
        assert!(calls.load(SeqCst) > 0);
    });
}

#[test]
fn f02_a_woken_waker_meets_a_channel_that_is_whole() {
    ends(|| {
        let (announcer, announcement) = Announcement::new();
        let (announcer, inner) = (announcer.into_shared(), announcement.clone());
        let twin = announcer.clone();
        let ledger = Ledger::calling(move || {
            assert!(twin.announce(9).is_err() && !twin.close());
            assert_eq!(inner.listener().wait_blocking(), Ok(&1));
        });
        let mut waits = [(); 5].map(|()| announcement.wait());
        for wait in &mut waits {
            assert!(poll_with(wait, &ledger.waker()).is_pending());
        }
        announcer.announce(1).unwrap();
        assert_eq!(ledger.wakes(), 5);
    });
}

/// A wake is nobody's property: who does not use its own takes none from the others.
#[test]
fn f04_a_woken_wait_that_is_dropped_takes_no_wake_along() {
    let (announcer, announcement) = Announcement::new();
    let ledgers = [Ledger::default(), Ledger::default()];
    let mut waits = [(); 2].map(|()| announcement.wait());
    for (wait, ledger) in waits.iter_mut().zip(&ledgers) {
        assert!(poll_with(wait, &ledger.waker()).is_pending());
    }
    announcer.announce(1).unwrap();
    let [first, mut second] = waits;
    drop(first);
    assert_eq!(ledgers.each_ref().map(Ledger::wakes), [1, 1]);
    assert_eq!(poll_once(&mut second), Poll::Ready(Ok(&1)));
}

#[test]
fn f06_a_wait_that_is_never_polled_again_holds_nobody_up() {
    for idle in [1, 2, 3, 20] {
        let (announcer, announcement) = Announcement::new();
        let mut parked: Vec<_> = (0..idle).map(|_| announcement.wait()).collect();
        assert!(parked.iter_mut().all(|wait| poll_once(wait).is_pending()));
        let forgotten = parked.pop().unwrap();
        let (counter, waker) = Counter::with_waker();
        let mut live = announcement.wait();
        assert!(poll_with(&mut live, &waker).is_pending());
        forget(forgotten);
        announcer.announce(1).unwrap();
        assert_eq!(
            (counter.count(), poll_once(&mut live)),
            (1, Poll::Ready(Ok(&1)))
        );
    }
}

/// What a wait holds of its task goes with it, at once, whatever kind of wait it is and whoever is left.
#[test]
fn f09_a_wait_that_goes_takes_its_waker_along() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let listener = announcement.listener();
    let ledger = Ledger::default();
    let waker = ledger.waker();
    for crowd in 0..4 {
        let mut others: Vec<_> = (0..crowd).map(|_| listener.wait()).collect();
        assert!(others.iter_mut().all(|wait| poll_once(wait).is_pending()));
        assert!(poll_with(&mut listener.wait(), &waker).is_pending());
        assert!(poll_with(&mut listener.listen(), &waker).is_pending());
        assert!(poll_with(&mut listener.clone().into_future(), &waker).is_pending());
        assert!(poll_with(&mut announcer.abandoned(), &waker).is_pending());
        let mut timed = Box::pin(listener.wait_until(std::future::pending::<()>()));
        assert!(poll_with(&mut timed, &waker).is_pending());
        drop(timed);
        assert_eq!(ledger.alive(), 1);
    }
}

#[test]
fn f09_the_end_of_a_channel_lets_go_of_every_waker() {
    for cause in CAUSES {
        let (announcer, announcement) = Announcement::<u8>::new();
        let ledger = Ledger::default();
        let mut waits = [(); 9].map(|()| announcement.wait());
        for wait in &mut waits {
            assert!(poll_with(wait, &ledger.waker()).is_pending());
        }
        end(announcer, cause);
        assert_eq!((ledger.wakes(), ledger.alive()), (9, 0));
    }
}

/// A wait belongs to its channel. Put in the place of another one it begins anew.
#[test]
fn f10_a_wait_that_is_replaced_by_one_of_another_channel_begins_anew() {
    let ((first, one), (second, other)) = (Announcement::new(), Announcement::new());
    let ledger = Ledger::default();
    let mut wait = one.wait();
    assert!(poll_with(&mut wait, &ledger.waker()).is_pending());
    wait = other.wait();
    assert!(poll_with(&mut wait, &ledger.waker()).is_pending());
    assert_eq!(ledger.alive(), 1);
    drop(one);
    first.announce(1).unwrap();
    assert_eq!(ledger.wakes(), 0);
    second.announce(2).unwrap();
    assert_eq!(
        (ledger.wakes(), poll_once(&mut wait)),
        (1, Poll::Ready(Ok(&2)))
    );
}

#[test]
fn f10_an_owned_wait_that_is_replaced_ends_with_its_channel() {
    let ((first, one), (second, other)) = (Announcement::new(), Announcement::new());
    let mut wait = one.listener().into_future();
    drop(one);
    assert!(poll_with(&mut wait, Waker::noop()).is_pending());
    wait = other.listener().into_future();
    assert!(first.is_abandoned());
    first.announce(1).unwrap();
    assert!(poll_once(&mut wait).is_pending());
    second.announce(2).unwrap();
    assert_eq!(*block_on(wait).unwrap(), 2);
}
