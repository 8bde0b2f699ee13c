//! The one door to system calls of this crate.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod none;

#[cfg(target_os = "linux")]
pub(crate) use linux::{Mapping, affinity, set_affinity};
#[cfg(not(target_os = "linux"))]
pub(crate) use none::{Mapping, affinity, set_affinity};
