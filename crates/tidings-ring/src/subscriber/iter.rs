//! Iterators over a subscriber.

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

/// Waits for each message; see [`Subscriber::iter`].
#[derive(Debug)]
#[must_use = "iterators do nothing unless advanced"]
#[cfg_attr(
    not(feature = "std"),
    expect(dead_code, reason = "made by the waiting forms")
)]
pub struct Iter<'a, T: 'static, C: Contract>(&'a mut Subscriber<T, C>);

/// Waits for each message; owns the subscriber.
#[derive(Debug)]
#[must_use = "iterators do nothing unless advanced"]
#[cfg_attr(
    not(feature = "std"),
    expect(dead_code, reason = "made by the waiting forms")
)]
pub struct IntoIter<T: 'static, C: Contract>(Subscriber<T, C>);

#[cfg(feature = "std")]
mod waiting {
    use super::{Contract, IntoIter, Iter, Payload, Subscriber};

    impl<'a, T, C: Contract> Iter<'a, T, C> {
        pub(in crate::subscriber) fn new(subscriber: &'a mut Subscriber<T, C>) -> Self {
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
}
