//! The end of a stage that publishes what it makes.

use super::item::Item;
use crate::{
    claim::many::Refused,
    consumer::{Control, Flow, Verdict},
    contract::Gating,
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
        match self.try_put(message) {
            Ok(()) => Verdict::Done(Flow::Continue),
            Err((message, why)) => self.put_slow(message, why, control),
        }
    }

    #[cold]
    #[inline(never)]
    fn put_slow(&mut self, mut message: U, mut why: Option<Refused>, control: &Control) -> Verdict {
        let over = || control.must_stop_now();
        loop {
            match (&mut self.publisher, why) {
                (Publisher::Many(publisher), Some(why)) => {
                    let many = &publisher.many;
                    many.wait_unless::<Gating>(why, Deadline::NEVER, over);
                }
                (Publisher::One(publisher), _) => {
                    publisher.claim.wait_for_room_unless(over);
                }
                (Publisher::Many(_), None) => {}
            }
            if over() {
                return Verdict::Abandoned;
            }
            match self.try_put(message) {
                Ok(()) => return Verdict::Done(Flow::Continue),
                Err((again, still)) => (message, why) = (again, still),
            }
        }
    }

    /// One attempt; gives the message back if there is no room, and the reason that many publishers know.
    #[inline]
    fn try_put(&mut self, message: U) -> Result<(), (U, Option<Refused>)> {
        let spent = &mut self.spent;
        match &mut self.publisher {
            Publisher::One(publisher) => publisher
                .claim
                .edit_with(message, |item, message| item.set(message, spent))
                .map_err(|message| (message, None)),
            Publisher::Many(publisher) => publisher.many.edit_with(message, |item, message| {
                item.set(message, spent);
                Ok(())
            }),
        }
    }
}
