//! The iterator that takes what is there.

use super::Subscriber;
use crate::{contract::Contract, error::TryRecvError, slot::Payload};

/// Takes what is there; see [`Subscriber::drain`].
#[derive(Debug)]
#[must_use = "iterators do nothing unless advanced"]
pub struct Drain<'a, T: 'static, C: Contract>(&'a mut Subscriber<T, C>);

impl<'a, T, C: Contract> Drain<'a, T, C> {
    pub(super) fn new(subscriber: &'a mut Subscriber<T, C>) -> Self {
        Self(subscriber)
    }
}

impl<T: Payload, C: Contract> Iterator for Drain<'_, T, C> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self.0.try_recv() {
            Ok(value) => Some(value),
            Err(TryRecvError::Lagged { .. }) => self.after_lag(),
            Err(TryRecvError::Empty | TryRecvError::Closed) => None,
        }
    }
}

impl<T: Payload, C: Contract> Drain<'_, T, C> {
    #[cold]
    fn after_lag(&mut self) -> Option<T> {
        loop {
            match self.0.try_recv() {
                Ok(value) => return Some(value),
                // Each lag moves the cursor past what was published at that time.
                Err(TryRecvError::Lagged { .. }) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            }
        }
    }
}
