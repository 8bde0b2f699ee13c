//! One-to-many messaging for Rust: **say it once, everyone who asked hears it.**
//!
//! | you want to | look at |
//! |---|---|
//! | stream values to many subscribers, none of which may slow the publisher | [`ring::channel`] |
//! | stream values to subscribers that must not lose one | [`ring::channel_bounded`] |
//! | the same with values of any type, edited and read in place | [`ring::event_channel`] |
//! | choose among these, and their numbers | [`guide::choosing_a_ring`] |
//! | know what exactly is delivered, and when it ends | [`guide::delivery`] |
//! | wait without burning a core, on threads or tasks | [`guide::waiting`] |
//! | build something of the kind yourself | [`wait::Event`], [`Sequence`], [`CachePadded`] |
//!
//! The command `tidings` brings the same to a shell.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `std` | yes | waiting threads, deadlines; without it the crate is `no_std` and needs `alloc` |
//! | `ring` | yes | [`ring`] |
//! | `derive` | no | `#[derive(NoUninit)]` for payload types of your own |

#![cfg_attr(not(feature = "std"), no_std)]

pub use tidings_core::{Backoff, CachePadded, Sequence, wait};
#[cfg(feature = "oneshot")]
pub use tidings_oneshot as oneshot;
#[cfg(feature = "ring")]
pub use tidings_ring as ring;

#[cfg(all(doc, feature = "ring"))]
pub mod guide;

/// The programs in the README are tests.
#[cfg(all(doctest, feature = "ring"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
