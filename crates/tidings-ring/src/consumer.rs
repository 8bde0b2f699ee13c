//! Managed threads that feed a handler: what a loop around `recv` needs beside the loop.
//!
//! A [`Consumer`] takes a subscriber of any kind and hands each message to a function, on a thread of its own. It waits as the
//! ring does, so an idle one costs nothing; it ends when the ring does, after the last message, or when it is told to.
//!
//! | | |
//! |---|---|
//! | what is read | in place where the ring can lend it (gating, in-place and value rings), else a validated copy |
//! | done with a message | when the handler returned from it: then the gate moves, and the publisher, and who comes after, may go on |
//! | a batch | what was there when the consumer looked, at most [`batch_limit`](ConsumerBuilder::batch_limit) messages; its last one is marked, see [`Delivery`] |
//! | a panic of the handler | [`PanicPolicy`]; by default the consumer ends, and whoever joins it is told |
//! | the end | [`join`](Consumer::join) gives a [`Report`]: what was received, lost and left |
//! | the handle is dropped | the thread is told to stop, and joined; see [`ConsumerBuilder::on_drop`] |
//!
//! Several consumers in an order: [`Graph`](crate::Graph). Stages that make new messages: [`Pipeline`](crate::Pipeline).

mod attempt;
mod builder;
mod control;
mod delivery;
mod error;
mod feed;
mod handle;
mod hooks;
mod options;
mod report;
mod worker;

pub use builder::ConsumerBuilder;
pub use delivery::{Delivery, Flow};
pub use error::{Halted, JoinTimeoutError};
pub use feed::Feed;
pub use handle::Consumer;
pub use options::{PanicPolicy, Stop};
pub use report::{Outcome, Report, Reports};

pub(crate) use builder::Parts;
pub(crate) use control::Control;
pub(crate) use delivery::Verdict;
