//! A word that ends threads and tasks.
//!
//! ```text
//! States  `triggered`: false, then true for good
//! Trigger S1 triggered := true, Release   S2 wake
//! Look    S3 triggered? Acquire
//! Pairs   S1↔S3; who waits looks again after it has registered, by the handshake inside `Event`
//! Progress  looking is wait-free, triggering too while nobody waits
//! ```

use crate::turn::Turn;
use core::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use tidings_core::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::*},
        mutant, ordering,
    },
    wait::{Event, TaskKey},
};
#[cfg(feature = "std")]
use {
    std::time::{Duration, Instant},
    tidings_core::wait::{Deadline, WaitStrategy},
};

/// Tells any number of threads and tasks to end, once; clones are handles of the same word.
///
/// Triggering is for good, and whatever was done before it happens before what those do who see it. A thread or task can look
/// now and then, wait for it, or select, with a [`Selector`](crate::Selector), between it and a ring.
///
/// # Progress and cost
/// A look is one load. Triggering is a store, and a fence where somebody has waited as a task; it wakes all threads by one system
/// call, and each task.
///
/// # Panics
/// When the waker of a task does, in [`trigger`](Self::trigger): the word is said by then, and everybody else is woken first.
///
/// # Examples
/// ```
/// use tidings_ring::{Shutdown, channel, select};
/// let (mut publisher, subscribable) = channel::<u64>(8);
/// let mut subscriber = subscribable.subscribe();
/// let shutdown = Shutdown::new();
/// let worker = std::thread::spawn({
///     let shutdown = shutdown.clone();
///     move || {
///         let mut sum = 0;
///         loop {
///             match select([&shutdown, &subscriber]) {
///                 0 => return sum + subscriber.drain().sum::<u64>(),
///                 _ => sum += subscriber.try_recv().unwrap_or(0),
///             }
///         }
///     }
/// });
/// publisher.publish_batch(&[1, 2, 3]);
/// shutdown.trigger();
/// assert_eq!(worker.join().unwrap(), 6);
/// ```
#[derive(Clone, Default)]
pub struct Shutdown(Arc<Inner>);

#[derive(Default)]
struct Inner {
    triggered: AtomicBool,
    event: Event,
    /// Of tasks that select from it although it was triggered.
    turn: Turn,
}

impl Shutdown {
    /// A word that was not said yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Says it. Wakes everybody who waits; a second time does nothing.
    pub fn trigger(&self) {
        // ORDERING: S1, Release pairs with S3.
        self.0
            .triggered
            .store(true, ordering("shutdown S1", Release));
        if !mutant("shutdown S2") {
            self.0.event.notify();
        }
    }

    /// Whether it was said.
    #[inline]
    #[must_use]
    pub fn is_shutdown(&self) -> bool {
        // ORDERING: S3, Acquire pairs with S1.
        self.0.triggered.load(ordering("shutdown S3", Acquire))
    }

    fn look(&self) -> Option<()> {
        self.is_shutdown().then_some(())
    }

    /// Waits until it is said.
    #[cfg(feature = "std")]
    pub fn wait(&self) {
        self.wait_by(Deadline::NEVER);
    }

    /// [`wait`](Self::wait) that gives up after `timeout`; `false` then. `Duration::MAX` is for ever.
    #[cfg(feature = "std")]
    #[must_use = "it says whether it is time to end"]
    pub fn wait_timeout(&self, timeout: Duration) -> bool {
        self.wait_by(Deadline::after(timeout))
    }

    /// [`wait`](Self::wait) that gives up at `deadline`; `false` then.
    #[cfg(feature = "std")]
    #[must_use = "it says whether it is time to end"]
    pub fn wait_deadline(&self, deadline: Instant) -> bool {
        self.wait_by(Deadline::at(deadline))
    }

    #[cfg(feature = "std")]
    fn wait_by(&self, deadline: Deadline) -> bool {
        let strategy = WaitStrategy::Park;
        let said = self.0.event.wait_until(&strategy, deadline, || self.look());
        said.is_some()
    }

    /// The task's form of `wait`, on any runtime.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing; it may be polled again after it was ready.
    pub fn wait_async(&self) -> ShutdownFuture<'_> {
        ShutdownFuture {
            shutdown: self,
            key: TaskKey::default(),
        }
    }

    pub(crate) fn poll(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.0.event.poll_until(key, cx, || self.look())
    }

    pub(crate) fn cancel(&self, key: &mut TaskKey) {
        self.0.event.cancel(key);
    }

    pub(crate) fn is_turn_over(&self, cx: &Context<'_>) -> bool {
        self.0.turn.is_over(cx)
    }
}

impl fmt::Debug for Shutdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shutdown")
            .field("is_shutdown", &self.is_shutdown())
            .finish()
    }
}

/// Waits for a [`Shutdown`]; see [`Shutdown::wait_async`].
#[must_use = "futures do nothing unless polled"]
pub struct ShutdownFuture<'a> {
    shutdown: &'a Shutdown,
    key: TaskKey,
}

impl Future for ShutdownFuture<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self { shutdown, key } = self.get_mut();
        shutdown.poll(key, cx)
    }
}

impl Drop for ShutdownFuture<'_> {
    fn drop(&mut self) {
        self.shutdown.cancel(&mut self.key);
    }
}

impl fmt::Debug for ShutdownFuture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShutdownFuture")
            .field("shutdown", self.shutdown)
            .finish_non_exhaustive()
    }
}
