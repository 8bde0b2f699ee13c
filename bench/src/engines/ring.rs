//! One file a rival of the ring, and ours: each in its best fair mode under the contract of the row.

pub mod async_broadcast;
pub mod bus;
pub mod crossbeam;
pub mod disruptor;
pub mod flume;
pub mod photon;
pub mod tidings;
pub mod tokio;
