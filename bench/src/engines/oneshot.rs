//! One file a rival of the one-shot broadcast, and ours: each in its best fair mode for the row.

mod announcement;
mod async_broadcast;
mod condvar;
mod shared;
mod signals;
mod tidings;
mod tokio;

pub use announcement::Announcement;
pub use async_broadcast::AsyncBroadcast;
pub use condvar::Monitor;
pub use shared::SharedFuture;
pub use signals::{Cancellation, Triggered};
pub use tidings::{Tidings, TidingsBorrow, TidingsBulk, TidingsKept};
pub use tokio::{Broadcast, Oneshots, SetOnce, Watch, multishot_by_ring};
