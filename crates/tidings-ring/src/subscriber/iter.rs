//! The iterators that wait for each message.

use super::Subscriber;
use crate::{contract::Contract, slot::Payload};

/// Waits for each message; see [`Subscriber::iter`].
#[derive(Debug)]
#[must_use = "iterators do nothing unless advanced"]
pub struct Iter<'a, T: 'static, C: Contract>(&'a mut Subscriber<T, C>);

/// Waits for each message; owns the subscriber.
#[derive(Debug)]
#[must_use = "iterators do nothing unless advanced"]
pub struct IntoIter<T: 'static, C: Contract>(Subscriber<T, C>);

impl<'a, T, C: Contract> Iter<'a, T, C> {
    pub(super) fn new(subscriber: &'a mut Subscriber<T, C>) -> Self {
        Self(subscriber)
    }
}

impl<T: Payload, C: Contract> Iterator for Iter<'_, T, C> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<T: Payload, C: Contract> Iterator for IntoIter<T, C> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.0.recv().ok()
    }
}

impl<'a, T: Payload, C: Contract> IntoIterator for &'a mut Subscriber<T, C> {
    type Item = T;
    type IntoIter = Iter<'a, T, C>;

    fn into_iter(self) -> Iter<'a, T, C> {
        self.iter()
    }
}

impl<T: Payload, C: Contract> IntoIterator for Subscriber<T, C> {
    type Item = T;
    type IntoIter = IntoIter<T, C>;

    fn into_iter(self) -> IntoIter<T, C> {
        IntoIter(self)
    }
}
