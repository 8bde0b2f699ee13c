//! Feature `stream`: the announcement as a stream, and futures that `select!` takes.
//!
//! The executor is the one of the ring's tests.
#![cfg(all(feature = "stream", feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/counter.rs"]
mod counter;
#[path = "../../tidings-ring/tests/support/executor.rs"]
mod executor;
#[macro_use]
#[path = "support/is.rs"]
mod is;
#[path = "support/scene.rs"]
mod scene;

use counter::Counter;
use executor::{block_on, poll_once, poll_with};
use futures_util::future::{FusedFuture, FutureExt};
use futures_util::stream::{FusedStream, Stream, StreamExt, select_all};
use futures_util::{select, select_biased};
use scene::{CAUSES, announced, closed};
use std::future::{IntoFuture, pending};
use std::marker::PhantomPinned;
use std::rc::Rc;
use std::task::Poll;
use tidings_oneshot::{Announced, Announcement, ListenError, ListenStream};

#[test]
fn a_stream_gives_one_guard_and_ends() {
    let mut stream = announced(String::from("one")).listener().into_stream();
    assert_eq!(
        (stream.size_hint(), stream.is_terminated()),
        ((0, Some(1)), false)
    );
    let guard = block_on(stream.next()).unwrap();
    assert_eq!(
        (stream.size_hint(), stream.is_terminated()),
        ((0, Some(0)), true)
    );
    assert!(block_on(stream.next()).is_none() && block_on(stream.next()).is_none());
    drop(stream);
    assert_eq!(Announced::into_inner(guard).unwrap(), "one");
}

#[test]
fn a_stream_of_a_closed_channel_is_empty() {
    for cause in CAUSES {
        let mut stream = closed::<u8>(cause).listener().into_stream();
        assert!(!stream.is_terminated());
        assert!(block_on(stream.next()).is_none() && stream.is_terminated());
    }
}

#[test]
fn a_stream_is_woken_by_the_announcement() {
    let (announcer, announcement) = Announcement::new();
    let mut stream = announcement.listener().into_stream();
    let (counter, waker) = Counter::with_waker();
    assert!(poll_with(&mut stream.next(), &waker).is_pending());
    announcer.announce(3).unwrap();
    assert_eq!(counter.count(), 1);
    assert_eq!(block_on(stream.next()).map(|guard| *guard), Some(3));
}

#[test]
fn a_stream_is_a_listener_until_it_ends() {
    let (announcer, announcement) = Announcement::<u8>::new();
    let stream = announcement.listener().into_stream();
    assert_eq!(announcement.listener_count(), 1);
    drop((announcement, stream));
    assert!(announcer.is_abandoned());
    let announcement = announced(1);
    let mut stream = announcement.listener().into_stream();
    drop(block_on(stream.next()));
    assert_eq!(announcement.listener_count(), 0, "its end lets go of it");
}

#[test]
fn streams_of_several_channels_combine() {
    let (announcers, listeners): (Vec<_>, Vec<_>) = (0..5)
        .map(|_| Announcement::new())
        .map(|(announcer, announcement)| (announcer, announcement.listener()))
        .unzip();
    let mut all = select_all(listeners.into_iter().map(|listener| listener.into_stream()));
    let mut waiting = all.next();
    assert!(poll_once(&mut waiting).is_pending());
    for (n, announcer) in announcers.into_iter().enumerate().skip(1) {
        announcer.announce(n).unwrap();
    }
    let mut heard: Vec<_> = block_on(all.collect::<Vec<_>>())
        .iter()
        .map(|guard| **guard)
        .collect();
    heard.sort_unstable();
    assert_eq!(heard, [1, 2, 3, 4]);
}

#[test]
fn futures_say_when_they_are_done() {
    let (announcer, announcement) = Announcement::new();
    let (mut wait, mut listen) = (announcement.wait(), announcement.listen());
    let mut owned = announcement.listener().into_future();
    assert!(poll_once(&mut wait).is_pending() && poll_once(&mut listen).is_pending());
    announcer.announce(1).unwrap();
    let done = (
        wait.is_terminated(),
        listen.is_terminated(),
        owned.is_terminated(),
    );
    assert_eq!(
        done,
        (false, false, false),
        "ready, but nobody has asked yet"
    );
    assert!(poll_once(&mut wait).is_ready() && poll_once(&mut listen).is_ready());
    assert!(poll_once(&mut owned).is_ready());
    assert!(wait.is_terminated() && listen.is_terminated() && owned.is_terminated());
}

#[test]
fn a10_select_takes_futures_again_and_again() {
    let (announcer, announcement) = Announcement::new();
    let mut wait = announcement.wait();
    let mut ticks = futures_util::stream::iter(0..3).fuse();
    let mut announcer = Some(announcer);
    let (mut heard, mut ended) = (0, 0);
    block_on(async {
        loop {
            select_biased! {
                value = wait => heard += *value.unwrap(),
                tick = ticks.select_next_some() => if tick == 1 { announcer.take().unwrap().announce(7).unwrap() },
                complete => break,
            }
            ended += 1;
        }
    });
    assert_eq!((heard, ended), (7, 4));
    assert_eq!(poll_once(&mut wait), Poll::Ready(Ok(&7)));
}

#[test]
fn select_ends_with_the_first_of_two_channels() {
    let (one, other) = (announced("one"), closed::<&str>(CAUSES[0]));
    let heard = block_on(async {
        select! {
            value = one.wait() => value.copied(),
            () = pending::<()>().fuse() => Ok("never"),
        }
    });
    assert_eq!(heard, Ok("one"));
    let heard = block_on(async {
        select! { value = other.listen() => value }
    });
    assert_eq!(heard, Err(ListenError::Closed));
}

/// A wrapper that ends a future for good does not disturb it either.
#[test]
fn a10_fused_futures_are_pending_after_their_end() {
    let announcement = announced(1);
    let mut fused = announcement.wait().fuse();
    assert_eq!(poll_once(&mut fused), Poll::Ready(Ok(&1)));
    assert!(poll_once(&mut fused).is_pending() && fused.is_terminated());
}

#[test]
fn a_stream_is_as_mobile_as_its_listener() {
    assert!(is!(ListenStream<u8>: Send) && is!(ListenStream<u8>: Sync));
    assert!(!is!(ListenStream<Rc<u8>>: Send) && is!(ListenStream<PhantomPinned>: Unpin));
    assert!(is!(ListenStream<PhantomPinned>: Stream));
    let stream = announced(1).listener().into_stream();
    assert!(format!("{stream:?}").starts_with("ListenStream(Some(ListenOwned("));
}

#[test]
fn waiting_for_the_end_of_the_hearers_is_terminated_once_it_was_ready() {
    let (announcer, announcement) = Announcement::<u8>::new();
    drop(announcement);
    let mut abandoned = announcer.abandoned();
    assert!(!abandoned.is_terminated());
    block_on(&mut abandoned);
    assert!(abandoned.is_terminated());
}
