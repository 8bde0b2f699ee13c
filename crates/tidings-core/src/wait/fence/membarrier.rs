//! The asymmetric pair of Linux.
//!
//! ```text
//! States    MODE: 0 not asked yet · 1 registered · 2 refused
//! I1        1 is stored only after the kernel has registered the process; it is never left again
//! Pairs     none: the registration belongs to the process, a thread that reads a stale 0 registers again (idempotent)
//! Progress  wait-free plus one system call
//! Source    membarrier(2), MEMBARRIER_CMD_PRIVATE_EXPEDITED, Linux 4.14
//! ```

use crate::sync::atomic::{AtomicU32, Ordering};
use core::sync::atomic::compiler_fence;
use core::time::Duration;
use rustix::thread::{MembarrierCommand, membarrier};

static MODE: AtomicU32 = AtomicU32::new(UNKNOWN);
const UNKNOWN: u32 = 0;
const REGISTERED: u32 = 1;
const REFUSED: u32 = 2;

/// Whether the kernel has registered the process; asks it the first time.
#[inline]
pub(in crate::wait) fn is_asymmetric() -> bool {
    // ORDERING: Relaxed; by I1 the word says what the kernel did, no other memory is behind it.
    match MODE.load(Ordering::Relaxed) {
        UNKNOWN => register(),
        mode => mode == REGISTERED,
    }
}

#[cold]
fn register() -> bool {
    let registered = membarrier(MembarrierCommand::RegisterPrivateExpedited).is_ok();
    let mode = if registered { REGISTERED } else { REFUSED };
    // ORDERING: Relaxed, as above; two threads that race store what the kernel told each.
    MODE.store(mode, Ordering::Relaxed);
    registered
}

/// The notifier's side: the compiler keeps program order, the waiter's system call does the rest.
#[inline(always)]
pub(in crate::wait) fn light() {
    compiler_fence(Ordering::SeqCst);
}

/// The waiter's side: when it returns true, every running thread of the process has executed a full fence since the
/// call began, and so has this one.
pub(in crate::wait) fn heavy() -> bool {
    compiler_fence(Ordering::SeqCst);
    let done = membarrier(MembarrierCommand::PrivateExpedited).is_ok();
    compiler_fence(Ordering::SeqCst);
    done
}

/// The kernel registered the process and refuses to fence it now, which only a sandbox entered later does. Outlasts
/// every store buffer, so that notifiers see what the caller has stored and it sees what they had.
#[cold]
pub(in crate::wait) fn settle_refused() {
    // ORDERING: Relaxed, as above: later events are fenced from the start.
    MODE.store(REFUSED, Ordering::Relaxed);
    std::thread::sleep(Duration::from_millis(20));
}
