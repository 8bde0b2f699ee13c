//! Several messages at once, written where they will lie.

use super::EventPublisher;
use crate::{
    claim::claimed::EventClaimed,
    contract::Gating,
    error::{ClaimError, TryClaimError},
};
#[cfg(feature = "std")]
use {
    crate::{claim::ask::endless, error::ClaimTimeoutError},
    std::time::{Duration, Instant},
    tidings_core::wait::Deadline,
};

impl<T: Send + Sync + 'static> EventPublisher<T> {
    /// Claims the next `count` messages, if there is room for them now. Nothing is published until they are
    /// [committed](EventClaimed::commit). 0 is a claim of nothing.
    ///
    /// # Errors
    /// [`TryClaimError::Full`]; [`TryClaimError::TooLarge`] for more than the ring ever has room for.
    pub fn try_claim(&mut self, count: usize) -> Result<EventClaimed<'_, T>, TryClaimError> {
        self.claim.try_batch::<Gating>(count).map(EventClaimed::new)
    }

    /// [`try_claim`](Self::try_claim) that waits for room, for as long as it takes.
    ///
    /// # Errors
    /// [`ClaimError`] for more than the ring ever has room for; at once.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::event_channel(8, String::new);
    /// let mut subscriber = subscribable.subscribe();
    /// let mut claim = publisher.claim(2)?;
    /// claim.iter_mut().for_each(|text| text.push_str("in place"));
    /// claim.commit(2);
    /// assert_eq!(subscriber.read_batch(8, |text, _| assert_eq!(text, "in place")), 2);
    /// # Ok::<(), tidings_ring::ClaimError>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn claim(&mut self, count: usize) -> Result<EventClaimed<'_, T>, ClaimError> {
        endless(self.claim.batch_by::<Gating>(count, Deadline::NEVER)).map(EventClaimed::new)
    }

    /// [`claim`](Self::claim) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`ClaimTimeoutError`]: the time passed, and nothing was claimed; or the claim is too large.
    #[cfg(feature = "std")]
    pub fn claim_timeout(
        &mut self,
        count: usize,
        timeout: Duration,
    ) -> Result<EventClaimed<'_, T>, ClaimTimeoutError> {
        self.claim
            .batch_by::<Gating>(count, Deadline::after(timeout))
            .map(EventClaimed::new)
    }

    /// [`claim`](Self::claim) that gives up at `deadline`.
    ///
    /// # Errors
    /// As [`claim_timeout`](Self::claim_timeout).
    #[cfg(feature = "std")]
    pub fn claim_deadline(
        &mut self,
        count: usize,
        deadline: Instant,
    ) -> Result<EventClaimed<'_, T>, ClaimTimeoutError> {
        self.claim
            .batch_by::<Gating>(count, Deadline::at(deadline))
            .map(EventClaimed::new)
    }

    /// The task's form of `claim`, on any runtime.
    ///
    /// # Errors
    /// [`ClaimError`] for more than the ring ever has room for; at once.
    ///
    /// # Cancel safety
    /// A future that is dropped before it is ready has claimed nothing.
    pub async fn claim_async(&mut self, count: usize) -> Result<EventClaimed<'_, T>, ClaimError> {
        self.claim
            .batch::<Gating>(count)
            .await
            .map(EventClaimed::new)
    }
}
