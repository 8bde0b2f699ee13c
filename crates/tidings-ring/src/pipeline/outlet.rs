//! The end of a stage that publishes what it makes.

use super::item::Item;
use crate::{
    consumer::{Control, Flow, Verdict},
    contract::Gating,
    error::TryPublishError,
    event::{EventPublisher, MpEventPublisher},
    ring::kept::KeptRing,
};
use tidings_core::wait::Deadline;

/// See the module.
pub(super) struct Outlet<U: 'static> {
    publisher: Publisher<U>,
    /// What lay in the slot that was filled last. Dropped before the next one is, when no slot is claimed and nothing of the
    /// message at hand was published, so that a destructor that panics does no harm.
    spent: Option<U>,
}

/// A stage may share its ring with others.
enum Publisher<U: 'static> {
    One(EventPublisher<Item<U>>),
    Many(MpEventPublisher<Item<U>>),
}

impl<U: Send + Sync + 'static> Outlet<U> {
    pub(super) fn one(publisher: EventPublisher<Item<U>>) -> Self {
        Self {
            publisher: Publisher::One(publisher),
            spent: None,
        }
    }

    pub(super) fn of_many(publisher: MpEventPublisher<Item<U>>) -> Self {
        Self {
            publisher: Publisher::Many(publisher),
            spent: None,
        }
    }

    /// The ring that it publishes into.
    pub(super) fn ring(&self) -> KeptRing {
        match &self.publisher {
            Publisher::One(publisher) => KeptRing::new(&publisher.claim.ring),
            Publisher::Many(publisher) => KeptRing::new(&publisher.many.ring),
        }
    }

    /// Drops what lay in the slot that was filled last.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.spent = None;
    }

    /// Publishes a message; waits for room unless the stage is to stop.
    #[inline]
    pub(super) fn put(&mut self, message: U, control: &Control) -> Verdict {
        let mut message = Some(message);
        while !self.try_put(&mut message, control) {
            if control.must_stop_now() {
                return Verdict::Abandoned;
            }
        }
        self.spent = message;
        Verdict::Done(Flow::Continue)
    }

    /// One attempt, and a wait if there is no room.
    #[inline]
    fn try_put(&mut self, message: &mut Option<U>, control: &Control) -> bool {
        let edit = |item: &mut Item<U>| item.swap(message);
        let over = || control.must_stop_now();
        match &mut self.publisher {
            Publisher::One(publisher) => match publisher.try_publish(edit) {
                Ok(()) => return true,
                Err(TryPublishError::Full(_)) => {
                    publisher.claim.wait_for_room_unless(over);
                }
            },
            Publisher::Many(publisher) => match publisher.many.edit(edit) {
                Ok(()) => return true,
                Err((why, _)) => {
                    let many = &publisher.many;
                    many.wait_unless::<Gating>(why, Deadline::NEVER, over);
                }
            },
        }
        false
    }
}
