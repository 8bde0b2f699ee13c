//! The one door to atomics, fences, locks, cells, reference counts, and threads of the library's own.
//!
//! For the crates of this workspace; no stability is promised.
//!
//! Shipped code names only what stands here, so that the same source runs three ways:
//!
//! | build | atomics, cells and threads | [`Lock`] | [`spin_loop`], [`yield_now`] |
//! |---|---|---|---|
//! | plain | `core`; threads `std` | std's mutex, poison ignored; a spin lock without `std` | `core`, `std` |
//! | `--cfg loom` | loom's, every interleaving and stale read within bounds is tried | loom's | loom's yield |
//! | `--cfg shuttle` | shuttle's, random schedules | shuttle's | shuttle's yield |
//!
//! [`fence`], [`ordering`] and [`mutant`] carry the name of the protocol step that they implement, as written in the header of
//! the file. Plain builds drop the name. In a model run a test may switch one step off (see `mutation::with`) and
//! must then fail: a model that cannot fail proves nothing.

#[cfg(any(loom, shuttle))]
#[path = "sync/model.rs"]
mod imp;
#[cfg(not(any(loom, shuttle)))]
#[path = "sync/plain.rs"]
mod imp;

#[cfg(not(loom))]
#[path = "sync/cell.rs"]
mod plain_cell;

#[cfg(any(loom, shuttle))]
pub mod mutation;

#[cfg(any(test, not(any(feature = "std", loom, shuttle))))]
mod spin;

mod unique;

pub use imp::{Arc, Lock, LockGuard, fence, mutant, ordering, spin_loop, yield_now};
#[cfg(any(feature = "std", loom))]
pub(crate) use imp::{Condvar, Mutex};
pub use unique::unique_id;

/// Atomic integers and pointers, and their orderings.
pub mod atomic {
    pub use super::imp::atomic::*;
}

/// Threads that the library starts.
#[cfg(any(feature = "std", loom, shuttle))]
pub mod thread {
    pub use super::imp::thread::{Builder, JoinHandle, current};
}

/// Cells whose accesses a model run can see.
pub mod cell {
    pub use super::imp::cell::UnsafeCell;
}
