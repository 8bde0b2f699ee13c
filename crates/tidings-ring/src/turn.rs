//! Letting other tasks run, although there is a message.
//!
//! A runtime cannot take its thread from a task; it runs another one when a future is pending. While messages are there those of
//! a subscriber are ready, so a task that reads a ring which is never empty would keep its thread for good, from timers too,
//! also from the one of a timeout around it. Therefore every subscriber counts, and once in a while it has its task give way.
//!
//! Publishers do not count: how much a task publishes is that task's decision, and with subscribers that gate it comes to an end.

use core::task::Context;
use tidings_core::sync::atomic::{AtomicU32, Ordering::*};

/// Answers that the futures and streams of one subscriber give in a row.
const ANSWERS: u32 = 128;

/// The turn of a subscriber's task.
#[derive(Default)]
pub(crate) struct Turn {
    /// Polls since its task last gave way.
    polls: AtomicU32,
}

impl Turn {
    /// Counts a poll. Every [`ANSWERS`] it is over: then its task is woken, and should be pending.
    #[inline]
    pub(crate) fn is_over(&self, cx: &Context<'_>) -> bool {
        // ORDERING: Relaxed: nothing depends on the number. A count that is lost to another thread's makes the turn longer.
        let polls = self.polls.load(Relaxed);
        if polls == ANSWERS {
            self.pass(cx);
            return true;
        }
        self.polls.store(polls + 1, Relaxed);
        false
    }

    #[cold]
    fn pass(&self, cx: &Context<'_>) {
        self.start_over();
        cx.waker().wake_by_ref();
    }

    /// The task gives way by itself.
    #[inline]
    pub(crate) fn start_over(&self) {
        // ORDERING: Relaxed: as above.
        self.polls.store(0, Relaxed);
    }
}
