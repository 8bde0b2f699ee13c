//! Asking for several messages at once, of either kind of publisher: now, by a deadline, as a task.
//!
//! More than the ring ever has room for is refused at once; a wait for it would have no end.

use super::{
    Claim,
    batch::Batch,
    many::{Keys, Many},
};
use crate::{
    contract::Contract,
    error::{ClaimError, TryClaimError},
    shared::Shared,
    slot::place::Store,
};
use core::future::poll_fn;
use tidings_core::wait::TaskKey;
#[cfg(feature = "std")]
use {crate::error::ClaimTimeoutError, tidings_core::wait::Deadline};

/// The count, if the ring can have room for so many.
fn possible(shared: &Shared, count: usize) -> Result<u64, ClaimError> {
    let asked = count as u64;
    if asked <= shared.room {
        return Ok(asked);
    }
    Err(ClaimError {
        asked: count,
        most: usize::try_from(shared.room).unwrap_or(usize::MAX),
    })
}

/// What a claim without a deadline comes to.
#[cfg(feature = "std")]
pub(crate) fn endless<B>(claimed: Result<B, ClaimTimeoutError>) -> Result<B, ClaimError> {
    claimed.map_err(|error| match error {
        ClaimTimeoutError::TooLarge(error) => error,
        ClaimTimeoutError::Timeout => unreachable!("there is no deadline"),
    })
}

impl<S: Store> Claim<S> {
    /// `count` messages, if there is room for them now.
    pub(crate) fn try_batch<C: Contract>(
        &mut self,
        count: usize,
    ) -> Result<Batch<'_, S>, TryClaimError> {
        let asked = possible(&self.ring.shared, count)?;
        if C::GATING && !self.has_room_for(asked) {
            return Err(TryClaimError::Full);
        }
        Ok(Batch::of_one(self, asked))
    }

    /// The same, waiting for room.
    #[cfg(feature = "std")]
    pub(crate) fn batch_by<C: Contract>(
        &mut self,
        count: usize,
        deadline: Deadline,
    ) -> Result<Batch<'_, S>, ClaimTimeoutError> {
        let asked = possible(&self.ring.shared, count)?;
        if C::GATING && !self.has_room_for(asked) && !self.wait_for_room(asked, deadline) {
            return Err(ClaimTimeoutError::Timeout);
        }
        Ok(Batch::of_one(self, asked))
    }

    /// The task's form of `batch_by`.
    pub(crate) async fn batch<C: Contract>(
        &mut self,
        count: usize,
    ) -> Result<Batch<'_, S>, ClaimError> {
        let asked = possible(&self.ring.shared, count)?;
        if C::GATING && !self.has_room_for(asked) {
            let mut waiting = Waiting {
                claim: self,
                key: TaskKey::default(),
            };
            poll_fn(|cx| waiting.claim.poll_for_room(asked, &mut waiting.key, cx)).await;
        }
        Ok(Batch::of_one(self, asked))
    }
}

/// A task that waits for room, and takes its waker back.
struct Waiting<'a, S: Store> {
    claim: &'a mut Claim<S>,
    key: TaskKey,
}

impl<S: Store> Drop for Waiting<'_, S> {
    fn drop(&mut self) {
        self.claim.ring.shared.freed.cancel(&mut self.key);
    }
}

impl<S: Store> Many<S> {
    /// `count` messages, if there is room for them now.
    pub(crate) fn try_batch<C: Contract>(
        &self,
        count: usize,
    ) -> Result<Batch<'_, S>, TryClaimError> {
        match possible(&self.ring.shared, count)? {
            0 => Ok(Batch::of_none(&self.ring)),
            asked => self
                .claim::<C>(asked, asked)
                .map_err(|_| TryClaimError::Full),
        }
    }

    /// The same, waiting for room, and for publishers that have not finished.
    #[cfg(feature = "std")]
    pub(crate) fn batch_by<C: Contract>(
        &self,
        count: usize,
        deadline: Deadline,
    ) -> Result<Batch<'_, S>, ClaimTimeoutError> {
        let asked = possible(&self.ring.shared, count)?;
        if asked == 0 {
            return Ok(Batch::of_none(&self.ring));
        }
        loop {
            match self.claim::<C>(asked, asked) {
                Ok(batch) => return Ok(batch),
                Err(refused) if self.wait::<C>(refused, asked, deadline) => {}
                Err(_) => return Err(ClaimTimeoutError::Timeout),
            }
        }
    }

    /// The task's form of `batch_by`.
    pub(crate) async fn batch<C: Contract>(
        &self,
        count: usize,
    ) -> Result<Batch<'_, S>, ClaimError> {
        let asked = possible(&self.ring.shared, count)?;
        if asked == 0 {
            return Ok(Batch::of_none(&self.ring));
        }
        let mut waiting = WaitingOfMany {
            many: self,
            keys: Keys::default(),
        };
        loop {
            match self.claim::<C>(asked, asked) {
                Ok(batch) => return Ok(batch),
                Err(refused) => {
                    poll_fn(|cx| self.poll_wait::<C>(refused, asked, &mut waiting.keys, cx)).await;
                }
            }
        }
    }
}

/// A task of one of many publishers that waits, and takes its wakers back.
struct WaitingOfMany<'a, S: Store> {
    many: &'a Many<S>,
    keys: Keys,
}

impl<S: Store> Drop for WaitingOfMany<'_, S> {
    fn drop(&mut self) {
        self.many.cancel(&mut self.keys);
    }
}
