//! Which handles cross threads, move while pinned, survive a panic, can be cloned: decisions, checked; and what they print.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[macro_use]
#[path = "support/is.rs"]
mod is;
#[path = "support/scene.rs"]
mod scene;

use scene::{CAUSES, announced, closed};
use std::cell::Cell;
use std::error::Error;
use std::fmt::Debug;
use std::future::{IntoFuture, Ready};
use std::hash::Hash;
use std::marker::PhantomPinned;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;
use std::sync::MutexGuard;
use tidings_oneshot::{
    Abandoned, AnnounceError, AnnounceOnDrop, Announced, Announcement, Announcer, Board,
    CloseCause, Listen, ListenError, ListenOwned, Listener, Listeners, SharedAnnouncer, State,
    StaticAnnouncement, TryListenError, UnheardError, Wait, WeakListener,
};

/// The answers for every type that holds or reaches a `T`, and can be made only with others of its channel.
macro_rules! of_all {
    ($($bound:path),+; $t:ty) => {
        [$(
            is!(Announcement<$t>: $bound), is!(Announcer<$t>: $bound), is!(Listener<$t>: $bound),
            is!(WeakListener<$t>: $bound), is!(Announced<$t>: $bound), is!(Listeners<$t>: $bound),
            is!(SharedAnnouncer<$t>: $bound), is!(ListenOwned<$t>: $bound), is!(Wait<'static, $t>: $bound),
            is!(Listen<'static, $t>: $bound), is!(AnnounceOnDrop<$t>: $bound),
        )+]
    };
}

/// Send, but not Sync.
type Alone = Cell<u64>;
/// Sync, but not Send.
type Guard = MutexGuard<'static, u64>;

#[test]
fn handles_of_what_may_be_shared_and_sent_cross_threads() {
    assert_eq!(of_all!(Send, Sync; String), [true; 22]);
    let fixed = (
        is!(StaticAnnouncement<u8>: Send),
        is!(StaticAnnouncement<u8>: Sync),
    );
    assert_eq!((fixed, is!(Board<u8>: Sync)), ((true, true), true));
    assert!(is!(Abandoned<'static>: Send) && is!(Abandoned<'static>: Sync));
}

/// The value is read on many threads, and dropped on any.
#[test]
fn a06_handles_of_anything_less_do_not() {
    assert_eq!(of_all!(Send, Sync; Alone), [false; 22]);
    assert_eq!(of_all!(Send, Sync; Guard), [false; 22]);
    assert_eq!(of_all!(Send, Sync; Rc<u8>), [false; 22]);
}

/// A channel in a field is no handle: it moves with its value, as a `Mutex` does.
#[test]
fn a_channel_in_a_field_is_as_mobile_as_its_value() {
    assert!(is!(StaticAnnouncement<Alone>: Send) && !is!(StaticAnnouncement<Alone>: Sync));
    assert!(!is!(StaticAnnouncement<Guard>: Send) && !is!(StaticAnnouncement<Guard>: Sync));
}

/// Nothing waits in a future, so handles and futures may move whatever the value is. What holds a value itself does as it does.
#[test]
fn nothing_is_pinned() {
    let expected = [
        true, true, true, true, true, true, true, true, true, true, false,
    ];
    assert_eq!(of_all!(Unpin; PhantomPinned), expected);
    assert!(is!(Abandoned<'static>: Unpin) && is!(AnnounceOnDrop<u8>: Unpin));
}

#[test]
fn a_panic_leaves_handles_whole() {
    assert_eq!(of_all!(UnwindSafe, RefUnwindSafe; String), [true; 22]);
    assert!(is!(StaticAnnouncement<u8>: RefUnwindSafe) && is!(Abandoned<'static>: UnwindSafe));
}

/// A value that can be half changed behind a shared reference is seen through any handle.
#[test]
fn a_value_that_a_panic_can_half_change_says_so() {
    assert_eq!(of_all!(UnwindSafe; Alone), [false; 11]);
}

#[test]
fn only_what_may_be_many_is_cloned_and_that_whatever_the_value() {
    struct Plain;
    let many = [
        is!(Announcement<Plain>: Clone),
        is!(Listener<Plain>: Clone),
        is!(WeakListener<Plain>: Clone),
        is!(Announced<Plain>: Clone),
        is!(SharedAnnouncer<Plain>: Clone),
    ];
    assert_eq!(many, [true; 5]);
    let one = [
        is!(Announcer<u8>: Clone),
        is!(AnnounceOnDrop<u8>: Clone),
        is!(Listeners<u8>: Clone),
        is!(Wait<'static, u8>: Clone),
        is!(Listen<'static, u8>: Clone),
        is!(ListenOwned<u8>: Clone),
        is!(Abandoned<'static>: Clone),
        is!(StaticAnnouncement<u8>: Clone),
    ];
    assert_eq!(one, [false; 8]);
}

#[test]
fn listeners_are_awaited_and_announcements_are_not() {
    assert!(is!(Listener<u8>: IntoFuture) && is!(&'static Listener<u8>: IntoFuture));
    assert!(is!(&'static Board<u8>: IntoFuture) && !is!(Announcement<u8>: IntoFuture));
    assert!(is!(Wait<'static, u8>: Future) && is!(Ready<u8>: Future));
}

#[test]
fn bulk_is_an_iterator_that_knows_its_length() {
    assert!(is!(Listeners<Rc<u8>>: ExactSizeIterator));
    assert!(is!(Listeners<Rc<u8>>: std::iter::FusedIterator));
}

#[test]
fn errors_are_errors_whatever_they_hold() {
    fn error<E: Error + Send + Sync + Copy + Eq + Hash + 'static>() {}
    error::<AnnounceError<u8>>();
    error::<UnheardError<u8>>();
    error::<ListenError>();
    error::<TryListenError>();
    assert!(is!(AnnounceError<Rc<u8>>: Error) && is!(UnheardError<fn()>: Error));
    assert!(is!(State: Hash) && is!(CloseCause: Copy) && is!(State: Eq));
}

#[test]
fn errors_and_causes_say_what_happened() {
    let lines = [
        ListenError::Timeout.to_string(),
        ListenError::Closed.to_string(),
        TryListenError::Pending.to_string(),
        AnnounceError::AlreadyAnnounced(1).to_string(),
        UnheardError(1).to_string(),
        CloseCause::Panicked.to_string(),
    ];
    let expected = [
        "no announcement within the time given",
        "closed without an announcement",
        "nothing was announced yet",
        "the channel was already announced or closed",
        "nobody can hear the announcement any more",
        "the announcer was dropped by a panic",
    ];
    assert_eq!(lines, expected);
    assert_eq!(
        TryListenError::Closed.to_string(),
        ListenError::Closed.to_string()
    );
    assert_ne!(
        CloseCause::Closed.to_string(),
        CloseCause::Dropped.to_string()
    );
}

fn text(value: impl Debug) -> String {
    format!("{value:?}")
}

/// No value needs `Debug` to be announced, given back or waited for.
struct Plain;

#[test]
fn errors_print_without_their_value() {
    assert_eq!(
        text(AnnounceError::AlreadyAnnounced(Plain)),
        "AlreadyAnnounced(..)"
    );
    assert_eq!(text(UnheardError(Plain)), "UnheardError(..)");
    assert_eq!(text(ListenError::Timeout), "Timeout");
    assert_eq!(
        text(State::Closed(CloseCause::Panicked)),
        "Closed(Panicked)"
    );
}

#[test]
fn handles_print_the_state_of_their_channel() {
    let (announcer, announcement) = Announcement::<Plain>::new();
    let listener = announcement.listener();
    assert_eq!(
        text(&announcer),
        "Announcer { listeners: 1, abandoned: false }"
    );
    assert_eq!(
        text(&announcement),
        "Announcement { state: Pending, listeners: 1 }"
    );
    assert_eq!(text(&listener), "Listener { state: Pending, .. }");
    assert_eq!(text(&*listener), "Board { state: Pending, .. }");
    assert_eq!(text(listener.downgrade()), "WeakListener { .. }");
    assert_eq!(text(announcement.listeners(2)), "Listeners { left: 2 }");
    assert_eq!(text(announcer.abandoned()), "Abandoned { .. }");
    let shared = announcer.into_shared();
    assert_eq!(
        text(&shared),
        "SharedAnnouncer { state: Pending, listeners: 1 }"
    );
    let fixed = StaticAnnouncement::<Plain>::new();
    assert_eq!(text(&fixed), "StaticAnnouncement { state: Pending }");
}

#[test]
fn futures_print_what_they_wait_for() {
    let board = "Board { state: Announced, .. }";
    let listener = announced(1).listener();
    assert_eq!(text(listener.wait()), format!("Wait({board})"));
    assert_eq!(text(listener.listen()), format!("Listen({board})"));
    let owned = listener.into_future();
    assert_eq!(
        text(owned),
        "ListenOwned(Listener { state: Announced, .. })"
    );
    let listener = closed::<Plain>(CAUSES[1]).listener();
    assert_eq!(
        text(listener.wait()),
        "Wait(Board { state: Closed(Dropped), .. })"
    );
}

#[test]
fn what_holds_a_value_prints_it() {
    let (announcer, announcement) = Announcement::new();
    let held = announcer.on_drop("said");
    assert_eq!(text(&held), "AnnounceOnDrop(\"said\")");
    drop(held);
    let guard = announcement.listener().into_guard().unwrap();
    assert_eq!(text(guard), "Announced(\"said\")");
}
