//! Rings by name: a bus of topics, each a ring that is made when it is first asked for.
//!
//! The table of names is in any.rs; a topic in entry.rs; a publisher that is lent in home.rs; wakers that panic in
//! quiet.rs.

mod any;
mod bus;
mod entry;
mod error;
mod home;
mod options;
mod quiet;

pub use any::AnyTopics;
pub use bus::Topics;
pub use error::TopicError;
pub use home::TopicPublisher;
pub use options::{TopicInfo, TopicMode, TopicOptions};
