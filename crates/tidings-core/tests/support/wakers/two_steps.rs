//! Opening a latch in two steps, behind a safe door: who reserves it opens it, and nobody else can.
#![allow(unsafe_code, reason = "a latch trusts whoever reserved it")]

use tidings_core::wait::Latch;

/// Reserves the latch, does something, opens it; `false`, and nothing done, when somebody else has it.
pub fn open_in_two_steps(latch: &Latch, code: u32, between: impl FnOnce()) -> bool {
    let won = latch.reserve();
    if won {
        between();
        // SAFETY: it was reserved above, and is opened once.
        unsafe { latch.open_reserved(code) };
    }
    won
}
