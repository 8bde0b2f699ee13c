//! Every interleaving, up to the bound, of handles that come and go; each model beside mutants that must fail.
//!
//! What ends too early, twice or never shows in the vault, or as a use of memory that was filled with nonsense; an end that
//! has not acquired what another handle did shows as a causality violation.
#![cfg(loom)]

#[macro_use]
#[path = "../../tidings-core/tests/support/rows.rs"]
mod rows;
#[path = "../../tidings-core/tests/support/bell.rs"]
mod bell;
#[path = "../../tidings-core/tests/support/wakers/ledger.rs"]
mod ledger;
#[path = "support/loom_vault.rs"]
mod vault;

use bell::block_on;
use ledger::Ledger;
use loom::thread;
use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use tidings_oneshot::{Announcement, Announcer, Listener, WeakListener};
use vault::{Value, check, used};

const NEWS: u32 = 7;

/// A channel and its only listener.
fn channel() -> (Announcer<Value>, Listener<Value>) {
    let (announcer, announcement) = Announcement::new();
    (announcer, announcement.listener())
}

fn announce(announcer: Announcer<Value>) {
    assert!(announcer.announce(Value::new(NEWS)).is_ok());
}

/// The only listener of a channel on which the news were announced.
fn announced() -> Listener<Value> {
    let (announcer, listener) = channel();
    announce(announcer);
    listener
}

fn read(listener: &Listener<Value>) {
    used();
    assert_eq!(listener.get().map(Value::read), Some(NEWS));
}

fn read_and_go(listener: Listener<Value>) {
    read(&listener);
}

fn upgrade_and_go(weak: WeakListener<Value>) {
    if let Some(listener) = weak.upgrade() {
        read(&listener);
    }
    used();
}

/// Whether it got the value.
fn take(listener: Listener<Value>) -> bool {
    used();
    match listener.into_inner() {
        Ok(value) => {
            assert_eq!(value.into_number(), NEWS);
            true
        }
        Err(listener) => {
            read(&listener);
            false
        }
    }
}

/// Runs the one act in a thread of its own, the other one here.
fn both<A: 'static, B>(other: impl FnOnce() -> A + 'static, act: impl FnOnce() -> B) -> (A, B) {
    let other = thread::spawn(other);
    let mine = act();
    (other.join().unwrap(), mine)
}

fn last_two_listeners_go() {
    check(|| {
        let listener = announced();
        let other = listener.clone();
        both(|| read_and_go(other), || read_and_go(listener));
    });
}

fn last_two_listeners_of_a_closed_channel_go() {
    check(|| {
        let (announcer, listener) = channel();
        announcer.close();
        let other = listener.clone();
        let go = |listener: Listener<Value>| {
            assert!(listener.is_closed());
            used();
        };
        both(move || go(other), || go(listener));
    });
}

fn listener_is_cloned_while_another_goes() {
    check(|| {
        let listener = announced();
        let other = listener.clone();
        let pass_on = || {
            let clone = other.clone();
            drop(other);
            read_and_go(clone);
        };
        both(pass_on, || read_and_go(listener));
    });
}

fn weak_one_is_upgraded_while_the_last_goes() {
    check(|| {
        let listener = announced();
        let weak = listener.downgrade();
        both(|| upgrade_and_go(weak), || read_and_go(listener));
    });
}

fn listener_is_downgraded_while_another_goes() {
    check(|| {
        let listener = announced();
        let other = listener.clone();
        let weaken = || {
            let weak = other.downgrade();
            read_and_go(other);
            upgrade_and_go(weak);
        };
        both(weaken, || read_and_go(listener));
    });
}

fn weak_ones_go_while_the_last_goes() {
    check(|| {
        let listener = announced();
        let weak = listener.downgrade();
        let other = weak.clone();
        let third = thread::spawn(|| upgrade_and_go(other));
        let go = || {
            used();
            drop(weak);
        };
        both(go, || read_and_go(listener));
        third.join().unwrap();
    });
}

fn weak_one_is_cloned_while_the_last_goes() {
    check(|| {
        let listener = announced();
        let weak = listener.downgrade();
        let pass_on = || {
            let clone = weak.clone();
            drop(weak);
            upgrade_and_go(clone);
        };
        both(pass_on, || read_and_go(listener));
    });
}

fn value_is_taken_while_another_is_cloned() {
    check(|| {
        let listener = announced();
        let other = listener.clone();
        let pass_on = || {
            read_and_go(other.clone());
            read_and_go(other);
        };
        both(pass_on, || take(listener));
    });
}

fn value_is_taken_while_a_weak_one_is_upgraded() {
    check(|| {
        let listener = announced();
        let weak = listener.downgrade();
        both(|| upgrade_and_go(weak), || take(listener));
    });
}

fn value_is_taken_by_two() {
    check(|| {
        let listener = announced();
        let other = listener.clone();
        let taken = both(|| take(other), || take(listener));
        assert_ne!(taken, (true, true), "a value taken twice");
    });
}

fn value_is_taken_while_its_announcer_goes() {
    check(|| {
        let (announcer, listener) = channel();
        look_for_the_end(&announcer);
        let act = || {
            if listener.is_announced() {
                assert!(take(listener), "refused because of the announcer");
            }
        };
        both(|| announce(announcer), act);
    });
}

fn value_is_taken_while_shared_announcers_read() {
    check(|| {
        let (announcer, listener) = channel();
        let shared = announcer.into_shared();
        let announce_and_read = move || {
            used();
            assert!(shared.announce(Value::new(NEWS)).is_ok());
            assert_eq!(shared.get().map(Value::read), Some(NEWS));
        };
        let act = || {
            if listener.is_announced() {
                take(listener);
            }
        };
        both(announce_and_read, act);
    });
}

/// A value that looks at its channel, through a weak handle, when it is dropped.
struct Nosy {
    value: Value,
    weak: WeakListener<Self>,
}

impl Drop for Nosy {
    fn drop(&mut self) {
        assert!(self.weak.upgrade().is_none());
        drop(self.weak.clone());
        assert_eq!(self.value.read(), NEWS);
    }
}

fn destructor_of_the_value_touches_the_channel() {
    check(|| {
        let (announcer, announcement) = Announcement::<Nosy>::new();
        let weak = announcement.listener().downgrade();
        let nosy = Nosy {
            value: Value::new(NEWS),
            weak: weak.clone(),
        };
        assert!(announcer.announce(nosy).is_ok());
        let other = announcement.listener();
        both(move || drop((other, weak.upgrade())), || drop(announcement));
    });
}

fn listeners_made_at_once_go() {
    check(|| {
        let (announcer, announcement) = Announcement::<Value>::new();
        let mut listeners = announcement.listeners(3);
        let first = listeners.next().unwrap();
        drop(announcement);
        let rest = || {
            used();
            drop(listeners);
        };
        let third = thread::spawn(rest);
        both(move || first.get().map(Value::read), || announce(announcer));
        third.join().unwrap();
    });
}

/// Who waits goes when it is woken, or before; then only the announcer keeps the channel, in the midst of waking.
fn waker_drops_the_last_listener() {
    check(|| {
        let (announcer, listener) = channel();
        let waiting = Arc::new(Mutex::new(None));
        let go = {
            let waiting = Arc::clone(&waiting);
            // Nothing is locked while the model may switch threads.
            move || {
                let taken = waiting.lock().unwrap().take();
                drop(taken);
            }
        };
        let ledger = Ledger::calling(go.clone());
        let mut future = listener.into_future();
        assert!(poll(&mut future, &ledger.waker()).is_pending());
        *waiting.lock().unwrap() = Some(future);
        both(go, || announce(announcer));
    });
}

fn last_listener_goes_while_others_are_woken() {
    check(|| {
        let (announcer, listener) = channel();
        let go = || {
            let mut future = listener.into_future();
            if let Poll::Ready(heard) = poll(&mut future, Waker::noop()) {
                assert_eq!(heard.unwrap().read(), NEWS);
            }
            used();
        };
        both(go, || announce(announcer));
    });
}

fn poll<F: Future + Unpin>(future: &mut F, waker: &Waker) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(waker))
}

/// Waits for the end of the hearers, and gives up.
fn look_for_the_end(announcer: &Announcer<Value>) {
    let _ = poll(&mut announcer.abandoned(), Waker::noop());
}

fn wait_for_the_end(announcer: Announcer<Value>) {
    block_on(announcer.abandoned());
    assert!(announcer.is_abandoned() && announcer.listener_count() == 0);
    used();
}

fn last_listener_is_waited_for() {
    check(|| {
        let (announcer, listener) = channel();
        both(|| drop(listener), || wait_for_the_end(announcer));
    });
}

fn last_listener_is_waited_for_by_a_thread() {
    check(|| {
        let (announcer, listener) = channel();
        both(|| drop(listener), move || announcer.abandoned_blocking());
    });
}

fn last_two_listeners_are_waited_for() {
    check(|| {
        let (announcer, listener) = channel();
        let other = listener.clone();
        let third = thread::spawn(|| drop(other));
        both(|| drop(listener), || wait_for_the_end(announcer));
        third.join().unwrap();
    });
}

fn new_listener_is_waited_for() {
    check(|| {
        let (announcer, announcement) = Announcement::new();
        let pass_on = || {
            let listener = announcement.listener();
            drop(announcement);
            drop(listener);
        };
        both(pass_on, || wait_for_the_end(announcer));
    });
}

fn upgraded_listener_is_waited_for() {
    check(|| {
        let (announcer, listener) = channel();
        let weak = listener.downgrade();
        let third = thread::spawn({
            let weak = weak.clone();
            move || drop(weak.upgrade())
        });
        both(|| drop(listener), || wait_for_the_end(announcer));
        assert!(weak.upgrade().is_none());
        third.join().unwrap();
    });
}

fn last_listener_goes_with_an_announcer_that_has_waited() {
    check(|| {
        let (announcer, listener) = channel();
        let give_up = || {
            look_for_the_end(&announcer);
            used();
            drop(announcer);
        };
        both(|| drop(listener), give_up);
    });
}

fn two_announcers_wait_for_the_end() {
    check(|| {
        let (announcer, listener) = channel();
        let announcer = announcer.into_shared();
        let other = announcer.clone();
        let third = thread::spawn(move || block_on(other.abandoned()));
        both(|| drop(listener), || block_on(announcer.abandoned()));
        third.join().unwrap();
    });
}

models! {
    one_of_the_last_two_listeners_ends_the_channel: last_two_listeners_go;
    one_of_the_last_two_listeners_ends_a_closed_channel: last_two_listeners_of_a_closed_channel_go;
    a_clone_keeps_the_channel: listener_is_cloned_while_another_goes;
    a_weak_one_is_upgraded_in_time_or_not_at_all: weak_one_is_upgraded_while_the_last_goes;
    a_listener_may_be_downgraded_while_another_goes: listener_is_downgraded_while_another_goes;
    the_last_weak_one_frees_the_memory: weak_ones_go_while_the_last_goes;
    a_weak_clone_keeps_the_memory: weak_one_is_cloned_while_the_last_goes;
    a_value_is_taken_from_nobody_who_clones: value_is_taken_while_another_is_cloned;
    a_value_is_taken_from_no_upgraded_one: value_is_taken_while_a_weak_one_is_upgraded;
    a_value_is_taken_once: value_is_taken_by_two;
    a_value_is_taken_beside_its_announcer: value_is_taken_while_its_announcer_goes;
    a_value_is_taken_from_no_shared_announcer: value_is_taken_while_shared_announcers_read;
    the_destructor_of_a_value_may_touch_its_channel: destructor_of_the_value_touches_the_channel;
    listeners_that_were_never_taken_leave: listeners_made_at_once_go;
    a_waker_may_drop_the_last_listener: waker_drops_the_last_listener;
    the_last_listener_may_go_while_it_is_woken: last_listener_goes_while_others_are_woken;
    an_announcer_learns_that_the_last_listener_went: last_listener_is_waited_for;
    a_thread_learns_that_the_last_listener_went: last_listener_is_waited_for_by_a_thread;
    an_announcer_learns_that_the_last_two_went: last_two_listeners_are_waited_for;
    an_announcer_waits_for_a_new_listener_too: new_listener_is_waited_for;
    an_announcer_waits_for_an_upgraded_one_too: upgraded_listener_is_waited_for;
    a_watch_ends_with_its_channel: last_listener_goes_with_an_announcer_that_has_waited;
    two_announcers_learn_that_the_last_listener_went: two_announcers_wait_for_the_end;
}

mutants! {
    a_shortcut_that_acquires_nothing_ends_too_early: "region R1" off in last_two_listeners_go, "Causality violation";
    a_shortcut_that_acquires_nothing_frees_too_early: "region R1" off in last_two_listeners_of_a_closed_channel_go, "Causality violation";
    a_leaver_that_releases_nothing_is_read_from_after_the_end: "region R2" off in last_two_listeners_go, "Causality violation";
    a_leaver_that_releases_nothing_uses_freed_memory: "region R2" off in last_two_listeners_of_a_closed_channel_go, "Causality violation";
    listeners_that_release_nothing_use_freed_memory: "region R2" off in listeners_made_at_once_go, "Causality violation";
    an_announcer_that_does_not_count_wakes_in_freed_memory: "region R3" off in waker_drops_the_last_listener, "index out of bounds";
    an_announcer_that_does_not_count_opens_freed_memory: "region R3" off in last_listener_goes_while_others_are_woken, "index out of bounds";
    a_taker_that_acquires_nothing_takes_too_early: "region T1" off in value_is_taken_while_another_is_cloned, "Causality violation";
    a_taker_that_acquires_nothing_takes_from_a_weak_one: "region T1" off in value_is_taken_while_a_weak_one_is_upgraded, "Causality violation";
    an_end_that_orders_nothing_frees_too_early: "region E2" off in weak_one_is_upgraded_while_the_last_goes, "Causality violation";
    an_end_that_orders_nothing_frees_after_a_downgrade: "region E2" off in listener_is_downgraded_while_another_goes, "Causality violation";
    a_watch_that_is_not_published_is_used_too_early: "region A1" off in two_announcers_wait_for_the_end, "Causality violation";
    a_watch_that_is_not_published_is_not_opened: "region A2" off in last_listener_is_waited_for, "deadlock";
    a_taker_without_a_unit_opens_freed_memory: "region A3" off in last_listener_is_waited_for, "index out of bounds";
    a_taker_without_a_unit_outlives_the_announcer: "region A3" off in last_listener_goes_with_an_announcer_that_has_waited, "index out of bounds";
    a_downgrade_that_leaves_no_mark_leaves_no_memory: "weak K1" off in weak_one_is_upgraded_while_the_last_goes, "index out of bounds";
    a_downgrade_that_leaves_no_mark_dangles: "weak K1" off in listener_is_downgraded_while_another_goes, "index out of bounds";
    an_upgrade_beside_a_taker_reads_what_was_taken: "weak J3" off in value_is_taken_while_a_weak_one_is_upgraded, "Causality violation";
    an_upgrade_without_a_hearer_reads_what_is_gone: "weak J2" off in weak_one_is_upgraded_while_the_last_goes, "Causality violation";
}
