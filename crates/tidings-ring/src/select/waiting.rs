//! Selecting as a thread, which waits on several events at once through a waker of its own.
//!
//! ```text
//! States  `rung`: whether a waker was woken since the last look
//! Wait    B1 rung := false, Acquire   B2 look at everything, registering   B3 wait until rung
//! Wake    B4 rung := true, Release   B5 wake the thread
//! I1      what became ready before B2 is seen by B2, what does later wakes (by the events' own handshakes), and B3 sees B4
//! Pairs   B4↔B1, B3
//! ```

use super::{Among, Selectable};
// door: a `Waker` is made of this count only.
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};
use tidings_core::{
    sync::atomic::{AtomicBool, Ordering::*},
    wait::{Deadline, Event, WaitStrategy},
};

/// Waits until one of these is ready, and says which, by its index. Where several are, each gets its turn.
///
/// # Progress and cost
/// Nothing is registered while one is ready. Otherwise the thread registers with each, as a task does: from then on the
/// publishers of those rings pay a fence for every message. A wait allocates once.
///
/// # Panics
/// When a strategy or a clone of a waker does; everything is taken back. An empty array does not compile.
///
/// # Examples
/// ```
/// use tidings_ring::{channel, channel_bounded, select};
/// let (mut ticks, subscribable) = channel::<u64>(8);
/// let mut numbers = subscribable.subscribe();
/// let (mut words, subscribable) = channel_bounded::<char>(8, 0);
/// let mut letters = subscribable.subscribe();
///
/// std::thread::scope(|scope| {
///     scope.spawn(move || ticks.publish(7));
///     assert_eq!(select([&letters, &numbers]), 1);
/// });
/// assert_eq!(numbers.try_recv(), Ok(7));
/// words.publish('a');
/// assert_eq!(select([&letters]), 0);
/// assert_eq!(letters.try_recv(), Ok('a'));
/// ```
#[must_use = "it says which is ready"]
pub fn select<const N: usize>(among: [&dyn Selectable; N]) -> usize {
    select_by(among, Deadline::NEVER).expect("it ends only when one is ready")
}

/// [`select`] that gives up after `timeout`; `None` then. `Duration::MAX` is for ever.
#[must_use = "it says which is ready"]
pub fn select_timeout<const N: usize>(
    among: [&dyn Selectable; N],
    timeout: Duration,
) -> Option<usize> {
    select_by(among, Deadline::after(timeout))
}

/// [`select`] that gives up at `deadline`; `None` then. What is ready is found also when the deadline has passed.
#[must_use = "it says which is ready"]
pub fn select_deadline<const N: usize>(
    among: [&dyn Selectable; N],
    deadline: Instant,
) -> Option<usize> {
    select_by(among, Deadline::at(deadline))
}

fn select_by<const N: usize>(among: [&dyn Selectable; N], deadline: Deadline) -> Option<usize> {
    let bell = Arc::new(Bell::new());
    let waker = Waker::from(Arc::clone(&bell));
    let mut cx = Context::from_waker(&waker);
    let mut among = Among::new(among);
    loop {
        bell.hush();
        if let Poll::Ready(index) = among.poll(&mut cx) {
            return Some(index);
        }
        if !bell.wait(deadline) {
            return None;
        }
    }
}

/// What a thread sleeps by while its waker is with several events.
struct Bell {
    rung: AtomicBool,
    event: Event,
}

impl Bell {
    fn new() -> Self {
        Self {
            rung: AtomicBool::new(false),
            event: Event::new(),
        }
    }

    /// B1.
    fn hush(&self) {
        // ORDERING: B1, Acquire pairs with B4.
        self.rung.swap(false, Acquire);
    }

    /// B3; `false` when the deadline passes first.
    fn wait(&self, deadline: Deadline) -> bool {
        // ORDERING: B3, Acquire pairs with B4.
        let look = || self.rung.load(Acquire).then_some(());
        let strategy = WaitStrategy::default();
        self.event.wait_until(&strategy, deadline, look).is_some()
    }
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // ORDERING: B4, Release pairs with B1 and B3.
        self.rung.store(true, Release);
        self.event.notify();
    }
}
