//! A bus of topics of one type of message.

use super::{
    any::AnyTopics,
    error::TopicError,
    home::TopicPublisher,
    options::{TopicInfo, TopicOptions},
};
use crate::{
    contract::{Gating, Lossy},
    publisher::MpPublisher,
    slot::Payload,
    subscribable::Subscribable,
    subscriber::Subscriber,
};
use alloc::vec::Vec;
use core::{fmt, marker::PhantomData};

/// Rings of one type of message, by name: a bus of topics. Clones are handles of the same bus. For messages of many types see
/// [`AnyTopics`].
///
/// | | |
/// |---|---|
/// | a topic | a ring of plain data: lossy or gating, of one publisher or many, of any capacity; see [`TopicOptions`] |
/// | made by | [`create`](Self::create), or by whoever first asks for its publisher or a subscriber, with the bus's options |
/// | its publisher | of a topic of one: lent by the bus, and taken back when it is dropped, so the stream goes on with the next one; of a topic of many: as many as are asked for |
/// | the end | [`remove`](Self::remove): subscribers receive the rest, then `Closed` |
/// | the bus is dropped, its last handle, that is | the same for every topic |
/// | an error | says what the topic is; nothing was made, or changed, by a call that fails |
///
/// # Progress and cost
/// What is published goes through the ring alone. The bus is a table of names behind a lock, which is held for a look-up, of
/// as many comparisons as the logarithm of the topics, and never while a ring is made or dropped, or user code runs: wakers may
/// use the bus. Lending and coming home take a lock of the topic's as well.
///
/// # Panics
/// Only when a waker panics that a topic's end wakes: in [`remove`](Self::remove), and when the last handle of the bus is
/// dropped. Every topic is ended, and every waker woken, before the first panic goes on; while the thread unwinds it is
/// swallowed. The bus stays usable.
///
/// # Examples
/// ```
/// use tidings_ring::{TopicMode, TopicOptions, Topics};
/// let topics = Topics::<f64>::new(TopicOptions::new(256));
/// let mut subscriber = topics.subscribe("seattle")?;
/// topics.publisher("seattle")?.publish(12.5);
/// assert_eq!(subscriber.try_recv(), Ok(12.5));
///
/// topics.create("log", TopicOptions::new(64).mode(TopicMode::Gating).many())?;
/// let mut log = topics.subscribe_gating("log")?;
/// topics.shared_gating_publisher("log")?.publish(1.0);
/// assert_eq!(log.recv(), Ok(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Topics<T: 'static> {
    bus: AnyTopics,
    message: PhantomData<fn() -> T>,
}

impl<T: Payload> Topics<T> {
    /// A bus without topics; those that are made because somebody asks for them are made as `options` say.
    #[must_use]
    pub fn new(options: TopicOptions) -> Self {
        Self {
            bus: AnyTopics::new(options),
            message: PhantomData,
        }
    }

    /// Makes a topic as `options` say. Any string is a name, the empty one too.
    ///
    /// # Errors
    /// [`TopicError::Exists`]; [`TopicError::Build`] when the ring cannot be made.
    pub fn create(&self, name: &str, options: TopicOptions) -> Result<(), TopicError> {
        self.bus.create::<T>(name, options)
    }

    /// The publisher of a lossy topic of one, made if it does not exist.
    ///
    /// # Errors
    /// [`TopicError::Taken`] while somebody has it, [`TopicError::Ended`] when it was swapped out of the lent handle and does not
    /// come back; [`TopicError::Mode`], [`TopicError::Many`] when the topic, or what the bus would make, is of another kind;
    /// [`TopicError::Build`] when it cannot be made.
    pub fn publisher(&self, name: &str) -> Result<TopicPublisher<T, Lossy>, TopicError> {
        self.bus.publisher(name)
    }

    /// The publisher of a gating topic of one, as [`publisher`](Self::publisher).
    ///
    /// # Errors
    /// As [`publisher`](Self::publisher).
    pub fn gating_publisher(&self, name: &str) -> Result<TopicPublisher<T, Gating>, TopicError> {
        self.bus.gating_publisher(name)
    }

    /// A publisher of a lossy topic of many.
    ///
    /// # Errors
    /// As [`publisher`](Self::publisher), and [`TopicError::One`].
    pub fn shared_publisher(&self, name: &str) -> Result<MpPublisher<T, Lossy>, TopicError> {
        self.bus.shared_publisher(name)
    }

    /// A publisher of a gating topic of many.
    ///
    /// # Errors
    /// As [`shared_publisher`](Self::shared_publisher).
    pub fn shared_gating_publisher(
        &self,
        name: &str,
    ) -> Result<MpPublisher<T, Gating>, TopicError> {
        self.bus.shared_gating_publisher(name)
    }

    /// A lossy subscriber of any topic, also of a gating one, from the next message on; the topic is made if it does not exist.
    /// One that loses nothing: [`subscribe_gating`](Self::subscribe_gating).
    ///
    /// # Errors
    /// [`TopicError::Build`] when it cannot be made.
    pub fn subscribe(&self, name: &str) -> Result<Subscriber<T, Lossy>, TopicError> {
        self.bus.subscribe(name)
    }

    /// A gating subscriber of a gating topic, from the next message on.
    ///
    /// # Errors
    /// [`TopicError::Mode`] when the topic is lossy; [`TopicError::Build`] when it cannot be made.
    pub fn subscribe_gating(&self, name: &str) -> Result<Subscriber<T, Gating>, TopicError> {
        self.bus.subscribe_gating(name)
    }

    /// The place to subscribe at of a lossy topic, for every form there is.
    ///
    /// # Errors
    /// As [`subscribe_gating`](Self::subscribe_gating), the other way round.
    pub fn subscribable(&self, name: &str) -> Result<Subscribable<T, Lossy>, TopicError> {
        self.bus.subscribable(name)
    }

    /// The place to subscribe at of a gating topic.
    ///
    /// # Errors
    /// As [`subscribe_gating`](Self::subscribe_gating).
    pub fn gating_subscribable(&self, name: &str) -> Result<Subscribable<T, Gating>, TopicError> {
        self.bus.gating_subscribable(name)
    }
}

impl<T> Topics<T> {
    /// Whether there is such a topic.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.bus.contains(name)
    }

    /// Whether there is such a topic and its publisher can be had, as of now: of one, when it is at home; of many, always.
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::{TopicOptions, Topics};
    /// let topics = Topics::<u64>::new(TopicOptions::new(64));
    /// let publisher = topics.publisher("ticks")?;
    /// assert!(!topics.has_publisher("ticks"), "it is out");
    /// drop(publisher);
    /// assert!(topics.has_publisher("ticks"));
    /// # Ok::<(), tidings_ring::TopicError>(())
    /// ```
    #[must_use]
    pub fn has_publisher(&self, name: &str) -> bool {
        self.bus.has_publisher(name)
    }

    /// The topics, by name: which there are, as of one moment; each one's figures as of a moment later.
    #[must_use]
    pub fn list(&self) -> Vec<TopicInfo> {
        self.bus.list()
    }

    /// Takes a topic away: its name is free, and its ring ends.
    ///
    /// The ring of a topic of one is closed at once, also while its publisher is out: subscribers receive what was published
    /// before, and then the end. What such a publisher does after that is told at [`TopicPublisher`]. The ring of a topic of many
    /// closes when the last of its publishers is dropped, at once if none is out: closed over their heads, while one is in the
    /// middle of a message, it would lose those that the others have published behind it.
    ///
    /// # Errors
    /// [`TopicError::Unknown`].
    ///
    /// # Panics
    /// When a waker panics: the topic is removed, and its ring closed.
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::{RecvError, TopicOptions, Topics};
    /// let topics = Topics::<u64>::new(TopicOptions::new(64));
    /// let mut subscriber = topics.subscribe("ticks")?;
    /// let mut publisher = topics.publisher("ticks")?;
    /// publisher.publish(1);
    /// topics.remove("ticks")?;
    /// assert_eq!((subscriber.recv(), subscriber.recv()), (Ok(1), Err(RecvError)));
    /// assert!(publisher.is_removed() && !topics.contains("ticks"));
    /// # Ok::<(), tidings_ring::TopicError>(())
    /// ```
    pub fn remove(&self, name: &str) -> Result<(), TopicError> {
        self.bus.remove(name)
    }
}

impl<T> Clone for Topics<T> {
    fn clone(&self) -> Self {
        Self {
            bus: self.bus.clone(),
            message: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Topics<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Topics").field(&self.bus).finish()
    }
}
