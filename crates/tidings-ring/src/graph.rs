//! Consumers of one ring in an order: each handles a message when those it comes after have done with it.
//!
//! ```text
//! publisher ──▶ ring ──▶ journal ───┬──▶ reply       journal and replica see every message at once,
//!                  └───▶ replica ───┘                reply sees it when both have handled it
//! ```
//!
//! A [`Graph`] is made of named nodes, each a [`Consumer`](crate::Consumer) with a thread of its own: a chain, a branch, a join,
//! a diamond. What a node did with a message happens before the nodes after it see that message. Nodes may join and leave while
//! the ring runs; one that joins sees an unbroken run of messages from the next one on. Only the last nodes, which nobody comes
//! after, hold the publisher back.
//!
//! | a node | those after it |
//! |---|---|
//! | has not handled a message yet | wait for it, asleep as the ring's wait strategy says |
//! | panics ([`PanicPolicy::Halt`](crate::consumer::PanicPolicy::Halt)) | handle what it had handled, then end, with an outcome that names it |
//! | the same, seen by the nodes beside it, those before it and the publisher | they go on; [`is_healthy`](Graph::is_healthy) tells who looks after the graph |
//! | panics ([`Detach`](crate::consumer::PanicPolicy::Detach)) | go on as if it had never been there |
//! | stops, or is [detached](Graph::detach) | go on without it |
//! | is shut down with the graph | end where it ends, or before |

mod attach;
mod error;
mod handle;
mod node;
mod ring;

pub use attach::NodeBuilder;
pub use error::AttachError;
pub use handle::Graph;
pub use node::Node;
pub use ring::GraphRing;
