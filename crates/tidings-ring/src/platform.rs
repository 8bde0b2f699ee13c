//! Cores, and the memory under the slots: what a system can be asked for, and what came of it.
//!
//! Linux does all of it. Elsewhere every request is answered with [`PlatformError::Unsupported`]; nothing fails but the request.

mod memory;

pub use memory::{HugePages, Memory, MemoryReport, Outcome};

use crate::sys;
use core::{error::Error, fmt};
use std::vec::Vec;

/// A core that the system can run a thread on, by the system's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CoreId(usize);

impl CoreId {
    /// The core of this number; whether there is one is found when it is used.
    #[must_use]
    pub const fn new(number: usize) -> Self {
        Self(number)
    }

    /// The system's number.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0
    }
}

impl fmt::Display for CoreId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "core {}", self.0)
    }
}

/// The cores that this thread may run on, in order.
///
/// # Errors
/// [`PlatformError`] when the system does not tell.
pub fn available_cores() -> Result<Vec<CoreId>, PlatformError> {
    Ok(sys::affinity()?.into_iter().map(CoreId).collect())
}

/// Keeps this thread on one core, from now on.
///
/// # Errors
/// [`PlatformError`] when there is no such core, or this process may not use it.
///
/// # Examples
/// ```
/// use tidings_ring::platform::{available_cores, pin_current_thread};
/// match available_cores() {
///     Ok(cores) => pin_current_thread(cores[0])?,
///     Err(error) => println!("threads stay where the system puts them: {error}"),
/// }
/// # Ok::<(), tidings_ring::platform::PlatformError>(())
/// ```
pub fn pin_current_thread(core: CoreId) -> Result<(), PlatformError> {
    sys::set_affinity(core.0)
}

/// Why the system did not do what was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlatformError {
    /// Not on this system.
    Unsupported,
    /// The system refused, with this number (`errno`).
    Os(i32),
}

impl fmt::Display for PlatformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => f.write_str("not supported on this system"),
            Self::Os(number) => std::io::Error::from_raw_os_error(*number).fmt(f),
        }
    }
}

impl Error for PlatformError {}
