//! A value announced once to any number of listeners, early or late, on any async runtime or none.
//!
//! ```
//! use tidings_oneshot::Announcement;
//!
//! let (announcer, announcement) = Announcement::new();
//! let listener = announcement.listener();
//! std::thread::spawn(move || announcer.announce(String::from("said once")));
//! assert_eq!(listener.wait_blocking().unwrap(), "said once"); // or: listener.wait().await
//! ```
//!
//! | type | what it is |
//! |---|---|
//! | [`Announcer`] | announces the value, once; dropping it closes the channel |
//! | [`Announcement`] | makes listeners, at any time |
//! | [`Listener`], [`WeakListener`] | hears, any number of times; one that keeps nothing alive |
//! | [`Board`] | what all of them can read, and all the ways to wait |
//! | [`Announced`] | an owned guard on the value |
//! | [`SharedAnnouncer`], [`AnnounceOnDrop`] | several announcers, the first wins; a value that is announced in any case |
//! | [`StaticAnnouncement`] | a channel for a `static` or a field, without an allocation |
//!
//! # What is promised
//!
//! - A channel is one allocation, a handle one pointer. Announcing takes no lock and costs the same however many handles there
//!   are; who waits adds one wake each, all sleeping threads together one system call.
//! - A value that was announced stays until the last handle goes, and can be borrowed, shared or taken; nothing asks for `Clone`
//!   but the methods that clone.
//! - Everything ends: a dropped announcer closes the channel and says whether a panic did it, an announcer can wait for
//!   the end of everybody who could hear.
//! - A value that holds a handle of its own channel keeps itself alive, as with `Rc`: give it a [`WeakListener`].
//! - Wakers, destructors and clones run with no lock held. One that panics keeps nobody else from being woken.
//!
//! Feature `std` (default) adds everything that blocks a thread. Without it the crate is `no_std` with `alloc`.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_debug_implementations)]
#![warn(unreachable_pub)]

#[cfg(not(target_has_atomic = "64"))]
compile_error!("tidings-oneshot needs a target with 64-bit atomics");

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod announced;
mod announcement;
mod announcer;
mod board;
mod cell;
mod counts;
mod error;
mod listener;
mod paths;
mod region;
mod state;
mod static_announcement;
#[cfg(feature = "stream")]
mod stream;
mod trace;
mod wait;
mod wait_owned;

pub use announced::Announced;
pub use announcement::{Announcement, Listeners};
pub use announcer::{Abandoned, AnnounceOnDrop, Announcer, SharedAnnouncer};
pub use board::Board;
pub use error::{AnnounceError, ListenError, TryListenError, UnheardError};
pub use listener::{Listener, WeakListener};
pub use state::{CloseCause, State};
pub use static_announcement::StaticAnnouncement;
#[cfg(feature = "stream")]
pub use stream::ListenStream;
#[cfg(feature = "std")]
pub use tidings_core::wait::Deadline;
pub use tidings_core::wait::{Next, Spins, Strategy, WaitStrategy};
pub use wait::{Listen, Wait};
pub use wait_owned::ListenOwned;

/// The program in the README is a test.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
