//! The end of a pipeline that accepts messages.

use super::{
    door::Door,
    error::{InputClosed, InputTimeoutError, TryInputError},
    item::Item,
};
use crate::{
    claim::many::{Keys, Refused},
    contract::Gating,
    event::MpEventPublisher,
};
use core::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use std::time::{Duration, Instant};
use tidings_core::{
    sync::{Arc, mutant},
    wait::Deadline,
};

/// Where messages enter a [`Pipeline`](super::Pipeline). Clone it, or share a reference. When every clone is dropped the pipeline
/// delivers what it has, and ends.
///
/// A message that was accepted, so that `Ok` was returned, is delivered, unless the pipeline is stopped immediately or a stage
/// panics. Messages of one thread keep their order.
#[must_use = "a pipeline whose inputs are dropped ends"]
pub struct Input<T: 'static> {
    publisher: MpEventPublisher<Item<T>>,
    door: Arc<Door>,
}

impl<T: Send + Sync + 'static> Input<T> {
    pub(super) fn new(publisher: MpEventPublisher<Item<T>>, door: Arc<Door>) -> Self {
        Self { publisher, door }
    }

    /// Offers a message; gives it back when it is not accepted, with the reason if it may be later.
    #[inline]
    fn offer(&self, message: T) -> Result<(), (T, Option<Refused>)> {
        if self.door.is_closed() {
            return Err((message, None));
        }
        let mut spent = None;
        let many = &self.publisher.many;
        let accepted = many.edit_with(message, |item: &mut Item<T>, message| {
            // U5 and U6 of claim/many/unless.rs: after the claim, the close that came before it is seen.
            many.ring.shared.see_seal();
            if self.door.is_closed() && !mutant("unless U6") {
                return Err(message);
            }
            item.set(message, &mut spent);
            Ok(())
        });
        // What lay in the slot is dropped here, when no slot is claimed.
        drop(spent);
        accepted
    }

    /// Hands a message over, if there is room now.
    ///
    /// # Errors
    /// [`TryInputError`], with the message.
    #[inline]
    pub fn try_publish(&self, message: T) -> Result<(), TryInputError<T>> {
        match self.offer(message) {
            Ok(()) => Ok(()),
            Err((message, None)) => Err(TryInputError::Closed(message)),
            Err((message, Some(_))) => Err(TryInputError::Full(message)),
        }
    }

    /// Hands a message over; waits while the first ring is full.
    ///
    /// # Errors
    /// [`InputClosed`], with the message: the pipeline was shut down, or has ended, before or during the wait.
    ///
    /// # Panics
    /// When the destructor of the message does that lay in the slot a lap before; this one is accepted then. As in the other
    /// forms.
    #[inline]
    pub fn publish(&self, message: T) -> Result<(), InputClosed<T>> {
        self.publish_by(message, || Deadline::NEVER)
            .map_err(|refused| InputClosed(refused.into_inner()))
    }

    /// [`publish`](Self::publish) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`InputTimeoutError`], with the message.
    pub fn publish_timeout(
        &self,
        message: T,
        timeout: Duration,
    ) -> Result<(), InputTimeoutError<T>> {
        self.publish_by(message, || Deadline::after(timeout))
    }

    /// [`publish`](Self::publish) that gives up at `deadline`.
    ///
    /// # Errors
    /// [`InputTimeoutError`], with the message.
    pub fn publish_deadline(
        &self,
        message: T,
        deadline: Instant,
    ) -> Result<(), InputTimeoutError<T>> {
        self.publish_by(message, || Deadline::at(deadline))
    }

    #[inline]
    fn publish_by(
        &self,
        message: T,
        deadline: impl FnOnce() -> Deadline,
    ) -> Result<(), InputTimeoutError<T>> {
        match self.offer(message) {
            Ok(()) => Ok(()),
            Err((message, None)) => Err(InputTimeoutError::Closed(message)),
            Err((message, Some(why))) => self.publish_slow(message, why, deadline()),
        }
    }

    #[cold]
    #[inline(never)]
    fn publish_slow(
        &self,
        mut message: T,
        mut why: Refused,
        deadline: Deadline,
    ) -> Result<(), InputTimeoutError<T>> {
        let many = &self.publisher.many;
        let closed = || self.door.is_closed();
        while many.wait_unless::<Gating>(why, deadline, closed) {
            match self.offer(message) {
                Ok(()) => return Ok(()),
                Err((again, None)) => return Err(InputTimeoutError::Closed(again)),
                Err((again, Some(still))) => (message, why) = (again, still),
            }
        }
        Err(InputTimeoutError::Timeout(message))
    }

    /// The task's form of [`publish`](Self::publish).
    ///
    /// # Cancel safety
    /// A future that is dropped before it is ready has published nothing; the message is dropped with it.
    pub fn publish_async(&self, message: T) -> InputFuture<'_, T> {
        InputFuture {
            input: self,
            message: Some(message),
            keys: Keys::default(),
        }
    }
}

impl<T> Input<T> {
    /// Whether the pipeline accepts nothing any more.
    pub fn is_closed(&self) -> bool {
        self.door.is_closed()
    }

    /// Slots of the first ring.
    pub fn capacity(&self) -> usize {
        self.publisher.many.ring.shared.capacity
    }
}

impl<T> Clone for Input<T> {
    fn clone(&self) -> Self {
        Self {
            publisher: self.publisher.clone(),
            door: Arc::clone(&self.door),
        }
    }
}

impl<T> fmt::Debug for Input<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("ring", &self.publisher.many.ring)
            .finish_non_exhaustive()
    }
}

/// Waits for room and hands a message over; see [`Input::publish_async`].
#[must_use = "futures do nothing unless polled"]
pub struct InputFuture<'a, T: 'static> {
    input: &'a Input<T>,
    message: Option<T>,
    keys: Keys,
}

// The message is moved, never pinned.
impl<T> Unpin for InputFuture<'_, T> {}

impl<T: Send + Sync + 'static> Future for InputFuture<'_, T> {
    type Output = Result<(), InputClosed<T>>;

    /// # Panics
    /// When it is polled after it was ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self {
            input,
            message,
            keys,
        } = self.get_mut();
        let many = &input.publisher.many;
        let mut offered = message
            .take()
            .expect("an InputFuture was polled after it was ready");
        let result = loop {
            let why = match input.offer(offered) {
                Ok(()) => break Ok(()),
                Err((refused, None)) => break Err(InputClosed(refused)),
                Err((refused, Some(why))) => {
                    offered = refused;
                    why
                }
            };
            let closed = || input.door.is_closed();
            let waits = many.poll_wait_unless::<Gating>(why, keys, cx, closed);
            if waits.is_pending() {
                *message = Some(offered);
                return Poll::Pending;
            }
        };
        many.cancel(keys);
        Poll::Ready(result)
    }
}

impl<T> Drop for InputFuture<'_, T> {
    fn drop(&mut self) {
        self.input.publisher.many.cancel(&mut self.keys);
    }
}

impl<T> fmt::Debug for InputFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputFuture")
            .field("input", &self.input)
            .finish_non_exhaustive()
    }
}
