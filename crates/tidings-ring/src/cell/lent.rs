//! A message read where it lies: the reference that a gating subscriber lends.
//!
//! I1  `value` is the message at `place`, published, and `gate` stands at `place`: by gate.rs I1 it is neither
//!     edited nor freed while this lives, since the gate moves only in `drop` and the subscriber is borrowed
//! I2  leaking this moves no gate: the message is lent again by the next call

#![allow(unsafe_code)] // a reference whose end is a destructor: see `value`

use crate::{
    contract::Gating,
    cursor::Cursor,
    error::{RecvError, TryRecvError},
    gate::{Gate, Hold},
    ring::Store,
    shared::Shared,
    slot::place::Place,
    stamp::Stamp,
};
use core::{
    fmt,
    future::Future,
    marker::PhantomData,
    ops::Deref,
    pin::Pin,
    ptr::NonNull,
    task::{Context, Poll, ready},
};
use tidings_core::wait::TaskKey;
#[cfg(feature = "std")]
use {crate::error::RecvTimeoutError, tidings_core::wait::Deadline};

/// A message, borrowed from the ring's own slot.
///
/// The slot is given back when this is dropped, also by a panic: a message counts as received once
/// it was lent. While it lives the publisher can run ahead by the rest of the ring, no further. If
/// it is leaked (`mem::forget`) the message stays unread: the next call lends it again.
pub struct Ref<'a, T> {
    // A pointer, not a reference: the slot may be overwritten before `drop` has returned.
    value: NonNull<T>,
    place: &'a mut Place,
    shared: &'a Shared,
    gate: &'a Gate,
    stride: usize,
    lends: PhantomData<&'a T>,
}

// SAFETY: besides plain words it is a `&T`.
unsafe impl<T: Sync> Send for Ref<'_, T> {}
// SAFETY: as above; nothing moves the gate through a shared `Ref`.
unsafe impl<T: Sync> Sync for Ref<'_, T> {}

impl<'a, T> Ref<'a, T> {
    /// The message at the cursor, if it is there.
    #[inline]
    pub(crate) fn of<S>(cursor: &'a mut Cursor<S, Gating>) -> Result<Self, TryRecvError>
    where
        S: Store<Value = T>,
    {
        let seen = cursor.stamp();
        if seen != Stamp::published(cursor.place.sequence) {
            return Err(cursor.missed(seen));
        }
        let Cursor {
            ring, place, hold, ..
        } = cursor;
        let value = ring.slots.value(place);
        let (shared, gate) = (&ring.shared, &*hold);
        Ok(Self {
            value,
            place,
            shared,
            gate,
            stride: S::STRIDE,
            lends: PhantomData,
        })
    }

    /// The sequence of the message.
    pub fn sequence(this: &Self) -> u64 {
        this.place.sequence.get()
    }
}

impl<T> Deref for Ref<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: by I1 it is an initialised value that nobody edits while `self` lives.
        unsafe { self.value.as_ref() }
    }
}

impl<T> Drop for Ref<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let from = self.place.sequence;
        self.place.step(self.stride);
        self.gate.advance(self.shared, from, self.place.sequence);
    }
}

impl<T: fmt::Debug> fmt::Debug for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: fmt::Display> fmt::Display for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

/// What lends messages: a gating cursor of either kind of ring.
trait Lend<T>: Send + Sync {
    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()>;
    fn lend(&mut self) -> Result<Ref<'_, T>, TryRecvError>;
    fn cancel(&self, key: &mut TaskKey);
}

impl<S: Store + Send + Sync> Lend<S::Value> for Cursor<S, Gating> {
    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        Cursor::poll_ready(self, key, cx)
    }

    fn lend(&mut self) -> Result<Ref<'_, S::Value>, TryRecvError> {
        Ref::of(self)
    }

    fn cancel(&self, key: &mut TaskKey) {
        self.ring.shared.ready.cancel(key);
    }
}

impl<S: Store> Cursor<S, Gating> {
    /// Waits for the next message, and lends it.
    #[cfg(feature = "std")]
    pub(crate) fn lend_by(
        &mut self,
        deadline: Deadline,
    ) -> Result<Ref<'_, S::Value>, RecvTimeoutError> {
        if !self.wait(&self.ring.shared.strategy, deadline) {
            return Err(RecvTimeoutError::Timeout);
        }
        // Ready, and never lagged: what is left is the message, or the close.
        Ref::of(self).map_err(|_| RecvTimeoutError::Closed)
    }
}

/// Waits for a message and lends it; see [`EventSubscriber::recv_ref_async`](crate::EventSubscriber::recv_ref_async).
#[must_use = "futures do nothing unless polled"]
pub struct RecvRefFuture<'a, T> {
    /// Until it is ready; then the message has it.
    cursor: Option<&'a mut dyn Lend<T>>,
    key: TaskKey,
    lends: PhantomData<&'a T>,
}

impl<'a, T> RecvRefFuture<'a, T> {
    pub(crate) fn new<S: Store<Value = T> + Send + Sync>(
        cursor: &'a mut Cursor<S, Gating>,
    ) -> Self {
        Self {
            cursor: Some(cursor),
            key: TaskKey::default(),
            lends: PhantomData,
        }
    }
}

impl<'a, T> Future for RecvRefFuture<'a, T> {
    type Output = Result<Ref<'a, T>, RecvError>;

    /// # Panics
    /// When it is polled after it was ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { cursor, key, .. } = self.get_mut();
        let waiting = cursor
            .as_deref()
            .expect("a RecvRefFuture was polled after it was ready");
        ready!(waiting.poll_ready(key, cx));
        let ready = cursor.take().expect("it was there a line ago");
        // Ready, and never lagged: what is left is the message, or the close.
        Poll::Ready(ready.lend().map_err(|_| RecvError))
    }
}

impl<T> Drop for RecvRefFuture<'_, T> {
    fn drop(&mut self) {
        // Once it is ready, `poll_ready` has taken the waker back.
        if let Some(cursor) = &self.cursor {
            cursor.cancel(&mut self.key);
        }
    }
}

impl<T> fmt::Debug for RecvRefFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecvRefFuture")
            .field("is_ready", &self.cursor.is_none())
            .finish_non_exhaustive()
    }
}
