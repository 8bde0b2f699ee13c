//! Lossy rings of values of any type: each message is a value on the heap, which subscribers borrow or clone.

mod cell;
mod future;
mod publisher;
mod subscriber;

pub use cell::lent::ValueRef;
pub use future::{ValueRecvFuture, ValueRecvRefFuture, ValueWaitFuture};
pub use publisher::{ValuePublishFuture, ValuePublisher};
pub use subscriber::{ValueSubscribable, ValueSubscriber};

pub(crate) use cell::Values;
