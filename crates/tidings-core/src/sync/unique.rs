//! Numbers that no two objects of a process share.
//!
//! ```text
//! States    one counter; the numbers mean nothing beyond being different
//! I1        a number is handed out once, until the counter of `usize` width wraps
//! Progress  wait-free
//! ```
//!
//! `core`'s counter in every build: it is outside every protocol, and a model could not hold its own in a static.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicUsize, Ordering};

static NEXT: AtomicUsize = AtomicUsize::new(1);

/// A number not handed out before.
pub fn unique_id() -> NonZeroUsize {
    loop {
        // ORDERING: Relaxed; only the atomicity of the addition matters (I1), no data travels with the number.
        if let Some(id) = NonZeroUsize::new(NEXT.fetch_add(1, Ordering::Relaxed)) {
            return id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unique_id;

    #[test]
    fn numbers_differ() {
        assert_ne!(unique_id(), unique_id());
    }
}
