//! A topic: its ring's ends, by what it promises and by how many publish.

use super::{
    error::TopicError,
    home::{Home, Owned, TopicPublisher},
    options::{TopicInfo, TopicMode, TopicOptions},
};
use crate::{
    builder::Builder,
    contract::{Contract, Gating, Lossy},
    error::BuildError,
    publisher::MpPublisher,
    slot::Payload,
    subscribable::Subscribable,
    subscriber::Subscriber,
};
// door: a name is an `Arc<str>`, which only this count makes.
use alloc::sync::Arc;

/// See the module.
pub(super) enum Entry<T: 'static> {
    Lossy(Ends<T, Lossy>),
    Gating(Ends<T, Gating>),
}

/// The ends of a ring under one contract.
pub(super) struct Ends<T: 'static, C: Contract> {
    publishers: Publishers<T, C>,
    subscribable: Subscribable<T, C>,
}

enum Publishers<T: 'static, C: Contract> {
    One(Owned<T, C>),
    Many(MpPublisher<T, C>),
}

impl<T: Payload> Entry<T> {
    pub(super) fn new(options: &TopicOptions) -> Result<Self, BuildError> {
        let builder = Builder::new(options.capacity)
            .watermark(options.watermark)
            .wait(options.strategy);
        Ok(match (options.mode, options.many) {
            (TopicMode::Lossy, false) => Self::Lossy(Ends::of_one(builder.lossy()?)),
            (TopicMode::Lossy, true) => Self::Lossy(Ends::of_many(builder.lossy_mpmc()?)),
            (TopicMode::Gating, false) => Self::Gating(Ends::of_one(builder.gating()?)),
            (TopicMode::Gating, true) => Self::Gating(Ends::of_many(builder.gating_mpmc()?)),
        })
    }

    pub(super) fn mode(&self) -> TopicMode {
        match self {
            Self::Lossy(_) => TopicMode::Lossy,
            Self::Gating(_) => TopicMode::Gating,
        }
    }

    pub(super) fn lossy(&self) -> Result<&Ends<T, Lossy>, TopicError> {
        match self {
            Self::Lossy(ends) => Ok(ends),
            Self::Gating(_) => Err(self.not(TopicMode::Lossy)),
        }
    }

    pub(super) fn gating(&self) -> Result<&Ends<T, Gating>, TopicError> {
        match self {
            Self::Gating(ends) => Ok(ends),
            Self::Lossy(_) => Err(self.not(TopicMode::Gating)),
        }
    }

    fn not(&self, asked: TopicMode) -> TopicError {
        TopicError::Mode {
            asked,
            found: self.mode(),
        }
    }

    /// A lossy subscriber, whatever the topic promises to others.
    pub(super) fn tap(&self) -> Subscriber<T, Lossy> {
        match self {
            Self::Lossy(ends) => ends.subscribable.subscribe(),
            Self::Gating(ends) => ends.subscribable.subscribe_lossy(),
        }
    }

    pub(super) fn info(&self, name: &Arc<str>) -> TopicInfo {
        let (capacity, many, is_published, published) = match self {
            Self::Lossy(ends) => ends.figures(),
            Self::Gating(ends) => ends.figures(),
        };
        TopicInfo {
            name: Arc::clone(name),
            message: core::any::type_name::<T>(),
            mode: self.mode(),
            capacity,
            many,
            is_published,
            published,
        }
    }
}

impl<T: Payload, C: Contract> Ends<T, C> {
    fn of_one((publisher, subscribable): (crate::Publisher<T, C>, Subscribable<T, C>)) -> Self {
        Self {
            publishers: Publishers::One(Owned(Home::new(publisher))),
            subscribable,
        }
    }

    fn of_many((publisher, subscribable): (MpPublisher<T, C>, Subscribable<T, C>)) -> Self {
        Self {
            publishers: Publishers::Many(publisher),
            subscribable,
        }
    }

    /// The publisher of a topic of one.
    pub(super) fn publisher(&self) -> Result<TopicPublisher<T, C>, TopicError> {
        match &self.publishers {
            Publishers::One(owned) => owned.0.take().ok_or_else(|| self.without_publisher()),
            Publishers::Many(_) => Err(TopicError::Many),
        }
    }

    /// Why a topic of one has none to give.
    fn without_publisher(&self) -> TopicError {
        if self.subscribable.is_closed() {
            TopicError::Ended
        } else {
            TopicError::Taken
        }
    }

    /// A publisher of a topic of many.
    pub(super) fn shared_publisher(&self) -> Result<MpPublisher<T, C>, TopicError> {
        match &self.publishers {
            Publishers::One(_) => Err(TopicError::One),
            Publishers::Many(publisher) => Ok(publisher.clone()),
        }
    }

    pub(super) fn subscribable(&self) -> Subscribable<T, C> {
        self.subscribable.clone()
    }

    /// Capacity, whether there are many publishers, whether one is out, and messages published.
    fn figures(&self) -> (usize, bool, bool, u64) {
        let (many, is_published) = match &self.publishers {
            Publishers::One(owned) => (false, owned.0.is_out()),
            Publishers::Many(publisher) => (true, publisher.handles() > 1),
        };
        let subscribable = &self.subscribable;
        (
            subscribable.capacity(),
            many,
            is_published,
            subscribable.published(),
        )
    }
}
