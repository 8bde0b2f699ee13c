//! A broadcast ring: one publisher or many, any number of subscribers, and every subscriber sees every
//! message under a contract of its own.
//!
//! | you have | use | many publishers | subscribers |
//! |---|---|---|---|
//! | plain data, and nobody may slow a publisher | [`channel`] | [`channel_mpmc`] | lossy: they know exactly what they lost |
//! | plain data, and nothing may be lost | [`channel_bounded`] | [`channel_mpmc_bounded`] | gating, and lossy ones beside them |
//! | any type, edited and read in place | [`event_channel`] | [`event_channel_mpmc`] | gating |
//! | values of any type, and nobody may slow a publisher | | [`value_channel`] | lossy: they borrow, or clone |
//! | anything else to say | [`Builder`] | | |
//!
//! # Contracts
//!
//! A [`Gating`] subscriber loses nothing: the publisher waits when the ring is full of messages that
//! it has not read. A [`Lossy`] one never slows anybody: what it did not read in time is overwritten,
//! and [`TryRecvError::Lagged`] and [`Subscriber::total_lagged`] say exactly how many messages that
//! were. Either may come and go while the ring runs.
//!
//! # Ends
//!
//! | what happens | what the other side sees |
//! |---|---|
//! | the publisher, or the last of many, is dropped, also by a panic | subscribers receive the rest, then `Closed`, for ever |
//! | an edit on a ring of many publishers panics, a claim is dropped | subscribers pass over those places, and count them |
//! | a gating subscriber is dropped, also by a panic | its gate opens at once; a waiting publisher goes on |
//! | the last gating subscriber goes | the publisher goes on as on a lossy ring |
//! | a gating subscriber is leaked | it holds the publisher back for good |
//! | a [`Ref`] is leaked | its message stays unread: the next call lends it again |
//! | a future is dropped | nothing was received or published by it, its waker is gone |
//!
//! # Payloads
//!
//! A copying ring carries any [`Payload`]: `Copy + Send` data without padding bytes. For structs and enums of your own
//! derive `Payload` (crate `tidings`, feature `macros`) or [`NoUninit`] (feature `derive`, with `#[repr(C)]`, and with
//! `#[bytemuck(crate = "tidings::ring::bytemuck")]` unless you depend on `bytemuck` yourself). What is not plain data but
//! has a fixed size goes as its twin: [`Wire`]. Messages are plain data, so a slot that is not read any more holds
//! nothing alive. Values of an in-place ring live as long as the ring.
//!
//! # Waiting
//!
//! Waiting for a message, or for room for one, has a form that does not (`try_`), one with a deadline, and one for tasks
//! (`_async`), which runs on any executor; batches are published in a `try_` and a waiting form, and received without waiting. How threads wait is a [`WaitStrategy`]; the
//! default spins for a moment if a core is free for that, yields, then sleeps. For several rings at once there is a [`Selector`].

#![cfg_attr(not(feature = "std"), no_std)]
// Where no thread can wait, links to what waits lead nowhere.
#![cfg_attr(not(feature = "std"), allow(rustdoc::broken_intra_doc_links))]

extern crate alloc;

#[cfg(not(target_has_atomic = "64"))]
compile_error!("tidings-ring needs a target with 64-bit atomics");

mod builder;
mod cell;
mod claim;
#[cfg(feature = "std")]
pub mod consumer;
mod contract;
mod cursor;
mod error;
mod event;
mod future;
mod gate;
#[cfg(feature = "std")]
pub mod graph;
#[cfg(feature = "latency")]
pub mod latency;
#[doc(hidden)]
pub mod layout;
mod lend;
mod metrics;
mod observe;
#[cfg(feature = "std")]
pub mod pipeline;
#[cfg(feature = "platform")]
pub mod platform;
mod publisher;
mod ring;
mod select;
mod shared;
mod shutdown;
mod slot;
mod stamp;
#[cfg(feature = "stream")]
mod stream;
mod subscribable;
mod subscriber;
#[cfg(feature = "platform")]
mod sys;
#[cfg(feature = "std")]
mod topics;
mod trace;
mod turn;
mod upstream;
mod value;
mod wire;

pub use builder::{
    Builder, channel, channel_bounded, channel_mpmc, channel_mpmc_bounded, event_channel,
    event_channel_mpmc, value_channel,
};
#[doc(no_inline)]
pub use bytemuck::{self, NoUninit};
pub use cell::lent::Ref;
pub use claim::claimed::{Claimed, EventClaimed};
#[cfg(feature = "std")]
pub use consumer::Consumer;
pub use contract::{After, Contract, Gating, GatingContract, Lossy, Tracked};
#[cfg(feature = "stream")]
pub use error::Lagged;
pub use error::{
    BuildError, ClaimError, ClaimTimeoutError, PublishTimeoutError, RecvError, RecvTimeoutError,
    SubscribeError, TryClaimError, TryPublishError, TryRecvError,
};
pub use event::{
    EventPublishFuture, EventPublisher, EventSubscribable, EventSubscriber, MpEventPublishFuture,
    MpEventPublisher,
};
pub use future::{PublishFuture, RecvFuture, WaitFuture};
#[cfg(feature = "std")]
pub use graph::Graph;
pub use lend::RecvRefFuture;
pub use metrics::{PublisherMetrics, SubscriberChange, SubscriberMetrics};
pub use observe::{ObservedContract, ObservedSubscriber, Observer, SubscriberId, SubscriberState};
#[cfg(feature = "std")]
pub use pipeline::Pipeline;
pub use publisher::{MpPublishFuture, MpPublisher, Publisher};
pub use select::{
    SelectError, SelectFuture, SelectListFuture, SelectTimeoutError, Selectable, Selector,
    select_async,
};
#[cfg(feature = "std")]
pub use select::{select, select_deadline, select_timeout};
pub use shutdown::{Shutdown, ShutdownFuture};
pub use slot::Payload;
#[cfg(feature = "stream")]
pub use stream::{LagStream, PublishSink, RecvStream, ValueLagStream, ValueStream};
pub use subscribable::Subscribable;
pub use subscriber::{Drain, Subscriber};
#[cfg(feature = "std")]
pub use subscriber::{IntoIter, Iter};
pub use tidings_core::wait::{Next, Spins, Strategy, WaitStrategy};
#[cfg(feature = "std")]
pub use topics::{
    AnyTopics, TopicError, TopicInfo, TopicMode, TopicOptions, TopicPublisher, Topics,
};
pub use upstream::Upstream;
pub use value::{
    ValuePublishFuture, ValuePublisher, ValueRecvFuture, ValueRecvRefFuture, ValueRef,
    ValueSubscribable, ValueSubscriber, ValueWaitFuture,
};
pub use wire::{Wire, WireBody, WireError, WireFault, WireOption, WirePair};

/// The program in the README is a test.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
