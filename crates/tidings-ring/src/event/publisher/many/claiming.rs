//! Several messages at once, written where they will lie.

use super::MpEventPublisher;
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

impl<T: Send + Sync + 'static> MpEventPublisher<T> {
    /// Claims the next `count` messages, if there is room for them now. Nothing is published until they are
    /// [committed](EventClaimed::commit). 0 is a claim of nothing.
    ///
    /// # Errors
    /// [`TryClaimError::Full`]; [`TryClaimError::TooLarge`] for more than the ring ever has room for.
    pub fn try_claim(&self, count: usize) -> Result<EventClaimed<'_, T>, TryClaimError> {
        self.many.try_batch::<Gating>(count).map(EventClaimed::new)
    }

    /// [`try_claim`](Self::try_claim) that waits for room, for as long as it takes. While the claim is open
    /// subscribers wait at its first message, and receive what others have published meanwhile right after it. It waits
    /// until there is room for all of it at once; who asks for less may come first.
    ///
    /// # Errors
    /// [`ClaimError`] for more than the ring ever has room for; at once.
    #[cfg(feature = "std")]
    pub fn claim(&self, count: usize) -> Result<EventClaimed<'_, T>, ClaimError> {
        endless(self.many.batch_by::<Gating>(count, Deadline::NEVER)).map(EventClaimed::new)
    }

    /// [`claim`](Self::claim) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`ClaimTimeoutError`]: the time passed, and nothing was claimed; or the claim is too large.
    #[cfg(feature = "std")]
    pub fn claim_timeout(
        &self,
        count: usize,
        timeout: Duration,
    ) -> Result<EventClaimed<'_, T>, ClaimTimeoutError> {
        self.many
            .batch_by::<Gating>(count, Deadline::after(timeout))
            .map(EventClaimed::new)
    }

    /// [`claim`](Self::claim) that gives up at `deadline`.
    ///
    /// # Errors
    /// As [`claim_timeout`](Self::claim_timeout).
    #[cfg(feature = "std")]
    pub fn claim_deadline(
        &self,
        count: usize,
        deadline: Instant,
    ) -> Result<EventClaimed<'_, T>, ClaimTimeoutError> {
        self.many
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
    pub async fn claim_async(&self, count: usize) -> Result<EventClaimed<'_, T>, ClaimError> {
        self.many
            .batch::<Gating>(count)
            .await
            .map(EventClaimed::new)
    }
}
