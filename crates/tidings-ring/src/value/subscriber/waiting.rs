//! Waiting for a message, as a thread. Every form waits until there is something to receive, then takes it.

use super::ValueSubscriber;
use crate::{
    error::{RecvError, RecvTimeoutError, TryRecvError},
    value::ValueRef,
};
use std::time::{Duration, Instant};
use tidings_core::wait::{Deadline, Strategy};

impl<T: Send + Sync + 'static> ValueSubscriber<T> {
    /// [`try_recv_ref`](Self::try_recv_ref) that waits by the ring's wait strategy. Lost messages are passed over and counted.
    ///
    /// # Errors
    /// [`RecvError`] once every message was received and every publisher is gone.
    pub fn recv_ref(&mut self) -> Result<ValueRef<'_, T>, RecvError> {
        self.lend_by(Deadline::NEVER).map_err(|_| RecvError)
    }

    /// [`recv_ref`](Self::recv_ref) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`RecvTimeoutError`]: the time passed, or the ring ended.
    pub fn recv_ref_timeout(
        &mut self,
        timeout: Duration,
    ) -> Result<ValueRef<'_, T>, RecvTimeoutError> {
        self.lend_by(Deadline::after(timeout))
    }

    /// [`recv_ref`](Self::recv_ref) that gives up at `deadline`.
    ///
    /// # Errors
    /// As [`recv_ref_timeout`](Self::recv_ref_timeout).
    pub fn recv_ref_deadline(
        &mut self,
        deadline: Instant,
    ) -> Result<ValueRef<'_, T>, RecvTimeoutError> {
        self.lend_by(Deadline::at(deadline))
    }

    fn lend_by(&mut self, deadline: Deadline) -> Result<ValueRef<'_, T>, RecvTimeoutError> {
        let mut look = &mut self.look;
        let strategy = look.cursor.ring.shared.strategy;
        loop {
            if !look.cursor.wait(&strategy, deadline) {
                return Err(RecvTimeoutError::Timeout);
            }
            match look.lend() {
                Ok(message) => return Ok(message),
                Err((TryRecvError::Closed, _)) => return Err(RecvTimeoutError::Closed),
                // Publishers that overtake every attempt must not hold this past its deadline.
                Err((TryRecvError::Lagged { .. }, _)) if deadline.has_passed() => {
                    return Err(RecvTimeoutError::Timeout);
                }
                Err((TryRecvError::Lagged { .. } | TryRecvError::Empty, again)) => look = again,
            }
        }
    }

    /// A clone of the next message, waiting for it by the ring's wait strategy. Lost messages are passed over and counted.
    ///
    /// # Errors
    /// As [`recv_ref`](Self::recv_ref).
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// let (publisher, subscribable) = tidings_ring::value_channel::<Arc<str>>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// std::thread::spawn(move || publisher.publish("kept as long as you like".into()));
    /// let text = subscriber.recv()?;
    /// assert_eq!(&*text, "kept as long as you like");
    /// assert!(subscriber.recv().is_err(), "the publisher is gone");
    /// # Ok::<(), tidings_ring::RecvError>(())
    /// ```
    pub fn recv(&mut self) -> Result<T, RecvError>
    where
        T: Clone,
    {
        self.recv_ref().map(|message| T::clone(&message))
    }

    /// [`recv`](Self::recv) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// As [`recv_ref_timeout`](Self::recv_ref_timeout).
    pub fn recv_timeout(&mut self, timeout: Duration) -> Result<T, RecvTimeoutError>
    where
        T: Clone,
    {
        self.recv_ref_timeout(timeout)
            .map(|message| T::clone(&message))
    }

    /// [`recv`](Self::recv) that gives up at `deadline`.
    ///
    /// # Errors
    /// As [`recv_ref_timeout`](Self::recv_ref_timeout).
    pub fn recv_deadline(&mut self, deadline: Instant) -> Result<T, RecvTimeoutError>
    where
        T: Clone,
    {
        self.recv_ref_deadline(deadline)
            .map(|message| T::clone(&message))
    }

    /// Waits until a receive has an answer other than `Empty`.
    pub fn wait(&self) {
        self.wait_by(&self.look.cursor.ring.shared.strategy, Deadline::NEVER);
    }

    /// [`wait`](Self::wait) that gives up after `timeout`; `false` then.
    #[must_use = "it says whether there is anything to receive"]
    pub fn wait_timeout(&self, timeout: Duration) -> bool {
        self.wait_by(
            &self.look.cursor.ring.shared.strategy,
            Deadline::after(timeout),
        )
    }

    /// [`wait`](Self::wait) that gives up at `deadline`; `false` then.
    #[must_use = "it says whether there is anything to receive"]
    pub fn wait_deadline(&self, deadline: Instant) -> bool {
        self.wait_by(
            &self.look.cursor.ring.shared.strategy,
            Deadline::at(deadline),
        )
    }

    fn wait_by(&self, strategy: &impl Strategy, deadline: Deadline) -> bool {
        self.look.cursor.wait(strategy, deadline)
    }
}
