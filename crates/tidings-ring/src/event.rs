//! The handles of an in-place ring.

mod publisher;
mod subscriber;

pub use publisher::{
    EventPublishFuture, EventPublisher,
    many::{MpEventPublishFuture, MpEventPublisher},
};
pub use subscriber::{EventSubscribable, EventSubscriber};
