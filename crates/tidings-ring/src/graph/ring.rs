//! What a graph can stand on: rings of which every node's subscriber gates.

use crate::{
    contract::{After, Gating},
    error::SubscribeError,
    event::{EventSubscribable, EventSubscriber},
    slot::Payload,
    subscribable::Subscribable,
    subscriber::Subscriber,
    upstream::Upstream,
};
use tidings_core::Sequence;

/// Where the nodes of a [`Graph`](super::Graph) subscribe: a gating ring, or an in-place one. Sealed.
///
/// | | messages |
/// |---|---|
/// | [`Subscribable`]`<T, Gating>` | plain data, lent in place |
/// | [`EventSubscribable`]`<T>` | any `T`, lent in place |
pub trait GraphRing: sealed::Open {}

impl<T: Payload + Sync> GraphRing for Subscribable<T, Gating> {}
impl<T: Send + Sync + 'static> GraphRing for EventSubscribable<T> {}

pub(super) mod sealed {
    use super::{Sequence, SubscribeError, Upstream};
    use crate::consumer::Feed;

    /// See [`GraphRing`](super::GraphRing).
    pub trait Open {
        /// What its subscribers receive.
        type Message;
        /// Its subscribers that come after others.
        type Subscriber: Feed<Self::Message>;

        fn open(&self, upstreams: &[Upstream]) -> Result<Self::Subscriber, SubscribeError>;

        fn upstream(subscriber: &Self::Subscriber) -> Upstream;

        fn next(&self) -> Sequence;
    }
}

impl<T: Payload + Sync> sealed::Open for Subscribable<T, Gating> {
    type Message = T;
    type Subscriber = Subscriber<T, After>;

    fn open(&self, upstreams: &[Upstream]) -> Result<Self::Subscriber, SubscribeError> {
        self.subscribe_after(upstreams)
    }

    fn upstream(subscriber: &Self::Subscriber) -> Upstream {
        subscriber.upstream()
    }

    fn next(&self) -> Sequence {
        Sequence::new(self.published())
    }
}

impl<T: Send + Sync + 'static> sealed::Open for EventSubscribable<T> {
    type Message = T;
    type Subscriber = EventSubscriber<T, After>;

    fn open(&self, upstreams: &[Upstream]) -> Result<Self::Subscriber, SubscribeError> {
        self.subscribe_after(upstreams)
    }

    fn upstream(subscriber: &Self::Subscriber) -> Upstream {
        subscriber.upstream()
    }

    fn next(&self) -> Sequence {
        Sequence::new(self.published())
    }
}
