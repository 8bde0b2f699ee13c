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
use tidings_core::{sync::Arc, wait::Deadline};

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

/// Why a message was not accepted now.
enum Refusal {
    Closed,
    Later(Refused),
}

impl<T: Send + Sync + 'static> Input<T> {
    pub(super) fn new(publisher: MpEventPublisher<Item<T>>, door: Arc<Door>) -> Self {
        Self { publisher, door }
    }

    /// Offers a message, which is taken out of `message` when it is accepted.
    #[inline]
    fn offer(&self, message: &mut Option<T>) -> Result<(), Refusal> {
        if self.door.is_closed() {
            return Err(Refusal::Closed);
        }
        let many = &self.publisher.many;
        let edit = |item: &mut Item<T>| {
            // U5 of claim/many/unless.rs: after the claim, the close that came before it is seen.
            many.ring.shared.published();
            let accepted = !self.door.is_closed();
            if accepted {
                item.swap(message);
            }
            accepted
        };
        match many.edit_if(edit) {
            Ok(true) => Ok(()),
            Ok(false) => Err(Refusal::Closed),
            Err((refused, _)) => Err(Refusal::Later(refused)),
        }
    }

    /// Hands a message over, if there is room now.
    ///
    /// # Errors
    /// [`TryInputError`], with the message.
    pub fn try_publish(&self, message: T) -> Result<(), TryInputError<T>> {
        let mut message = Some(message);
        match self.offer(&mut message) {
            Ok(()) => Ok(()),
            Err(Refusal::Closed) => Err(TryInputError::Closed(refused(message))),
            Err(Refusal::Later(_)) => Err(TryInputError::Full(refused(message))),
        }
    }

    /// Hands a message over; waits while the first ring is full.
    ///
    /// # Errors
    /// [`InputClosed`], with the message: the pipeline was shut down, or has ended, before or during the wait.
    #[inline]
    pub fn publish(&self, message: T) -> Result<(), InputClosed<T>> {
        self.publish_by(message, Deadline::NEVER)
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
        self.publish_by(message, Deadline::after(timeout))
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
        self.publish_by(message, Deadline::at(deadline))
    }

    #[inline]
    fn publish_by(&self, message: T, deadline: Deadline) -> Result<(), InputTimeoutError<T>> {
        let mut message = Some(message);
        loop {
            match self.offer(&mut message) {
                Ok(()) => return Ok(()),
                Err(Refusal::Closed) => return Err(InputTimeoutError::Closed(refused(message))),
                Err(Refusal::Later(why)) if !self.wait(why, deadline) => {
                    return Err(InputTimeoutError::Timeout(refused(message)));
                }
                Err(Refusal::Later(_)) => {}
            }
        }
    }

    fn wait(&self, why: Refused, deadline: Deadline) -> bool {
        let many = &self.publisher.many;
        many.wait_unless::<Gating>(why, deadline, || self.door.is_closed())
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

/// The message that was not accepted.
fn refused<T>(message: Option<T>) -> T {
    message.expect("a message that was refused was not taken")
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
        let mut offered = Some(
            message
                .take()
                .expect("an InputFuture was polled after it was ready"),
        );
        let result = loop {
            match input.offer(&mut offered) {
                Ok(()) => break Ok(()),
                Err(Refusal::Closed) => break Err(InputClosed(refused(offered.take()))),
                Err(Refusal::Later(why)) => {
                    let closed = || input.door.is_closed();
                    if many
                        .poll_wait_unless::<Gating>(why, keys, cx, closed)
                        .is_pending()
                    {
                        *message = offered;
                        return Poll::Pending;
                    }
                }
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
