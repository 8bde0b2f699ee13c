//! Waiting as a thread: what ends it, and what it says then.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "support/scene.rs"]
mod scene;

use guard::ends;
use scene::{CAUSES, announced, closed, end, panics};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tidings_core::wait::{Deadline, Next, Strategy, WaitStrategy};
use tidings_oneshot::{Announcement, ListenError, StaticAnnouncement};

const BRIEF: Duration = Duration::from_micros(200);

#[test]
fn a_value_that_is_there_is_returned_at_once_by_every_form() {
    let listener = announced(8).listener();
    assert_eq!(listener.wait_blocking(), Ok(&8));
    assert_eq!(listener.wait_timeout_blocking(Duration::ZERO), Ok(&8));
    let gone = Deadline::at(Instant::now());
    assert_eq!(listener.wait_deadline_blocking(gone), Ok(&8));
    assert_eq!(
        listener.wait_blocking_with(&WaitStrategy::Park, gone),
        Ok(&8)
    );
    assert_eq!(listener.listen_blocking(), Ok(8));
    assert_eq!(listener.listen_timeout_blocking(Duration::ZERO), Ok(8));
    assert_eq!(listener.listen_deadline_blocking(gone), Ok(8));
}

#[test]
fn a_close_is_told_at_once_by_every_form() {
    for cause in CAUSES {
        let listener = closed::<u8>(cause).listener();
        let gone = Deadline::at(Instant::now());
        let told = [
            listener.listen_blocking(),
            listener.listen_timeout_blocking(Duration::ZERO),
            listener.listen_timeout_blocking(Duration::MAX),
            listener.listen_deadline_blocking(gone),
            listener.listen_deadline_blocking(Deadline::NEVER),
        ];
        assert_eq!(told, [Err(ListenError::Closed); 5]);
    }
}

#[test]
fn a_pending_channel_lets_the_time_run_out() {
    let (announcer, announcement) = Announcement::<u8>::new();
    for timeout in [Duration::ZERO, Duration::from_nanos(1), BRIEF] {
        let timed = announcement.wait_timeout_blocking(timeout);
        assert_eq!(timed, Err(ListenError::Timeout));
        let until = announcement.wait_deadline_blocking(Deadline::after(timeout));
        assert_eq!(until, Err(ListenError::Timeout));
    }
    announcer.announce(3).unwrap();
    let after = announcement.wait_timeout_blocking(Duration::ZERO);
    assert_eq!(after, Ok(&3), "a wait that ran out leaves no trace");
}

#[test]
fn a_wait_takes_no_less_than_its_time() {
    let (_announcer, announcement) = Announcement::<u8>::new();
    for strategy in [WaitStrategy::Park, WaitStrategy::ADAPTIVE] {
        let start = Instant::now();
        let deadline = Deadline::at(start + BRIEF);
        let waited = announcement.wait_blocking_with(&strategy, deadline);
        assert_eq!(waited, Err(ListenError::Timeout));
        assert!(start.elapsed() >= BRIEF);
    }
}

#[test]
fn a_sleeping_thread_is_woken_by_the_announcement() {
    ends(|| {
        let (announcer, announcement) = Announcement::new();
        let listener = announcement.listener();
        let sleeper = thread::spawn(move || listener.listen_blocking());
        announcer.announce(String::from("up")).unwrap();
        assert_eq!(sleeper.join().unwrap().as_deref(), Ok("up"));
    });
}

#[test]
fn a_sleeping_thread_is_woken_by_every_kind_of_close() {
    ends(|| {
        for cause in CAUSES {
            let (announcer, announcement) = Announcement::<u8>::new();
            let sleeper = thread::spawn(move || announcement.listen_blocking());
            end(announcer, cause);
            assert_eq!(sleeper.join().unwrap(), Err(ListenError::Closed));
        }
    });
}

#[test]
fn a_time_that_the_clock_cannot_express_is_for_ever() {
    ends(|| {
        let (announcer, announcement) = Announcement::new();
        let sleeper = thread::spawn(move || announcement.listen_timeout_blocking(Duration::MAX));
        announcer.announce(1).unwrap();
        assert_eq!(sleeper.join().unwrap(), Ok(1));
    });
}

#[test]
fn every_strategy_ends_with_the_announcement() {
    let strategies = [
        WaitStrategy::BusySpin,
        WaitStrategy::Spin,
        WaitStrategy::Yield,
        WaitStrategy::Park,
        WaitStrategy::ADAPTIVE,
    ];
    ends(move || {
        for strategy in strategies {
            let (announcer, announcement) = Announcement::new();
            let waiter = thread::spawn(move || {
                let heard = announcement.wait_blocking_with(&strategy, Deadline::NEVER);
                heard.copied()
            });
            announcer.announce(2).unwrap();
            assert_eq!(waiter.join().unwrap(), Ok(2));
        }
    });
}

#[test]
fn a_strategy_of_ones_own_passes_the_time() {
    struct Announces<F>(F);
    impl<F: Fn()> Strategy for Announces<F> {
        fn pause(&self, round: u32) -> Next {
            if round == 3 {
                (self.0)();
            }
            Next::Check
        }
    }
    let channel = StaticAnnouncement::new();
    let strategy = Announces(|| channel.announce(6).unwrap());
    let heard = channel.wait_blocking_with(&strategy, Deadline::NEVER);
    assert_eq!(heard, Ok(&6));
}

#[test]
fn a_strategy_that_panics_hurts_nobody_else() {
    struct Panics;
    impl Strategy for Panics {
        fn pause(&self, _: u32) -> Next {
            panic!("on purpose");
        }
    }
    let (announcer, announcement) = Announcement::new();
    panics(|| announcement.wait_blocking_with(&Panics, Deadline::NEVER));
    announcer.announce(1).unwrap();
    assert_eq!(announcement.wait_blocking(), Ok(&1));
}

#[test]
fn threads_wait_on_any_handle_that_can_read() {
    ends(|| {
        let (announcer, announcement) = Announcement::new();
        let shared = announcer.into_shared();
        let handles = (announcement.listener(), announcement, shared.clone());
        let waiter = thread::spawn(move || {
            let (listener, announcement, announcer) = handles;
            let heard = [listener.listen_blocking(), announcement.listen_blocking()];
            (heard, announcer.listen_blocking())
        });
        shared.announce(4).unwrap();
        assert_eq!(waiter.join().unwrap(), ([Ok(4); 2], Ok(4)));
    });
}

#[test]
fn several_threads_may_wait_on_one_listener() {
    ends(|| {
        let (announcer, announcement) = Announcement::new();
        let listener = Arc::new(announcement.listener());
        let wait = |_| {
            let listener = Arc::clone(&listener);
            thread::spawn(move || listener.wait_blocking().copied())
        };
        let waiters: Vec<_> = (0..4).map(wait).collect();
        announcer.announce(9).unwrap();
        for waiter in waiters {
            assert_eq!(waiter.join().unwrap(), Ok(9));
        }
    });
}
