//! One file a rival of the ring, and ours: each in its best fair mode under the contract of the row. `channels` makes
//! engines of those that are queues; `alternating` and `gathered` are ways of using any of them.

pub mod alternating;
pub mod async_broadcast;
pub mod bus;
pub mod cells;
pub mod channels;
pub mod crossbeam;
pub mod disruptor;
pub mod flume;
pub mod gathered;
pub mod photon;
pub mod tidings;
pub mod tokio;
