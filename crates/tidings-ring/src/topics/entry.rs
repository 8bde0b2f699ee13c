//! A topic: its ring's ends, by what it promises and by how many publish.

use super::{
    error::TopicError,
    home::{Absent, Home, TopicPublisher},
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
use tidings_core::sync::Lock;

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
    One(Home<T, C>),
    /// None once the topic was removed.
    Many(Lock<Option<MpPublisher<T, C>>>),
}

/// What is asked of a topic; what is not said may be anything.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    mode: Option<TopicMode>,
    many: Option<bool>,
}

impl Asked {
    pub(super) const ANY: Self = Self {
        mode: None,
        many: None,
    };

    pub(super) const fn of(mode: TopicMode) -> Self {
        Self {
            mode: Some(mode),
            many: None,
        }
    }

    pub(super) const fn one(mode: TopicMode) -> Self {
        Self {
            mode: Some(mode),
            many: Some(false),
        }
    }

    pub(super) const fn many(mode: TopicMode) -> Self {
        Self {
            mode: Some(mode),
            many: Some(true),
        }
    }

    /// Whether a topic that is made as `options` say would be it.
    pub(super) fn check(self, options: &TopicOptions) -> Result<(), TopicError> {
        let found = options.mode;
        if let Some(asked) = self.mode.filter(|mode| *mode != found) {
            return Err(TopicError::Mode { asked, found });
        }
        match self.many {
            Some(false) if options.many => Err(TopicError::Many),
            Some(true) if !options.many => Err(TopicError::One),
            _ => Ok(()),
        }
    }
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

    fn figures(&self) -> Figures {
        match self {
            Self::Lossy(ends) => ends.figures(),
            Self::Gating(ends) => ends.figures(),
        }
    }

    pub(super) fn info(&self, name: &Arc<str>) -> TopicInfo {
        let figures = self.figures();
        TopicInfo {
            name: Arc::clone(name),
            message: core::any::type_name::<T>(),
            mode: self.mode(),
            capacity: figures.capacity,
            many: figures.many,
            is_published: figures.is_published,
            has_publisher: figures.has_publisher,
            published: figures.published,
        }
    }

    /// Whether its publisher can be had.
    pub(super) fn has_publisher(&self) -> bool {
        self.figures().has_publisher
    }

    /// The topic was removed: its ring ends. To be called with no lock held, since that wakes those who wait for messages.
    pub(super) fn close(&self) {
        match self {
            Self::Lossy(ends) => ends.close(),
            Self::Gating(ends) => ends.close(),
        }
    }
}

/// What is told of a topic under either contract.
struct Figures {
    capacity: usize,
    many: bool,
    is_published: bool,
    has_publisher: bool,
    published: u64,
}

impl<T: Payload, C: Contract> Ends<T, C> {
    fn of_one((publisher, subscribable): (crate::Publisher<T, C>, Subscribable<T, C>)) -> Self {
        Self {
            publishers: Publishers::One(Home::new(publisher)),
            subscribable,
        }
    }

    fn of_many((publisher, subscribable): (MpPublisher<T, C>, Subscribable<T, C>)) -> Self {
        Self {
            publishers: Publishers::Many(Lock::new(Some(publisher))),
            subscribable,
        }
    }

    /// The publisher of a topic of one; none when the topic was removed meanwhile.
    pub(super) fn publisher(&self) -> Result<Option<TopicPublisher<T, C>>, TopicError> {
        let Publishers::One(home) = &self.publishers else {
            return Err(TopicError::Many);
        };
        match home.take() {
            Ok(publisher) => Ok(Some(publisher)),
            Err(Absent::Gone) => Ok(None),
            Err(Absent::Out) if !self.subscribable.is_closed() => Err(TopicError::Taken),
            // Closed since it was found out: by H5 of home.rs, or by the publisher, which was swapped out and dropped.
            Err(Absent::Out) if home.is_gone() => Ok(None),
            Err(Absent::Out | Absent::Lost) => Err(TopicError::Ended),
        }
    }

    /// A publisher of a topic of many; none when the topic was removed meanwhile.
    pub(super) fn shared_publisher(&self) -> Result<Option<MpPublisher<T, C>>, TopicError> {
        match &self.publishers {
            Publishers::One(_) => Err(TopicError::One),
            Publishers::Many(publisher) => Ok(publisher.lock().clone()),
        }
    }

    pub(super) fn subscribable(&self) -> Subscribable<T, C> {
        self.subscribable.clone()
    }

    /// A ring of many is not closed over the heads of its publishers: one of them may be in the middle of a message, and those
    /// that others have published behind it would be lost.
    fn close(&self) {
        match &self.publishers {
            Publishers::One(home) => home.close(&self.subscribable),
            Publishers::Many(publisher) => {
                let publisher = publisher.lock().take();
                drop(publisher);
            }
        }
    }

    fn figures(&self) -> Figures {
        let subscribable = &self.subscribable;
        let (many, has_publisher, is_published) = match &self.publishers {
            Publishers::One(home) => {
                let is_in = home.is_in();
                (false, is_in, !is_in && !subscribable.is_closed())
            }
            Publishers::Many(publisher) => {
                let handles = publisher.lock().as_ref().map(MpPublisher::handles);
                (true, handles.is_some(), handles.is_some_and(|n| n > 1))
            }
        };
        Figures {
            capacity: subscribable.capacity(),
            many,
            is_published,
            has_publisher,
            published: subscribable.published(),
        }
    }
}
