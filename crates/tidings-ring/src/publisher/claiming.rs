//! Several messages at once, written where they will lie.

use super::Publisher;
use crate::{
    claim::claimed::Claimed,
    contract::Contract,
    error::{ClaimError, TryClaimError},
    slot::Payload,
};
#[cfg(feature = "std")]
use {
    crate::{claim::ask::endless, error::ClaimTimeoutError},
    std::time::{Duration, Instant},
    tidings_core::wait::Deadline,
};

impl<T: Payload, C: Contract> Publisher<T, C> {
    /// Claims the next `count` messages, if there is room for them now. Nothing is published until they are
    /// [committed](Claimed::commit). 0 is a claim of nothing.
    ///
    /// # Errors
    /// [`TryClaimError::Full`]; [`TryClaimError::TooLarge`] for more than the ring ever has room for.
    pub fn try_claim(&mut self, count: usize) -> Result<Claimed<'_, T, C>, TryClaimError> {
        self.claim.try_batch::<C>(count).map(Claimed::new)
    }

    /// [`try_claim`](Self::try_claim) that waits for room, for as long as it takes.
    ///
    /// # Errors
    /// [`ClaimError`] for more than the ring ever has room for; at once.
    ///
    /// # Examples
    /// ```
    /// let (mut publisher, subscribable) = tidings_ring::channel::<u64>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// let mut claim = publisher.claim(3)?;
    /// assert_eq!(claim.fill(1..), 3);
    /// assert_eq!(subscriber.pending(), 0, "nothing is out");
    /// assert_eq!(claim.commit(2), 2);
    /// assert!(subscriber.drain().eq([1, 2]));
    /// # Ok::<(), tidings_ring::ClaimError>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn claim(&mut self, count: usize) -> Result<Claimed<'_, T, C>, ClaimError> {
        endless(self.claim.batch_by::<C>(count, Deadline::NEVER)).map(Claimed::new)
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
    ) -> Result<Claimed<'_, T, C>, ClaimTimeoutError> {
        self.claim
            .batch_by::<C>(count, Deadline::after(timeout))
            .map(Claimed::new)
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
    ) -> Result<Claimed<'_, T, C>, ClaimTimeoutError> {
        self.claim
            .batch_by::<C>(count, Deadline::at(deadline))
            .map(Claimed::new)
    }

    /// The task's form of `claim`, on any runtime.
    ///
    /// # Errors
    /// [`ClaimError`] for more than the ring ever has room for; at once.
    ///
    /// # Cancel safety
    /// A future that is dropped before it is ready has claimed nothing.
    pub async fn claim_async(&mut self, count: usize) -> Result<Claimed<'_, T, C>, ClaimError> {
        self.claim.batch::<C>(count).await.map(Claimed::new)
    }
}
