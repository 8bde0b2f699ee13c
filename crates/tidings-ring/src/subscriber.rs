//! The end that receives, on a copying ring: every way to take a message, built on one attempt.

mod drain;
mod gating;
#[cfg(feature = "std")]
mod iter;

pub use drain::Drain;
#[cfg(feature = "std")]
pub use iter::{IntoIter, Iter};

use crate::{
    contract::{Contract, Lossy},
    cursor::Cursor,
    error::TryRecvError,
    future::{RecvFuture, WaitFuture},
    slot::{Payload, Slots},
};
use core::{
    fmt,
    mem::MaybeUninit,
    task::{Context, Poll},
};
use tidings_core::wait::TaskKey;
#[cfg(feature = "std")]
use {
    crate::error::{RecvError, RecvTimeoutError},
    std::time::{Duration, Instant},
    tidings_core::wait::{Deadline, Strategy},
};

/// One subscriber of a copying ring; sees every message from its start on, under its contract.
///
/// | | [`Lossy`] | [`Gating`](crate::Gating) |
/// |---|---|---|
/// | a slow one | loses the oldest messages, and knows how many | holds the publisher back, loses none |
/// | reads | a validated copy | a copy, or the message in place |
/// | dropped | nothing to do | its gate opens at once |
///
/// At every return `total_received() + total_lagged()` is `cursor()` less the first sequence.
pub struct Subscriber<T: 'static, C: Contract = Lossy> {
    cursor: Cursor<Slots<T>, C>,
}

/// Attempts of [`Subscriber::latest`] to copy a message that the publisher keeps overwriting.
const LATEST_ATTEMPTS: usize = 64;

impl<T: Payload, C: Contract> Subscriber<T, C> {
    pub(crate) fn new(cursor: Cursor<Slots<T>, C>) -> Self {
        Self { cursor }
    }

    /// The next message, if it is there. Never waits: wait-free, and one slot is all it looks at.
    ///
    /// # Errors
    /// [`Empty`](TryRecvError::Empty) · [`Lagged`](TryRecvError::Lagged), after which the next call
    /// gives the oldest message retained · [`Closed`](TryRecvError::Closed), after the last message.
    #[inline]
    pub fn try_recv(&mut self) -> Result<T, TryRecvError> {
        self.cursor.receive()
    }

    /// [`try_recv`](Self::try_recv) to where the value is wanted; for a large one that saves a copy.
    /// After an error `place` may hold parts of messages.
    ///
    /// # Errors
    /// As [`try_recv`](Self::try_recv).
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// let (mut publisher, subscribable) = tidings_ring::channel::<[u64; 512]>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// publisher.publish_from(&[7; 512]);
    ///
    /// let mut place = MaybeUninit::uninit();
    /// let message = subscriber.try_recv_into(&mut place)?;
    /// assert_eq!(message[511], 7);
    /// # Ok::<(), tidings_ring::TryRecvError>(())
    /// ```
    #[inline]
    pub fn try_recv_into<'a>(
        &mut self,
        place: &'a mut MaybeUninit<T>,
    ) -> Result<&'a mut T, TryRecvError> {
        self.cursor.receive_to(place)
    }

    /// The next message, waiting for it by the ring's wait strategy. Messages that were lost are
    /// passed over and counted; a lag never ends a loop over `recv`.
    ///
    /// # Errors
    /// [`RecvError`] once every message was received and the publisher is gone.
    #[cfg(feature = "std")]
    #[inline]
    pub fn recv(&mut self) -> Result<T, RecvError> {
        match self.try_recv() {
            Ok(value) => Ok(value),
            Err(error) => self.recv_slow(error),
        }
    }

    #[cfg(feature = "std")]
    #[cold]
    fn recv_slow(&mut self, error: TryRecvError) -> Result<T, RecvError> {
        let strategy = self.cursor.ring.shared.strategy;
        self.recv_from(error, &strategy, Deadline::NEVER)
            .map_err(|_| RecvError)
    }

    /// [`recv`](Self::recv) by a wait strategy of the caller's.
    ///
    /// # Errors
    /// As [`recv`](Self::recv).
    #[cfg(feature = "std")]
    pub fn recv_with(&mut self, strategy: impl Strategy) -> Result<T, RecvError> {
        self.recv_by(&strategy, Deadline::NEVER)
            .map_err(|_| RecvError)
    }

    /// [`recv`](Self::recv) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`RecvTimeoutError`]: the time passed and nothing was lost by it, or the ring ended.
    #[cfg(feature = "std")]
    pub fn recv_timeout(&mut self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        let strategy = self.cursor.ring.shared.strategy;
        self.recv_by(&strategy, Deadline::after(timeout))
    }

    /// [`recv`](Self::recv) that gives up at `deadline`. A message that is there is taken even if
    /// the deadline has passed.
    ///
    /// # Errors
    /// As [`recv_timeout`](Self::recv_timeout).
    #[cfg(feature = "std")]
    pub fn recv_deadline(&mut self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        let strategy = self.cursor.ring.shared.strategy;
        self.recv_by(&strategy, Deadline::at(deadline))
    }

    #[cfg(feature = "std")]
    fn recv_by(
        &mut self,
        strategy: &impl Strategy,
        deadline: Deadline,
    ) -> Result<T, RecvTimeoutError> {
        match self.try_recv() {
            Ok(value) => Ok(value),
            Err(error) => self.recv_from(error, strategy, deadline),
        }
    }

    /// Goes on from a first attempt that failed.
    #[cfg(feature = "std")]
    fn recv_from(
        &mut self,
        mut error: TryRecvError,
        strategy: &impl Strategy,
        deadline: Deadline,
    ) -> Result<T, RecvTimeoutError> {
        loop {
            match error {
                TryRecvError::Closed => return Err(RecvTimeoutError::Closed),
                TryRecvError::Lagged { .. } => {}
                TryRecvError::Empty => {
                    if !self.cursor.wait(strategy, deadline) {
                        return Err(RecvTimeoutError::Timeout);
                    }
                }
            }
            match self.try_recv() {
                Ok(value) => return Ok(value),
                Err(again) => error = again,
            }
        }
    }

    /// The task's form of [`recv`](Self::recv), on any runtime. A waiting task costs nothing.
    ///
    /// # Errors
    /// As [`recv`](Self::recv).
    ///
    /// # Cancel safety
    /// Dropping the future loses no message: one is taken only when it is returned.
    pub fn recv_async(&mut self) -> RecvFuture<'_, T, C> {
        RecvFuture::new(self)
    }

    /// Waits until [`try_recv`](Self::try_recv) has an answer other than `Empty`: a message, a lag to
    /// report, or the end. With this a loop can wait and still be told of each lag.
    #[cfg(feature = "std")]
    pub fn wait(&self) {
        self.cursor
            .wait(&self.cursor.ring.shared.strategy, Deadline::NEVER);
    }

    /// [`wait`](Self::wait) that gives up after `timeout`; `false` then.
    #[cfg(feature = "std")]
    #[must_use = "it says whether there is anything to receive"]
    pub fn wait_timeout(&self, timeout: Duration) -> bool {
        self.cursor
            .wait(&self.cursor.ring.shared.strategy, Deadline::after(timeout))
    }

    /// [`wait`](Self::wait) that gives up at `deadline`; `false` then.
    #[cfg(feature = "std")]
    #[must_use = "it says whether there is anything to receive"]
    pub fn wait_deadline(&self, deadline: Instant) -> bool {
        self.cursor
            .wait(&self.cursor.ring.shared.strategy, Deadline::at(deadline))
    }

    /// The task's form of [`wait`](Self::wait).
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing.
    pub fn wait_async(&self) -> WaitFuture<'_, T, C> {
        WaitFuture::new(self)
    }

    /// Takes what is there, up to the length of `buffer`, and returns how many messages that were.
    /// Never waits; lost messages are passed over and counted.
    pub fn recv_batch(&mut self, buffer: &mut [T]) -> usize {
        let mut filled = 0;
        for (place, value) in buffer.iter_mut().zip(self.drain()) {
            *place = value;
            filled += 1;
        }
        filled
    }

    /// An iterator over what is there; ends when the ring is empty, without waiting. Lost messages
    /// are passed over and counted.
    pub fn drain(&mut self) -> Drain<'_, T, C> {
        Drain::new(self)
    }

    /// An iterator that waits for each message and ends when the publisher is gone.
    #[cfg(feature = "std")]
    pub fn iter(&mut self) -> Iter<'_, T, C> {
        Iter::new(self)
    }

    /// The newest message not yet received; older unread ones are passed over, and counted as
    /// lagged. `None` when there is no unread message, or when the publisher overwrote it under
    /// this call 64 times in a row.
    pub fn latest(&mut self) -> Option<T> {
        for _ in 0..LATEST_ATTEMPTS {
            let newest = self.cursor.ring.shared.published().before(1);
            if self.cursor.place.sequence.is_before(newest) {
                self.cursor.pass_over(newest);
            }
            match self.try_recv() {
                Ok(value) => return Some(value),
                Err(TryRecvError::Lagged { .. }) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            }
        }
        None
    }

    /// Another subscriber under the same contract that starts at this one's cursor, with counts of
    /// its own.
    #[must_use]
    pub fn resubscribe(&self) -> Self {
        Self::new(self.cursor.twin())
    }

    /// The step of [`RecvFuture`].
    pub(crate) fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.cursor.poll_ready(key, cx)
    }
}

impl<T, C: Contract> Subscriber<T, C> {
    pub(crate) fn cancel(&self, key: &mut TaskKey) {
        self.cursor.ring.shared.ready.cancel(key);
    }

    /// Messages published and not yet received, at most the capacity; an instant later there may be
    /// more. On a lossy subscriber that is behind by more, the rest is lost already.
    pub fn pending(&self) -> u64 {
        self.cursor.pending()
    }

    /// The sequence of the message to receive next.
    pub fn cursor(&self) -> u64 {
        self.cursor.place.sequence.get()
    }

    /// Messages received.
    pub fn total_received(&self) -> u64 {
        self.cursor.received()
    }

    /// Messages that were not received and no longer will be.
    pub fn total_lagged(&self) -> u64 {
        self.cursor.lagged()
    }

    /// Received messages as a share of those received or lost, from 0 to 1; 1 before the first.
    pub fn receive_ratio(&self) -> f64 {
        let received = self.total_received() as f64;
        let all = received + self.total_lagged() as f64;
        if all == 0.0 { 1.0 } else { received / all }
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.cursor.ring.shared.capacity
    }

    /// Whether the publisher is gone. There may still be messages to receive.
    pub fn is_closed(&self) -> bool {
        self.cursor.ring.shared.is_closed()
    }
}

impl<T, C: Contract> fmt::Debug for Subscriber<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cursor.fmt("Subscriber", f)
    }
}
