//! Every interleaving, up to the bound, of a channel's announcers and of those who hear; each model beside mutants that must
//! fail.
//!
//! A lost wake-up shows as a deadlock, a value that is read before it is there as a causality violation.
#![cfg(loom)]

#[macro_use]
#[path = "../../tidings-core/tests/support/rows.rs"]
mod rows;
#[path = "../../tidings-core/tests/support/bell.rs"]
mod bell;
#[path = "support/loom_vault.rs"]
mod vault;

use bell::block_on;
use loom::sync::Arc;
use loom::thread;
use std::future::{Future, IntoFuture};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tidings_core::wait::{Deadline, WaitStrategy};
use tidings_oneshot::{
    AnnounceError, Announcement, Announcer, Board, CloseCause, ListenError, Listener,
    SharedAnnouncer, State, StaticAnnouncement, TryListenError,
};
use vault::{Value, check, used};

const NEWS: u32 = 7;
const OTHER_NEWS: u32 = 8;

type Act = fn(Listener<Value>);
type Heard<'a> = Result<&'a Value, ListenError>;

fn announce(announcer: Announcer<Value>) {
    assert!(announcer.announce(Value::new(NEWS)).is_ok());
}

/// Announces, or closes, while each of the acts runs in a thread of its own.
fn beside<const N: usize>(end: fn(Announcer<Value>), acts: [Act; N]) {
    let (announcer, announcement) = Announcement::new();
    let threads = acts.map(|act| {
        let listener = announcement.listener();
        thread::spawn(move || act(listener))
    });
    drop(announcement);
    end(announcer);
    for thread in threads {
        thread.join().unwrap();
    }
}

fn expect_news(heard: Heard<'_>) {
    match heard {
        Ok(value) => assert_eq!(value.read(), NEWS),
        Err(error) => panic!("{error} instead of the news"),
    }
}

fn expect_close(board: &Board<Value>, heard: Heard<'_>) {
    assert_eq!(heard.err(), Some(ListenError::Closed));
    assert_eq!(board.close_cause(), Some(CloseCause::Dropped));
    used();
}

fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

fn hear_as_task(listener: Listener<Value>) {
    expect_news(block_on(listener.wait()));
}

fn hear_as_thread(listener: Listener<Value>) {
    expect_news(listener.wait_blocking_with(&WaitStrategy::Park, Deadline::NEVER));
}

fn hear_as_owner(listener: Listener<Value>) {
    let guard = block_on(listener.into_future()).unwrap();
    assert_eq!(guard.read(), NEWS);
}

fn hear_of_the_close_as_task(listener: Listener<Value>) {
    expect_close(&listener, block_on(listener.wait()));
}

fn hear_of_the_close_as_thread(listener: Listener<Value>) {
    let heard = listener.wait_blocking_with(&WaitStrategy::Park, Deadline::NEVER);
    expect_close(&listener, heard);
}

fn hear_of_the_close_as_owner(listener: Listener<Value>) {
    let heard = block_on(listener.into_future());
    assert_eq!(heard.err(), Some(ListenError::Closed));
}

/// Begins to wait, and gives up.
fn give_up(listener: Listener<Value>) {
    if let Poll::Ready(heard) = poll_once(listener.wait()) {
        expect_news(heard);
    }
    used();
}

fn give_up_as_owner(listener: Listener<Value>) {
    if let Poll::Ready(heard) = poll_once(listener.into_future()) {
        assert_eq!(heard.unwrap().read(), NEWS);
    }
}

/// Gives up one wait, and goes on with another of the same listener.
fn give_up_and_hear(listener: Listener<Value>) {
    let _ = poll_once(listener.wait());
    expect_news(block_on(listener.wait()));
}

fn look(listener: Listener<Value>) {
    match listener.try_get() {
        Ok(value) => assert_eq!(value.read(), NEWS),
        Err(error) => assert_eq!(error, TryListenError::Pending),
    }
    used();
}

/// What was once seen never changes, and is seen by every method.
fn watch_the_state(board: &Board<Value>) {
    let mut before = State::Pending;
    for _ in 0..3 {
        let now = board.state();
        assert!(
            before == State::Pending || before == now,
            "{before:?} → {now:?}"
        );
        before = now;
    }
    if before != State::Pending {
        assert_eq!(board.is_announced(), before == State::Announced);
        assert_eq!(board.get().is_some(), before == State::Announced);
        assert_eq!(board.is_closed(), board.close_cause().is_some());
    }
    used();
}

fn task_hears() {
    check(|| beside(announce, [hear_as_task]));
}

fn thread_hears() {
    check(|| beside(announce, [hear_as_thread]));
}

fn owner_hears() {
    check(|| beside(announce, [hear_as_owner]));
}

fn task_and_thread_hear() {
    check(|| beside(announce, [hear_as_task, hear_as_thread]));
}

fn owner_and_task_hear() {
    check(|| beside(announce, [hear_as_owner, hear_as_task]));
}

fn somebody_looks() {
    check(|| beside(announce, [look]));
}

fn close_is_heard() {
    check(|| {
        beside(
            drop,
            [hear_of_the_close_as_task, hear_of_the_close_as_thread],
        )
    });
}

fn close_is_heard_by_an_owner() {
    check(|| beside(drop, [hear_of_the_close_as_owner]));
}

fn somebody_gives_up() {
    check(|| beside(announce, [give_up]));
}

fn somebody_gives_up_while_another_hears() {
    check(|| beside(announce, [give_up, hear_as_task]));
}

fn owner_gives_up() {
    check(|| beside(announce, [give_up_as_owner]));
}

fn owner_gives_up_while_another_hears() {
    check(|| beside(announce, [give_up_as_owner, hear_as_owner]));
}

fn somebody_gives_up_and_hears() {
    check(|| beside(announce, [give_up_and_hear]));
}

fn state_is_watched() {
    check(|| beside(announce, [|listener| watch_the_state(&listener)]));
}

fn state_is_watched_during_a_close() {
    check(|| beside(drop, [|listener| watch_the_state(&listener)]));
}

/// The listener was polled by this thread, and goes on in another one, as a task that moves does.
fn waiting_listener_goes() {
    check(|| {
        let (announcer, announcement) = Announcement::new();
        let mut future = announcement.listener().into_future();
        assert!(poll_once(&mut future).is_pending());
        drop(announcement);
        let goes = thread::spawn(|| drop(future));
        announce(announcer);
        goes.join().unwrap();
    });
}

/// Two ways to decide a channel, at once: whether each of them did.
type Decide<C> = fn(&C) -> bool;

/// Announcers of which the first wins, in both forms.
trait First: 'static {
    fn create() -> Self;
    fn share(&self) -> Self;
    fn board(&self) -> &Board<Value>;
    /// Gives the value back when it comes too late.
    fn announce_value(&self, value: Value) -> Option<AnnounceError<Value>>;
    fn close(&self) -> bool;
}

impl First for SharedAnnouncer<Value> {
    fn create() -> Self {
        Announcement::new().0.into_shared()
    }
    fn share(&self) -> Self {
        self.clone()
    }
    fn board(&self) -> &Board<Value> {
        self
    }
    fn announce_value(&self, value: Value) -> Option<AnnounceError<Value>> {
        self.announce(value).err()
    }
    fn close(&self) -> bool {
        Self::close(self)
    }
}

impl First for Arc<StaticAnnouncement<Value>> {
    fn create() -> Self {
        Self::new(StaticAnnouncement::new())
    }
    fn share(&self) -> Self {
        Self::clone(self)
    }
    fn board(&self) -> &Board<Value> {
        self
    }
    fn announce_value(&self, value: Value) -> Option<AnnounceError<Value>> {
        self.announce(value).err()
    }
    fn close(&self) -> bool {
        StaticAnnouncement::close(self)
    }
}

/// Who comes too late gets the value back, and learns what was decided.
fn decide_by<C: First>(channel: &C, number: u32) -> bool {
    match channel.announce_value(Value::new(number)) {
        None => true,
        Some(error) => {
            assert_eq!(error.into_inner().into_number(), number);
            false
        }
    }
}

/// One of the two decides, and what it decided stays.
fn decide_at_once<C: First>(mine: Decide<C>, others: Decide<C>) -> (C, bool) {
    let channel = C::create();
    let other = channel.share();
    let thread = thread::spawn(move || others(&other));
    let won = mine(&channel);
    assert!(
        won != thread.join().unwrap(),
        "one wins, and the other does not"
    );
    (channel, won)
}

fn two_announce<C: First>() {
    check(|| {
        let (channel, won) = decide_at_once::<C>(
            |channel| decide_by(channel, NEWS),
            |channel| decide_by(channel, OTHER_NEWS),
        );
        let number = channel.board().get().map(Value::read);
        assert_eq!(number, Some(if won { NEWS } else { OTHER_NEWS }));
    });
}

fn one_announces_and_one_closes<C: First>() {
    check(|| {
        let (channel, won) = decide_at_once::<C>(|channel| decide_by(channel, NEWS), C::close);
        assert_eq!(channel.board().is_announced(), won);
        assert_eq!(
            channel.board().close_cause(),
            (!won).then_some(CloseCause::Closed)
        );
    });
}

fn one_announces_and_one_watches<C: First>() {
    check(|| {
        let channel = C::create();
        let other = channel.share();
        let watcher = thread::spawn(move || watch_the_state(other.board()));
        assert!(decide_by(&channel, NEWS));
        watcher.join().unwrap();
    });
}

/// Whichever wins, who waits hears it.
fn two_announce_and_one_waits<C: First>() {
    check(|| {
        let channel = C::create();
        let (other, waiter) = (channel.share(), channel.share());
        let other = thread::spawn(move || decide_by(&other, OTHER_NEWS));
        let waiter = thread::spawn(move || {
            let Ok(value) = block_on(waiter.board().wait()) else {
                panic!("closed by nobody");
            };
            value.read()
        });
        let won = decide_by(&channel, NEWS);
        assert!(won != other.join().unwrap());
        assert_eq!(waiter.join().unwrap(), if won { NEWS } else { OTHER_NEWS });
    });
}

/// The last of them closes, unless one of them has announced.
fn shared_announcers_go() {
    check(|| {
        let (announcer, announcement) = Announcement::<Value>::new();
        let announcer = announcer.into_shared();
        let other = announcer.clone();
        let thread = thread::spawn(|| drop(other));
        drop(announcer);
        expect_close(&announcement, block_on(announcement.wait()));
        thread.join().unwrap();
    });
}

fn shared_announcer_announces_while_another_goes() {
    check(|| {
        let (announcer, announcement) = Announcement::new();
        let announcer = announcer.into_shared();
        let other = announcer.clone();
        let thread = thread::spawn(move || assert!(decide_by(&other, NEWS)));
        drop(announcer);
        expect_news(block_on(announcement.wait()));
        thread.join().unwrap();
    });
}

type Static = Arc<StaticAnnouncement<Value>>;
type Shared = SharedAnnouncer<Value>;

models! {
    a_waiting_task_hears: task_hears;
    a_waiting_thread_hears: thread_hears;
    a_waiting_owner_hears: owner_hears;
    a_task_and_a_thread_hear: task_and_thread_hear;
    an_owner_and_a_task_hear: owner_and_task_hear;
    who_sees_the_value_may_read_it: somebody_looks;
    a_close_is_heard_by_tasks_and_threads: close_is_heard;
    a_close_is_heard_by_an_owner: close_is_heard_by_an_owner;
    who_gives_up_harms_nobody: somebody_gives_up;
    who_gives_up_harms_nobody_who_waits: somebody_gives_up_while_another_hears;
    an_owner_that_gives_up_harms_nobody: owner_gives_up;
    an_owner_that_gives_up_harms_no_other: owner_gives_up_while_another_hears;
    who_gives_up_may_wait_again: somebody_gives_up_and_hears;
    a_waiting_listener_may_go: waiting_listener_goes;
    a_state_only_moves_forward: state_is_watched;
    a_state_only_moves_forward_to_closed: state_is_watched_during_a_close;
    the_first_of_two_shared_announcers_wins: two_announce::<Shared>;
    the_first_of_two_to_a_static_one_wins: two_announce::<Static>;
    a_shared_announcement_or_a_close_wins: one_announces_and_one_closes::<Shared>;
    a_static_announcement_or_a_close_wins: one_announces_and_one_closes::<Static>;
    a_shared_state_only_moves_forward: one_announces_and_one_watches::<Shared>;
    a_static_state_only_moves_forward: one_announces_and_one_watches::<Static>;
    who_waits_hears_the_first_shared_one: two_announce_and_one_waits::<Shared>;
    who_waits_hears_the_first_static_one: two_announce_and_one_waits::<Static>;
    the_last_shared_announcer_closes: shared_announcers_go;
    a_shared_announcer_that_goes_closes_nothing: shared_announcer_announces_while_another_goes;
}

mutants! {
    an_announcement_that_releases_nothing_is_read_too_early: "latch O1" off in somebody_looks, "Causality violation";
    a_shared_announcement_that_releases_nothing_is_read_too_early: "latch O1" off in one_announces_and_one_watches::<Shared>, "Causality violation";
    a_task_that_ignores_the_close_waits_on: "group R3" off in task_hears, "deadlock";
    an_owner_that_ignores_the_close_waits_on: "group R3" off in owner_hears, "deadlock";
    a_thread_that_does_not_say_so_sleeps_on: "latch H1" off in thread_hears, "deadlock";
    announcers_without_a_reservation_write_at_once: "cell A1" off in two_announce::<Shared>, "Causality violation";
    announcers_of_a_static_one_without_a_reservation_write_at_once: "cell A1" off in two_announce::<Static>, "Causality violation";
    an_announcer_without_a_reservation_overrules_a_close: "cell A1" off in one_announces_and_one_closes::<Shared>, "one wins";
}
