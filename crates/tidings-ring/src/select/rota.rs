//! Who is looked at first, and a waiter's places among those it waits for.
//!
//! ```text
//! States  `next`: the index at which the search begins · a waiter's keys, one for each thing, idle while nothing is registered
//! Look    R1 look at all, from `next` on and round   R2 none ready: the same again, registering with each that is not
//! Answer  R3 take everything back   R4 next := the index of the answer + 1
//! I1      between two answers that a thing gets while it is always ready, every other thing that was ready got one: who was
//!         answered is the last to be looked at
//! I2      who registered takes back at the end, on every way out: after an answer, a deadline, a panic, a drop
//! ```

use super::Selectable;
use crate::turn::Turn;
use core::{
    iter::Zip,
    slice::{Iter, IterMut},
    task::{Context, Poll},
};
use tidings_core::{
    sync::{mutant, unique_id},
    wait::TaskKey,
};

/// See the module.
pub(super) struct Rota {
    next: usize,
    /// How long a task's turn has lasted. With none, those that are selected from count for themselves.
    turn: Option<Turn>,
}

impl Default for Rota {
    /// For many selections.
    fn default() -> Self {
        Self {
            next: 0,
            turn: Some(Turn::default()),
        }
    }
}

impl Rota {
    /// For one selection among `count`: begins anywhere, so that over many of them none starves.
    pub(super) fn once(count: usize) -> Self {
        // By the golden ratio, so that steps of any size spread over all of them.
        let spread = (unique_id().get() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        Self {
            next: ((spread * count as u64) >> 32) as usize,
            turn: None,
        }
    }

    pub(super) fn next(&self) -> usize {
        self.next
    }

    /// All indices, in the order of this round. A list that became shorter begins anew.
    fn round(&self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let first = if self.next < count { self.next } else { 0 };
        (first..count).chain(0..first)
    }

    /// R1.
    pub(super) fn find<S: Selectable>(&self, among: &[S]) -> Option<usize> {
        self.round(among.len())
            .find(|&index| among[index].is_ready())
    }

    /// R2: the index of one that became ready; otherwise the waker is registered with each.
    pub(super) fn register<S: Selectable>(
        &self,
        among: &[S],
        keys: &mut [TaskKey],
        cx: &mut Context<'_>,
    ) -> Option<usize> {
        self.round(among.len())
            .find(|&index| among[index].poll_ready(&mut keys[index], cx).is_ready())
    }

    /// R4.
    pub(super) fn answer(&mut self, index: usize) -> usize {
        self.next = index + 1;
        index
    }

    /// A task's selection, R1 to R4; pending too when the task's turn is over.
    pub(super) fn poll<S: Selectable>(
        &mut self,
        among: &[S],
        keys: &mut [TaskKey],
        cx: &mut Context<'_>,
    ) -> Poll<usize> {
        let found = self.find(among);
        let Some(index) = found.or_else(|| self.register(among, keys, cx)) else {
            self.turn.iter().for_each(Turn::start_over);
            return Poll::Pending;
        };
        let is_over = match &self.turn {
            Some(turn) => turn.is_over(cx),
            None => among[index].is_turn_over(cx),
        };
        if is_over {
            return Poll::Pending;
        }
        take_back(among, keys);
        Poll::Ready(self.answer(index))
    }
}

/// R3. Goes on after a waker's destructor has panicked.
pub(super) fn take_back<S: Selectable>(among: &[S], keys: &mut [TaskKey]) {
    if !mutant("rota R3") {
        Rest(among.iter().zip(keys)).take_back();
    }
}

/// Places that were not given up yet.
struct Rest<'a, S: Selectable>(Zip<Iter<'a, S>, IterMut<'a, TaskKey>>);

impl<S: Selectable> Rest<'_, S> {
    fn take_back(&mut self) {
        self.0.by_ref().for_each(|(thing, key)| thing.cancel(key));
    }
}

impl<S: Selectable> Drop for Rest<'_, S> {
    fn drop(&mut self) {
        self.take_back();
    }
}
