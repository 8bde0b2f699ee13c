//! Random programs, run on a channel and on a naive twin: every value, count, state and wake must be the same.
//!
//! The executor is the one of the ring's tests.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[path = "../../tidings-core/tests/support/wakers/ledger.rs"]
mod ledger;
#[path = "support/program.rs"]
mod program;
#[path = "support/twin.rs"]
mod twin;

use executor::{poll_once, poll_with};
use ledger::Ledger;
use program::{Op, op};
use proptest::prelude::*;
use std::future::IntoFuture;
use std::sync::Arc;
use std::task::Poll;
use tidings_oneshot::{
    Announced, Announcement, Announcer, CloseCause, ListenError, ListenOwned, Listener, State,
    WeakListener,
};
use twin::Twin;

/// Tells by its count whether it is alive.
type Value = Arc<()>;

/// A wait, and what its wakers have gone through.
struct Waiting {
    wait: ListenOwned<Value>,
    /// One for the first poll, one for the latest.
    ledgers: [Ledger; 2],
    /// Whose waker is registered.
    registered: Option<usize>,
}

/// A channel with all its handles, and its twin.
struct Pair {
    witness: Value,
    announcer: Option<Announcer<Value>>,
    announcements: Vec<Announcement<Value>>,
    listeners: Vec<Listener<Value>>,
    guards: Vec<Announced<Value>>,
    weak: Vec<WeakListener<Value>>,
    waits: Vec<Waiting>,
    twin: Twin,
}

/// The one that the number names.
fn pick<T>(handles: &[T], who: usize) -> Option<usize> {
    (!handles.is_empty()).then(|| who % handles.len())
}

impl Pair {
    fn new() -> Self {
        let (announcer, announcement) = Announcement::new();
        Self {
            witness: Arc::new(()),
            announcer: Some(announcer),
            announcements: vec![announcement],
            listeners: vec![],
            guards: vec![],
            weak: vec![],
            waits: vec![],
            twin: Twin::new(),
        }
    }

    fn run(&mut self, op: Op) {
        match op {
            Op::Make | Op::Bulk(_) | Op::CloneAnnouncement | Op::DropAnnouncement => self.make(op),
            Op::Watch | Op::Announce | Op::AnnounceHeard | Op::Close | Op::DropAnnouncer => {
                self.announce(op);
            }
            Op::CloneGuard(who) | Op::DropGuard(who) => self.guard(op, who),
            Op::Upgrade(who) | Op::DropWeak(who) => self.weak(op, who),
            Op::Repoll(who) | Op::Cancel(who) => self.wait(op, who),
            Op::TakeByListener(_) | Op::TakeByGuard(_) | Op::TakeByAnnouncement => self.take(op),
            Op::CloneListener(who)
            | Op::DropListener(who)
            | Op::Downgrade(who)
            | Op::Guard(who)
            | Op::IntoGuard(who)
            | Op::Wait(who) => self.listen(op, who),
        }
        self.compare();
    }

    fn make(&mut self, op: Op) {
        let Some(announcement) = self.announcements.last() else {
            return;
        };
        match op {
            Op::Make => self.listeners.push(announcement.listener()),
            Op::Bulk(n) => {
                // Half of them are left in it.
                self.listeners.extend(announcement.listeners(n).take(n / 2));
            }
            Op::CloneAnnouncement => self.announcements.push(announcement.clone()),
            _ => drop(self.announcements.pop()),
        }
        self.count();
    }

    fn announce(&mut self, op: Op) {
        let Some(announcer) = self.announcer.take() else {
            return;
        };
        match op {
            Op::Watch => {
                let told = poll_once(&mut announcer.abandoned());
                assert_eq!(told.is_ready(), !self.twin.is_heard());
                self.announcer = Some(announcer);
                return;
            }
            Op::Announce => {
                announcer.announce(Arc::clone(&self.witness)).unwrap();
                self.twin.announce();
            }
            Op::AnnounceHeard => {
                let heard = announcer.announce_heard(Arc::clone(&self.witness)).is_ok();
                assert_eq!(heard, self.twin.is_heard());
                self.twin.announce();
            }
            Op::Close => {
                announcer.close();
                self.twin.close(CloseCause::Closed);
            }
            _ => {
                drop(announcer);
                self.twin.close(CloseCause::Dropped);
            }
        }
        self.woken();
    }

    /// Whose waker was registered at the end of the channel was woken, once, and nobody else.
    fn woken(&mut self) {
        for waiting in &mut self.waits {
            let wakes = waiting.ledgers.each_ref().map(Ledger::wakes);
            let registered = waiting.registered.take();
            assert_eq!(wakes, [0, 1].map(|n| usize::from(registered == Some(n))));
        }
    }

    fn listen(&mut self, op: Op, who: usize) {
        let Some(who) = pick(&self.listeners, who) else {
            return;
        };
        match op {
            Op::CloneListener(_) => self.listeners.push(self.listeners[who].clone()),
            Op::DropListener(_) => drop(self.listeners.swap_remove(who)),
            Op::Downgrade(_) => self.weak.push(self.listeners[who].downgrade()),
            Op::Guard(_) => {
                let guard = self.listeners[who].guard();
                assert_eq!(guard.is_some(), self.twin.is_announced());
                self.guards.extend(guard);
            }
            Op::IntoGuard(_) => match self.listeners.swap_remove(who).into_guard() {
                Ok(guard) => self.guards.push(guard),
                Err(listener) => self.listeners.push(listener),
            },
            _ => {
                let wait = self.listeners[who].clone().into_future();
                let ledgers = [Ledger::default(), Ledger::default()];
                self.waits.push(Waiting {
                    wait,
                    ledgers,
                    registered: None,
                });
                self.poll(self.waits.len() - 1, 0);
            }
        }
        self.count();
    }

    fn wait(&mut self, op: Op, who: usize) {
        let Some(who) = pick(&self.waits, who) else {
            return;
        };
        if matches!(op, Op::Repoll(_)) {
            self.poll(who, 1);
        } else {
            let Waiting { wait, ledgers, .. } = self.waits.swap_remove(who);
            drop(wait);
            assert_eq!(ledgers.each_ref().map(Ledger::alive), [0, 0]);
        }
        self.count();
    }

    fn poll(&mut self, who: usize, ledger: usize) {
        let Waiting {
            wait,
            ledgers,
            registered,
        } = &mut self.waits[who];
        match poll_with(wait, &ledgers[ledger].waker()) {
            Poll::Pending => {
                assert_eq!(self.twin.state, State::Pending);
                *registered = Some(ledger);
            }
            Poll::Ready(Ok(guard)) => assert!(Arc::ptr_eq(&guard, &self.witness)),
            Poll::Ready(Err(error)) => {
                assert_eq!(error, ListenError::Closed);
                assert!(matches!(self.twin.state, State::Closed(_)));
            }
        }
        let alive = ledgers.each_ref().map(Ledger::alive);
        assert_eq!(alive, [0, 1].map(|n| usize::from(*registered == Some(n))));
    }

    fn guard(&mut self, op: Op, who: usize) {
        if let Some(who) = pick(&self.guards, who) {
            match op {
                Op::CloneGuard(_) => self.guards.push(self.guards[who].clone()),
                _ => drop(self.guards.swap_remove(who)),
            }
        }
        self.count();
    }

    fn weak(&mut self, op: Op, who: usize) {
        let Some(who) = pick(&self.weak, who) else {
            return;
        };
        if matches!(op, Op::Upgrade(_)) {
            let upgraded = self.weak[who].upgrade();
            assert_eq!(upgraded.is_some(), self.twin.is_heard());
            self.listeners.extend(upgraded);
        } else {
            let clone = self.weak[who].clone();
            self.weak[who] = clone;
            self.weak.swap_remove(who);
        }
        self.count();
    }

    fn take(&mut self, op: Op) {
        let taken = match op {
            Op::TakeByListener(who) => pick(&self.listeners, who).map(|who| {
                let taken = self.listeners.swap_remove(who).into_inner();
                taken.map_err(|listener| self.listeners.push(listener))
            }),
            Op::TakeByGuard(who) => pick(&self.guards, who).map(|who| {
                let taken = Announced::into_inner(self.guards.swap_remove(who));
                taken.map_err(|guard| self.guards.push(guard))
            }),
            _ => self.announcements.pop().map(|announcement| {
                let taken = announcement.into_inner();
                taken.map_err(|announcement| self.announcements.push(announcement))
            }),
        };
        let Some(taken) = taken else { return };
        assert_eq!(taken.is_ok(), self.twin.can_be_taken());
        self.twin.taken |= taken.is_ok();
        self.count();
    }

    /// How many handles the twin is to think there are.
    fn count(&mut self) {
        self.twin.announcements = self.announcements.len();
        self.twin.listeners = self.listeners.len() + self.guards.len() + self.waits.len();
    }

    fn compare(&self) {
        let (twin, boards) = (
            &self.twin,
            self.announcements.iter().map(|handle| &**handle),
        );
        for board in boards.chain(self.listeners.iter().map(|handle| &**handle)) {
            assert_eq!(board.state(), twin.state);
            assert_eq!(board.get().is_some(), twin.is_announced());
        }
        let counts = self.announcements.iter().map(Announcement::listener_count);
        let counts = counts.chain(self.listeners.iter().map(Listener::listener_count));
        for count in counts.chain(self.announcer.iter().map(Announcer::listener_count)) {
            assert_eq!(count, twin.listeners);
        }
        if let Some(announcer) = &self.announcer {
            assert_eq!(announcer.is_abandoned(), !twin.is_heard());
        }
        let alive = Arc::strong_count(&self.witness) - 1;
        assert_eq!(alive, usize::from(twin.holds_value()));
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 3 } else { 250 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_channel_does_what_its_twin_does(ops in prop::collection::vec(op(), 1..120)) {
        let mut pair = Pair::new();
        ops.into_iter().for_each(|op| pair.run(op));
    }
}
