//! The iterators that wait for each message.

use super::Subscriber;
use crate::{
    contract::{Contract, Lossy},
    slot::Payload,
};
use core::{fmt, iter::FusedIterator};

/// Waits for each message; see [`Subscriber::iter`].
#[must_use = "iterators do nothing unless advanced"]
pub struct Iter<'a, T: 'static, C: Contract = Lossy>(&'a mut Subscriber<T, C>);

/// Waits for each message; owns the subscriber.
#[must_use = "iterators do nothing unless advanced"]
pub struct IntoIter<T: 'static, C: Contract = Lossy>(Subscriber<T, C>);

impl<T: Payload, C: Contract> Subscriber<T, C> {
    /// An iterator that waits for each message and ends when the publisher is gone. Lost messages
    /// are passed over and counted.
    pub fn iter(&mut self) -> Iter<'_, T, C> {
        Iter(self)
    }
}

impl<T, C: Contract> IntoIter<T, C> {
    /// The subscriber, with its counts.
    pub fn into_inner(self) -> Subscriber<T, C> {
        self.0
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

// The end is for ever.
impl<T: Payload, C: Contract> FusedIterator for Iter<'_, T, C> {}
impl<T: Payload, C: Contract> FusedIterator for IntoIter<T, C> {}

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

impl<T, C: Contract> fmt::Debug for Iter<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Iter").field(&self.0).finish()
    }
}

impl<T, C: Contract> fmt::Debug for IntoIter<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IntoIter").field(&self.0).finish()
    }
}
