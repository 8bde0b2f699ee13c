//! Announcing, closing, and reading what came of it; how long a value lives.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/scene.rs"]
mod scene;

use scene::{CAUSES, announced, closed, panics};
use std::cell::Cell;
use std::panic::catch_unwind;
use std::ptr;
use std::sync::Arc;
use std::thread;
use tidings_oneshot::{Announcement, CloseCause, ListenError, State, TryListenError};

/// Neither `Clone` nor anything else.
#[derive(Debug, PartialEq)]
struct Plain(u8);

#[test]
fn a_channel_asks_nothing_of_its_type() {
    let local = Plain(1);
    let (announcer, announcement) = Announcement::new();
    let listener = announcement.listener().clone();
    announcer.announce(Cell::new(&local)).unwrap();
    let clones = (announcement.clone(), listener.clone());
    assert_eq!(clones.1.get().unwrap().get(), &Plain(1));
    assert_eq!(clones.0.wait_blocking().unwrap().get(), &Plain(1));
}

#[test]
fn listeners_hear_what_was_announced_before_they_were_made_and_after() {
    let (announcer, announcement) = Announcement::new();
    let early = announcement.listener();
    assert_eq!(early.get(), None);
    announcer.announce(Plain(7)).unwrap();
    let late = announcement.listener();
    assert_eq!(
        (early.get(), late.get()),
        (Some(&Plain(7)), Some(&Plain(7)))
    );
}

#[test]
fn whoever_comes_after_the_close_learns_of_it_at_once() {
    for cause in CAUSES {
        let listener = closed::<Plain>(cause).listener();
        assert_eq!(listener.wait_blocking(), Err(ListenError::Closed));
        assert_eq!(listener.close_cause(), Some(cause));
        assert!(listener.is_closed() && !listener.is_announced());
    }
}

#[test]
fn clones_of_an_announcement_share_its_channel() {
    let (announcer, announcement) = Announcement::new();
    let clone = announcement.clone();
    drop(announcement);
    let listener = clone.clone().listener();
    announcer.announce(5).unwrap();
    assert_eq!((listener.get(), clone.get()), (Some(&5), Some(&5)));
}

#[test]
fn all_handles_read_one_and_the_same_value() {
    let announcement = announced(Plain(3));
    let listener = announcement.listener();
    let guard = listener.guard().unwrap();
    let value = ptr::from_ref(announcement.get().unwrap());
    assert!(ptr::eq(value, listener.get().unwrap()));
    assert!(ptr::eq(value, listener.clone().wait_blocking().unwrap()));
    assert!(ptr::eq(value, &*guard.clone()));
}

#[test]
fn a_listener_may_read_any_number_of_times() {
    let listener = announced(String::from("again")).listener();
    for _ in 0..3 {
        assert_eq!(listener.try_listen().as_deref(), Some("again"));
        assert_eq!(listener.listen_blocking().as_deref(), Ok("again"));
    }
}

#[test]
fn announcing_to_nobody_succeeds_and_drops_the_value() {
    let value = Arc::new(());
    let (announcer, announcement) = Announcement::new();
    announcer.announce(Arc::clone(&value)).unwrap();
    assert_eq!(Arc::strong_count(&value), 2, "a listener may come yet");
    drop(announcement);
    assert_eq!(Arc::strong_count(&value), 1);
    let (announcer, _) = Announcement::new();
    announcer.announce(Arc::clone(&value)).unwrap();
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn who_wants_to_know_gets_back_what_nobody_can_hear() {
    let (announcer, announcement) = Announcement::new();
    drop(announcement);
    let unheard = announcer.announce_heard(Plain(4)).unwrap_err();
    assert_eq!(unheard.into_inner(), Plain(4));
    let (announcer, announcement) = Announcement::new();
    announcer.announce_heard(Plain(5)).unwrap();
    assert_eq!(announcement.get(), Some(&Plain(5)), "it can make listeners");
    let (announcer, announcement) = Announcement::new();
    let listener = announcement.listener();
    drop(announcement);
    announcer.announce_heard(Plain(6)).unwrap();
    assert_eq!(listener.get(), Some(&Plain(6)));
}

#[test]
fn a_channel_that_was_announced_is_never_closed() {
    let announcement = announced(1);
    assert!(announcement.is_announced() && !announcement.is_closed());
    assert_eq!(announcement.close_cause(), None);
    assert_eq!(announcement.state(), State::Announced);
}

#[test]
fn a_pending_channel_is_neither_announced_nor_closed() {
    let (_announcer, announcement) = Announcement::<Plain>::new();
    assert!(!announcement.is_announced() && !announcement.is_closed());
    assert_eq!(announcement.close_cause(), None);
    assert_eq!(announcement.state(), State::Pending);
}

#[test]
fn the_state_tells_how_a_channel_was_closed() {
    for cause in CAUSES {
        assert_eq!(closed::<Plain>(cause).state(), State::Closed(cause));
    }
}

#[test]
fn not_waiting_tells_pending_from_closed() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let listener = announcement.listener();
    assert_eq!(listener.try_get(), Err(TryListenError::Pending));
    assert_eq!(listener.try_listen(), None);
    announcer.close();
    assert_eq!(listener.try_get(), Err(TryListenError::Closed));
    assert_eq!(listener.try_listen(), None);
    assert_eq!(announced(2).try_get(), Ok(&2));
}

/// A panic elsewhere, caught before the announcer went, is no reason to tell of one.
#[test]
fn only_a_panic_that_takes_the_announcer_along_counts() {
    let (announcer, announcement) = Announcement::<u8>::new();
    panics(|| panic!("of somebody else"));
    drop(announcer);
    assert_eq!(announcement.close_cause(), Some(CloseCause::Dropped));
    let (announcer, announcement) = Announcement::<u8>::new();
    let ended = thread::spawn(move || {
        let _announcer = announcer;
        panic!("on purpose");
    });
    assert!(ended.join().is_err());
    assert_eq!(announcement.close_cause(), Some(CloseCause::Panicked));
}

#[test]
fn a_close_by_call_is_told_as_such_also_while_unwinding() {
    struct Closes(Option<tidings_oneshot::Announcer<u8>>);
    impl Drop for Closes {
        fn drop(&mut self) {
            self.0.take().unwrap().close();
        }
    }
    let (announcer, announcement) = Announcement::new();
    panics(|| {
        let _closes = Closes(Some(announcer));
        panic!("on purpose");
    });
    assert_eq!(announcement.close_cause(), Some(CloseCause::Closed));
}

#[test]
fn a_value_lives_as_long_as_any_handle_that_can_read_it() {
    let value = Arc::new(());
    let announcement = announced(Arc::clone(&value));
    let listener = announcement.listener();
    let guard = listener.guard().unwrap();
    let alive = || Arc::strong_count(&value) == 2;
    drop(announcement);
    assert!(alive());
    drop(listener);
    assert!(alive());
    drop(guard);
    assert!(!alive());
}

#[test]
fn a_value_outlives_an_announcer_and_dies_on_the_thread_of_its_last_handle() {
    thread_local!(static DROPS: Cell<usize> = const { Cell::new(0) });
    struct Local;
    impl Drop for Local {
        fn drop(&mut self) {
            DROPS.set(DROPS.get() + 1);
        }
    }
    let listener = announced(Local).listener();
    let there = thread::spawn(move || {
        drop(listener);
        DROPS.get()
    });
    assert_eq!((there.join().unwrap(), DROPS.get()), (1, 0));
}

#[test]
fn a_closed_channel_has_no_value_to_drop() {
    let value = Arc::new(());
    let (announcer, announcement) = Announcement::<Arc<()>>::new();
    let refused = announcer.into_shared();
    assert!(refused.close());
    let error = refused.announce(Arc::clone(&value)).unwrap_err();
    drop((refused, announcement));
    assert_eq!(Arc::strong_count(&value), 2);
    drop(error);
    assert_eq!(Arc::strong_count(&value), 1);
}

/// Its memory is freed all the same, which the leak checker sees.
#[test]
fn a_value_may_panic_when_it_is_dropped() {
    struct Bomb(#[allow(dead_code, reason = "memory to be freed")] Box<u8>);
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("on purpose");
        }
    }
    let listener = announced(Bomb(Box::new(1))).listener();
    let weak = listener.downgrade();
    panics(|| drop(listener));
    assert!(weak.upgrade().is_none());
    panics(|| {
        let (announcer, _) = Announcement::new();
        announcer.announce(Bomb(Box::new(2)))
    });
}

#[test]
fn values_of_any_size_and_alignment_are_announced() {
    #[derive(Debug, PartialEq)]
    #[repr(align(256))]
    struct Aligned(u8);
    let announcement = announced(Aligned(1));
    let value = announcement.get().unwrap();
    assert_eq!(ptr::from_ref(value).addr() % 256, 0);
    assert_eq!(value, &Aligned(1));
    assert_eq!(announced(()).get(), Some(&()));
    assert_eq!(announced([7_u8; 70_000]).get().unwrap()[69_999], 7);
    assert_eq!(announced(None::<Box<u8>>).get(), Some(&None));
}

#[test]
fn two_channels_have_nothing_to_do_with_each_other() {
    let ((first, one), (second, other)) = (Announcement::new(), Announcement::<u8>::new());
    first.announce(1).unwrap();
    assert_eq!((one.get(), other.get()), (Some(&1), None));
    second.close();
    assert_eq!((one.is_closed(), other.is_closed()), (false, true));
}

/// A panic of `clone` goes to who asked for one, and to nobody else.
#[test]
fn a_clone_that_panics_poisons_nothing() {
    struct Shy(Cell<bool>);
    impl Clone for Shy {
        fn clone(&self) -> Self {
            assert!(self.0.replace(false), "on purpose");
            Self(Cell::new(true))
        }
    }
    let listener = announced(Shy(Cell::new(false))).listener();
    panics(|| listener.try_listen());
    panics(|| listener.listen_blocking());
    listener.get().unwrap().0.set(true);
    assert!(listener.try_listen().is_some());
}

#[test]
fn a_handle_crosses_a_caught_panic() {
    let (announcer, announcement) = Announcement::new();
    let listener = announcement.listener();
    let read = catch_unwind(|| {
        announcer.announce(9).unwrap();
        assert_eq!(announcement.get(), Some(&9));
        panic!("on purpose");
    });
    assert!(read.is_err());
    assert_eq!(listener.get(), Some(&9));
}
