//! Waiting for a message, as a thread. Every form is one attempt, and a wait for the next one to succeed.

use super::Subscriber;
use crate::{
    cell::lent::Ref,
    contract::{Contract, GatingContract},
    error::{RecvError, RecvTimeoutError, TryRecvError},
    slot::Payload,
};
use std::time::{Duration, Instant};
use tidings_core::wait::{Deadline, Strategy};

impl<T: Payload, C: Contract> Subscriber<T, C> {
    /// The next message, waiting for it by the ring's wait strategy. Messages that were lost are
    /// passed over and counted; a lag never ends a loop over `recv`.
    ///
    /// # Errors
    /// [`RecvError`] once every message was received and the publisher is gone.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::channel::<u64>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// std::thread::spawn(move || publisher.publish(1));
    /// assert_eq!(subscriber.recv(), Ok(1));
    /// assert!(subscriber.recv().is_err(), "the publisher is gone");
    /// ```
    #[inline]
    pub fn recv(&mut self) -> Result<T, RecvError> {
        match self.try_recv() {
            Ok(value) => Ok(value),
            Err(error) => self.recv_slow(error),
        }
    }

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
    pub fn recv_with(&mut self, strategy: impl Strategy) -> Result<T, RecvError> {
        self.recv_by(&strategy, Deadline::NEVER)
            .map_err(|_| RecvError)
    }

    /// [`recv`](Self::recv) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`RecvTimeoutError`]: the time passed (messages overwritten meanwhile are counted), or the ring
    /// ended.
    pub fn recv_timeout(&mut self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        let strategy = self.cursor.ring.shared.strategy;
        self.recv_by(&strategy, Deadline::after(timeout))
    }

    /// [`recv`](Self::recv) that gives up at `deadline`. A message that is there is taken even if
    /// the deadline has passed.
    ///
    /// # Errors
    /// As [`recv_timeout`](Self::recv_timeout).
    pub fn recv_deadline(&mut self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        let strategy = self.cursor.ring.shared.strategy;
        self.recv_by(&strategy, Deadline::at(deadline))
    }

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
    fn recv_from(
        &mut self,
        mut error: TryRecvError,
        strategy: &impl Strategy,
        deadline: Deadline,
    ) -> Result<T, RecvTimeoutError> {
        let mut late = false;
        loop {
            match error {
                TryRecvError::Closed => return Err(RecvTimeoutError::Closed),
                // A publisher that overtakes every attempt must not hold this past its deadline; one
                // more attempt finds a message when the publisher stands still.
                TryRecvError::Lagged { .. } if late => return Err(RecvTimeoutError::Timeout),
                TryRecvError::Empty if !self.cursor.wait(strategy, deadline) => {
                    return Err(RecvTimeoutError::Timeout);
                }
                TryRecvError::Lagged { .. } => late = deadline.has_passed(),
                TryRecvError::Empty => {}
            }
            match self.try_recv() {
                Ok(value) => return Ok(value),
                Err(again) => error = again,
            }
        }
    }

    /// Waits until [`try_recv`](Self::try_recv) has an answer other than `Empty`: a message, a lag to
    /// report, or the end. With this a loop can wait and still be told of each lag.
    ///
    /// What one of many publishers gave up ends the wait too: the next receive passes over it, which makes room for the
    /// publishers, and may then find the subscriber [`Empty`](crate::TryRecvError::Empty).
    pub fn wait(&self) {
        self.cursor
            .wait(&self.cursor.ring.shared.strategy, Deadline::NEVER);
    }

    /// [`wait`](Self::wait) that gives up after `timeout`; `false` then.
    #[must_use = "it says whether there is anything to receive"]
    pub fn wait_timeout(&self, timeout: Duration) -> bool {
        self.cursor
            .wait(&self.cursor.ring.shared.strategy, Deadline::after(timeout))
    }

    /// [`wait`](Self::wait) that gives up at `deadline`; `false` then.
    #[must_use = "it says whether there is anything to receive"]
    pub fn wait_deadline(&self, deadline: Instant) -> bool {
        self.cursor
            .wait(&self.cursor.ring.shared.strategy, Deadline::at(deadline))
    }
}

impl<T: Payload + Sync, C: GatingContract> Subscriber<T, C> {
    /// [`try_recv_ref`](Self::try_recv_ref) that waits by the ring's wait strategy.
    ///
    /// # Errors
    /// [`RecvError`] once every message was received and the publisher is gone.
    pub fn recv_ref(&mut self) -> Result<Ref<'_, T>, RecvError> {
        self.cursor.lend_by(Deadline::NEVER).map_err(|_| RecvError)
    }

    /// [`recv_ref`](Self::recv_ref) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`RecvTimeoutError`]: the time passed, or the ring ended.
    pub fn recv_ref_timeout(&mut self, timeout: Duration) -> Result<Ref<'_, T>, RecvTimeoutError> {
        self.cursor.lend_by(Deadline::after(timeout))
    }

    /// [`recv_ref`](Self::recv_ref) that gives up at `deadline`.
    ///
    /// # Errors
    /// As [`recv_ref_timeout`](Self::recv_ref_timeout).
    pub fn recv_ref_deadline(&mut self, deadline: Instant) -> Result<Ref<'_, T>, RecvTimeoutError> {
        self.cursor.lend_by(Deadline::at(deadline))
    }
}
