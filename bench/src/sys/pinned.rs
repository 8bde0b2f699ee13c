//! Many futures of one type in one block of memory, each polled where it lies.

use std::pin::Pin;
use std::task::{Context, Poll};

/// Futures that do not move any more.
pub struct Pinned<F>(Box<[F]>);

impl<F: Future> Pinned<F> {
    /// Puts them in a row.
    pub fn new(futures: impl Iterator<Item = F>) -> Self {
        Self(futures.collect())
    }

    /// Polls each of them once, in order, with a context of its own, and hands over what it said.
    #[inline(always)]
    pub fn poll_each<'a>(
        &mut self,
        mut context: impl FnMut(usize) -> Context<'a>,
        mut answer: impl FnMut(Poll<F::Output>),
    ) {
        for (number, future) in self.0.iter_mut().enumerate() {
            // SAFETY: the block is behind a box that is never handed out, so a future stays in place until it is
            // dropped there, together with the block.
            let future = unsafe { Pin::new_unchecked(future) };
            answer(future.poll(&mut context(number)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Waker;

    #[test]
    fn each_is_polled_once_and_in_order() {
        let mut futures = Pinned::new((0..3).map(|i| async move { i }));
        let mut seen = Vec::new();
        futures.poll_each(
            |_| Context::from_waker(Waker::noop()),
            |answer| seen.push(answer),
        );
        assert_eq!(seen, [0, 1, 2].map(Poll::Ready));
    }
}
