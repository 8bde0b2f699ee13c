//! The place to subscribe at; a subscriber can be made from any thread, at any time, also late.

use crate::{
    contract::{After, Contract, Gating, Lossy, Tracked},
    cursor::Cursor,
    error::SubscribeError,
    observe::Observer,
    ring::Ring,
    shared::Start,
    slot::{Payload, Slots},
    subscriber::Subscriber,
    upstream::{Upstream, open_after},
};
use core::{fmt, marker::PhantomData};
use tidings_core::{Sequence, sync::Arc};

/// Where subscribers of a copying ring come from. Cheap to clone; holds no message back.
///
/// Subscribing is lock-free but for the allocation: a gating subscription allocates once for every eight gates that are
/// open at the same time; a lossy one never does.
pub struct Subscribable<T, C: Contract = Lossy> {
    ring: Arc<Ring<Slots<T>>>,
    contract: PhantomData<fn() -> C>,
}

impl<T: Payload, C: Contract> Subscribable<T, C> {
    pub(crate) fn new(ring: Arc<Ring<Slots<T>>>) -> Self {
        Self {
            ring,
            contract: PhantomData,
        }
    }

    /// A subscriber, under the contract of the ring, that starts with the next message.
    ///
    /// No message whose publication happened before this call is delivered; every one that happens
    /// after it is.
    pub fn subscribe(&self) -> Subscriber<T, C> {
        self.open(Start::Next)
    }

    /// A subscriber that never slows the publisher, on any ring; starts with the next message.
    pub fn subscribe_lossy(&self) -> Subscriber<T, Lossy> {
        Subscribable::<T, Lossy>::new(Arc::clone(&self.ring)).open(Start::Next)
    }

    /// A subscriber that starts with the oldest message it can be promised.
    ///
    /// On a lossy ring that is the oldest one retained: the last `capacity` messages, or all when
    /// there were fewer. On a gating ring the publisher may be about to overwrite some of these, so
    /// up to an eighth of the capacity (at least 1) fewer may be on offer; what is, is not lost.
    pub fn subscribe_from_oldest(&self) -> Subscriber<T, C> {
        self.open(Start::Oldest)
    }

    /// A subscriber that starts with message `sequence`.
    ///
    /// # Errors
    /// [`SubscribeError::Overwritten`] when that message can no longer be promised, with the oldest
    /// one that could be; [`SubscribeError::Future`] when it is later than the next one.
    /// Sequences wrap, so a number more than 2^63 ahead counts as behind.
    pub fn subscribe_at(&self, sequence: u64) -> Result<Subscriber<T, C>, SubscribeError> {
        Cursor::open(&self.ring, Start::At(Sequence::new(sequence))).map(Subscriber::new)
    }

    /// As [`subscribe_lossy`](Self::subscribe_lossy), with a cursor that observers can see; that costs it one more store a
    /// message.
    pub fn subscribe_tracked(&self) -> Subscriber<T, Tracked> {
        Subscribable::<T, Tracked>::new(Arc::clone(&self.ring)).open(Start::Next)
    }

    /// A look at the ring from outside.
    pub fn observer(&self) -> Observer {
        Observer::new(&self.ring)
    }

    fn open(&self, start: Start) -> Subscriber<T, C> {
        let cursor = Cursor::open(&self.ring, start);
        Subscriber::new(cursor.unwrap_or_else(|_| unreachable!("only Start::At can be refused")))
    }
}

impl<T: Payload> Subscribable<T, Gating> {
    /// A gating subscriber that receives a message only when all of `upstreams` have done with it; starts with the next
    /// message, and with it the ring holds a graph: a chain, a branch, a diamond, a join.
    ///
    /// An upstream has done with a message when it gave it back: [`try_recv_ref`](Subscriber::try_recv_ref) and its kin when
    /// the [`Ref`](crate::Ref) is dropped, [`read_batch`](Subscriber::read_batch) when the closure returns from it, every
    /// form that copies when it returns. What the upstream's thread did until then happens before this subscriber reads the
    /// message. Upstreams may come and go: one that is dropped, also by a panic, is not waited for any more. Nobody waits for
    /// somebody who joined later.
    ///
    /// Since this subscriber is never ahead of its upstreams, only the last ones of a graph hold the publisher back. A thread
    /// or task that waits here is woken by its upstreams, and by the publisher.
    ///
    /// # Errors
    /// [`SubscribeError::OtherRing`] when an upstream is a subscriber of another ring.
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::TryRecvError;
    /// let (mut publisher, subscribable) = tidings_ring::channel_bounded::<u64>(8, 0);
    /// let mut journal = subscribable.subscribe();
    /// let mut reply = subscribable.subscribe_after(&[journal.upstream()])?;
    ///
    /// publisher.publish(7);
    /// assert_eq!(reply.try_recv(), Err(TryRecvError::Empty), "the journal has not done with it");
    /// journal.read_batch(1, |message, _| assert_eq!(*message, 7));
    /// assert_eq!(reply.try_recv(), Ok(7));
    /// # Ok::<(), tidings_ring::SubscribeError>(())
    /// ```
    pub fn subscribe_after(
        &self,
        upstreams: &[Upstream],
    ) -> Result<Subscriber<T, After>, SubscribeError> {
        open_after(&self.ring, upstreams).map(Subscriber::new)
    }
}

impl<T, C: Contract> Subscribable<T, C> {
    /// What came of what [`Builder::memory`](crate::Builder::memory) asked for; `None` when nothing was asked, or this system has
    /// no mappings.
    #[cfg(feature = "platform")]
    pub fn memory(&self) -> Option<&crate::platform::MemoryReport> {
        self.ring.shared.memory.as_ref()
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.ring.shared.capacity
    }

    /// The sequence that the next message gets; an instant later there may be more.
    pub fn published(&self) -> u64 {
        self.ring.shared.published().get()
    }

    /// Whether the publisher is gone.
    pub fn is_closed(&self) -> bool {
        self.ring.shared.is_closed()
    }

    /// Closes the ring, whose one publisher is elsewhere.
    #[cfg(feature = "std")]
    pub(crate) fn close(&self) {
        self.ring.shared.close();
    }
}

impl<T, C: Contract> Clone for Subscribable<T, C> {
    fn clone(&self) -> Self {
        Self {
            ring: Arc::clone(&self.ring),
            contract: PhantomData,
        }
    }
}

impl<T, C: Contract> fmt::Debug for Subscribable<T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscribable")
            .field("ring", &self.ring)
            .finish_non_exhaustive()
    }
}
