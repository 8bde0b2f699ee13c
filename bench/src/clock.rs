//! Wall time and CPU time of the part of a round that counts.

use std::time::{Duration, Instant};

use crate::sys::Usage;

/// A running measurement.
pub struct Clock {
    usage: Usage,
    /// When it began.
    pub begin: Instant,
}

/// What a measurement found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Wall time.
    pub wall: Duration,
    /// CPU time and context switches of the whole process in that time.
    pub usage: Usage,
}

impl Clock {
    /// Begins; wall time is taken last, so the kernel's answer is not in it.
    pub fn start() -> Self {
        let usage = Usage::now();
        Self {
            usage,
            begin: Instant::now(),
        }
    }

    /// Ends now.
    pub fn stop(self) -> Spent {
        let wall = self.begin.elapsed();
        Spent {
            wall,
            usage: Usage::now().since(self.usage),
        }
    }

    /// Ends at the moment the last consumer had its last message; how that was told is not in the time.
    pub fn stop_at(self, end: Instant) -> Spent {
        Spent {
            wall: end.saturating_duration_since(self.begin),
            usage: Usage::now().since(self.usage),
        }
    }
}
