//! The iterator that takes what is there.

use super::Subscriber;
use crate::{
    contract::Contract,
    error::TryRecvError,
    slot::{Payload, run::Run},
};
use core::fmt;

/// Takes what is there; see [`Subscriber::drain`].
///
/// A drain that is leaked (`mem::forget`) has moved no lossy subscriber: it is given those messages
/// again.
#[must_use = "iterators do nothing unless advanced"]
pub struct Drain<'a, T: 'static, C: Contract>(Run<'a, T, C>);

impl<'a, T, C: Contract> Drain<'a, T, C> {
    pub(super) fn new(subscriber: &'a mut Subscriber<T, C>) -> Self {
        Self(Run::new(&mut subscriber.cursor))
    }
}

impl<T: Payload, C: Contract> Iterator for Drain<'_, T, C> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        loop {
            match self.0.receive() {
                Ok(value) => return Some(value),
                // Each lag moves the cursor past what was published at that time.
                Err(TryRecvError::Lagged { .. }) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            }
        }
    }
}

impl<T, C: Contract> fmt::Debug for Drain<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drain")
            .field("cursor", &self.0.sequence().get())
            .finish_non_exhaustive()
    }
}
