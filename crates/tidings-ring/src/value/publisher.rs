//! The end that publishes, on a ring of values.

use super::{ValueSubscribable, Values, cell::Node};
use crate::{
    claim::many::{Keys, Many, Refused},
    contract::Lossy,
    error::TryPublishError,
    metrics::PublisherMetrics,
    ring::Ring,
};
use alloc::boxed::Box;
use core::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};
use tidings_core::sync::Arc;
#[cfg(feature = "std")]
use tidings_core::wait::Deadline;

/// What goes into a slot: a message, or nothing.
type MaybeNode<T> = Option<Box<Node<T>>>;

/// A publisher of a ring of values, one of any number: clone it, or share a reference. When the last one is dropped the ring
/// closes.
///
/// # Progress and cost
/// A publication allocates its value, claims a slot (one read-modify-write), and replaces what was in it. Now and then it
/// looks which of the replaced values nobody reads any more, and drops them: so a value may outlive its slot by 32 more
/// publications, or as long as a subscriber borrows it. At most capacity + 32 + one a subscriber are alive;
/// [`clear`](Self::clear) lets go of those that nobody borrows.
///
/// # Memory ordering
/// What a publisher did before it published a message happens before whatever a subscriber does after receiving it, and
/// whatever subscribers did with a value happens before it is dropped.
///
/// # Panics
/// Publishing drops old values, on this thread, and wakes tasks. When a destructor or a waker panics, so does the call; the
/// message is published then, and the other values are dropped.
#[must_use = "dropping the last publisher closes the ring"]
pub struct ValuePublisher<T: 'static> {
    many: Many<Values<T>>,
}

impl<T: Send + Sync + 'static> ValuePublisher<T> {
    pub(crate) fn new(ring: Arc<Ring<Values<T>>>) -> Self {
        Self {
            many: Many::new(ring),
        }
    }

    /// Publishes one value, unless the slot is taken by another publisher that has stopped in the middle of its own
    /// message, a whole lap ago.
    ///
    /// # Errors
    /// [`TryPublishError::Full`] with the value.
    pub fn try_publish(&self, value: T) -> Result<(), TryPublishError<T>> {
        self.put(Node::new(value))
            .map_err(|(_, node)| TryPublishError::Full(node.into_inner()))
    }

    /// Publishes one value. Waits for no subscriber; for a publisher that has stopped in the middle of its own message, if it
    /// is a whole lap behind.
    ///
    /// # Examples
    /// ```
    /// let (publisher, subscribable) = tidings_ring::value_channel::<String>(8);
    /// let mut subscriber = subscribable.subscribe();
    /// publisher.publish("any type will do".to_owned());
    /// assert_eq!(&*subscriber.try_recv_ref()?, "any type will do");
    /// # Ok::<(), tidings_ring::TryRecvError>(())
    /// ```
    #[cfg(feature = "std")]
    pub fn publish(&self, value: T) {
        let mut node = Node::new(value);
        while let Err((refused, again)) = self.put(node) {
            node = again;
            self.many.wait::<Lossy>(refused, 1, Deadline::NEVER);
        }
    }

    /// The task's form of `publish`.
    ///
    /// # Cancel safety
    /// A future that is dropped before it is ready has published nothing.
    pub fn publish_async(&self, value: T) -> ValuePublishFuture<'_, T> {
        ValuePublishFuture {
            publisher: self,
            node: Some(Node::new(value)),
            keys: Keys::default(),
        }
    }

    /// Lets go of every value that the ring holds and nobody borrows. It does so by publishing a whole lap of messages that
    /// are none: subscribers that are behind lose what they have not received, and pass over the rest.
    ///
    /// Stops early at a slot of a publisher that has stopped in the middle of its own message.
    pub fn clear(&self) {
        for _ in 0..self.capacity() {
            if self.replace(None).is_err() {
                break;
            }
        }
        self.many.ring.slots.reclaim();
    }

    /// The place to subscribe at.
    pub fn subscribable(&self) -> ValueSubscribable<T> {
        ValueSubscribable::new(Arc::clone(&self.many.ring))
    }

    fn put(&self, node: Box<Node<T>>) -> Result<(), (Refused, Box<Node<T>>)> {
        self.replace(Some(node)).map_err(|(refused, node)| {
            let node = node.expect("what was refused is what was offered");
            (refused, node)
        })
    }

    /// Claims a slot for `node`, or for nothing.
    fn replace(&self, node: MaybeNode<T>) -> Result<(), (Refused, MaybeNode<T>)> {
        let batch = match self.many.claim_single::<Lossy>() {
            Ok(batch) => batch,
            Err(refused) => return Err((refused, node)),
        };
        self.many.ring.slots.put(batch, node);
        Ok(())
    }
}

impl<T> ValuePublisher<T> {
    /// The sequence that the next message gets: how many were claimed so far, on a ring that starts at 0.
    pub fn published(&self) -> u64 {
        self.many.ring.shared.published().get()
    }

    /// The counts as of now, to be compared with those of another time.
    pub fn metrics(&self) -> PublisherMetrics {
        PublisherMetrics::of(&self.many.ring.shared)
    }

    /// Slots of the ring.
    pub fn capacity(&self) -> usize {
        self.many.ring.shared.capacity
    }

    /// Whether both publish into the same ring.
    pub fn same_channel(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.many.ring, &other.many.ring)
    }
}

impl<T> Clone for ValuePublisher<T> {
    fn clone(&self) -> Self {
        Self {
            many: self.many.clone(),
        }
    }
}

impl<T> fmt::Debug for ValuePublisher<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValuePublisher")
            .field("ring", &self.many.ring)
            .finish_non_exhaustive()
    }
}

/// Publishes a value; see [`ValuePublisher::publish_async`].
#[must_use = "futures do nothing unless polled"]
pub struct ValuePublishFuture<'a, T: 'static> {
    publisher: &'a ValuePublisher<T>,
    node: Option<Box<Node<T>>>,
    keys: Keys,
}

impl<T: Send + Sync + 'static> Future for ValuePublishFuture<'_, T> {
    type Output = ();

    /// # Panics
    /// When it is polled after it was ready: the value was published then, once.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Self {
            publisher,
            node,
            keys,
        } = self.get_mut();
        loop {
            let pending = node
                .take()
                .expect("a ValuePublishFuture was polled after it was ready");
            let (refused, pending) = match publisher.put(pending) {
                Ok(()) => break,
                Err(refused) => refused,
            };
            *node = Some(pending);
            ready!(publisher.many.poll_wait::<Lossy>(refused, 1, keys, cx));
        }
        publisher.many.cancel(keys);
        Poll::Ready(())
    }
}

impl<T> Drop for ValuePublishFuture<'_, T> {
    fn drop(&mut self) {
        self.publisher.many.cancel(&mut self.keys);
    }
}

impl<T> fmt::Debug for ValuePublishFuture<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValuePublishFuture")
            .field("publisher", &self.publisher)
            .finish_non_exhaustive()
    }
}
