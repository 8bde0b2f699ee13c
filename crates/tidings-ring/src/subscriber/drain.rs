//! The iterator that takes what is there.

use super::Subscriber;
use crate::{
    contract::{Contract, Lossy},
    cursor::ATTEMPTS,
    error::TryRecvError,
    slot::{Payload, run::Run},
};
use core::fmt;

/// Takes what is there; see [`Subscriber::drain`].
///
/// A drain that is leaked (`mem::forget`) has moved no lossy subscriber: it is given those messages
/// again.
#[must_use = "iterators do nothing unless advanced"]
pub struct Drain<'a, T: 'static, C: Contract = Lossy>(Run<'a, T, C>);

impl<T: Payload, C: Contract> Subscriber<T, C> {
    /// An iterator over what is there; ends when the ring is empty, without waiting. Lost messages
    /// are passed over and counted. It may give more later, need not end while the publisher is
    /// faster, and ends when it was overtaken 64 times in a row.
    pub fn drain(&mut self) -> Drain<'_, T, C> {
        Drain(Run::new(&mut self.cursor))
    }
}

impl<T: Payload, C: Contract> Iterator for Drain<'_, T, C> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        for _ in 0..ATTEMPTS {
            match self.0.receive() {
                Ok(value) => return Some(value),
                // Counted; the next attempt is at the oldest message retained.
                Err(TryRecvError::Lagged { .. }) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            }
        }
        None
    }

    #[inline]
    fn fold<B, F: FnMut(B, T) -> B>(mut self, init: B, mut fold: F) -> B {
        let mut folded = Some(init);
        let mut show = |message| {
            let so_far = folded.take().expect("it is put back below");
            folded = Some(fold(so_far, message));
        };
        while let Some(message) = self.next() {
            show(message);
            self.0.receive_chunks(&mut show);
        }
        folded.expect("it was put back")
    }
}

impl<T, C: Contract> fmt::Debug for Drain<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drain")
            .field("cursor", &self.0.sequence().get())
            .finish_non_exhaustive()
    }
}
