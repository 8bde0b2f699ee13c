//! One-to-many messaging for Rust: **say it once, everyone who asked hears it.**
//!
//! | you want to | look at |
//! |---|---|
//! | tell one value to many, threads or tasks, early or late | [`oneshot::Announcement`] |
//! | the same in a `static` or a field | [`oneshot::StaticAnnouncement`] |
//! | let several say it, of whom the first wins | [`oneshot::SharedAnnouncer`] |
//! | choose among its handles, and know how each wait ends | [`guide::one_value_to_many`] |
//! | stream values to many subscribers, none of which may slow the publisher | [`ring::channel`] |
//! | stream values to subscribers that must not lose one | [`ring::channel_bounded`] |
//! | the same with values of any type, edited and read in place | [`ring::event_channel`] |
//! | choose among the rings, and their numbers | [`guide::choosing_a_ring`] |
//! | make a type of your own a message | [`guide::payloads`] |
//! | know what exactly a ring delivers, and when it ends | [`guide::delivery`] |
//! | wait without burning a core, on threads or tasks | [`guide::waiting`] |
//! | build something of the kind yourself | [`wait::Event`], [`wait::Latch`], [`Sequence`], [`CachePadded`] |
//!
//! The command `tidings` brings the same to a shell.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `std` | yes | waiting threads, deadlines; without it the crate is `no_std` and needs `alloc` |
//! | `oneshot` | yes | [`oneshot`] |
//! | `ring` | yes | [`ring`] |
//! | `macros` | yes | `#[derive(Payload)]` and `#[derive(Wire)]` for messages of your own |
//! | `derive` | no | `bytemuck`'s `#[derive(NoUninit)]`, which takes plain data too; not needed for the above |
//! | `serde` | no | `Serialize` and `Deserialize` for errors and states of the one-shot |
//! | `stream` | no | a subscriber as a `Stream`, a publisher as a `Sink`; `FusedFuture` for the one-shot's futures, a listener as a `Stream` |
//! | `tracing` | no | events on cold paths: a channel made, announced, closed; a ring made, closed, full, a subscriber that comes, goes, or loses |
//! | `latency` | no | `ring::latency`: histograms of the time that messages take |
//! | `platform` | no | `ring::platform`: pinned threads, huge pages and more under the slots |

#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use tidings_core::{Backoff, CachePadded, Sequence, wait};
#[cfg(feature = "oneshot")]
#[doc(inline)]
pub use tidings_oneshot as oneshot;
#[cfg(feature = "ring")]
pub mod ring;

#[cfg(all(doc, any(feature = "oneshot", feature = "ring")))]
pub mod guide;

/// The programs in the README are tests.
#[cfg(all(doctest, feature = "oneshot", feature = "ring"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// And so are those of the pages for people who come from elsewhere.
#[cfg(all(doctest, feature = "oneshot"))]
#[doc = include_str!("../../../docs/migration/announcement.md")]
struct FromAnnouncement;

/// See above.
#[cfg(all(doctest, feature = "ring"))]
#[doc = include_str!("../../../docs/migration/photon-ring.md")]
struct FromPhotonRing;

/// See above.
#[cfg(all(doctest, feature = "ring"))]
#[doc = include_str!("../../../docs/migration/disruptor.md")]
struct FromDisruptor;
