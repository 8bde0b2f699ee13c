//! A bus of topics of any types, and the table behind every bus.
//!
//! ```text
//! States    `topics`: name → topic, behind a lock · a topic: an `Entry<T>`, erased
//! Find      T1 look it up, lock   T2 not there: make one with no lock held   T3 put it in unless somebody else has, lock
//! I1        a name leads to one topic; whoever lost T3 drops what it made, which nobody has seen
//! I2        no ring is made, dropped or closed while the lock is held: what T3 or `remove` takes out is dropped after it
//! ```

use super::{
    entry::Entry,
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
use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};
use core::{any::Any, fmt};
use tidings_core::sync::Lock;

/// Rings of any type of message, by name: as [`Topics`](crate::Topics), whose methods it has, each with the type of
/// the message as a parameter. A topic is of the type that it was made with.
///
/// # Examples
/// ```
/// use tidings_ring::{AnyTopics, TopicError, TopicOptions};
/// let topics = AnyTopics::new(TopicOptions::new(64));
/// let mut names = topics.subscribe::<[u8; 8]>("names")?;
/// topics.publisher("names")?.publish(*b"tidings ");
/// assert_eq!(names.try_recv().as_ref(), Ok(b"tidings "));
/// let error = topics.subscribe::<u64>("names").unwrap_err();
/// assert_eq!(error.to_string(), "the topic carries [u8; 8], not u64");
/// # Ok::<(), TopicError>(())
/// ```
#[derive(Clone)]
pub struct AnyTopics(Arc<Bus>);

struct Bus {
    options: TopicOptions,
    topics: Lock<BTreeMap<Arc<str>, Arc<dyn Topic>>>,
}

/// A topic whose type is not known.
trait Topic: Send + Sync {
    fn info(&self, name: &Arc<str>) -> TopicInfo;
    fn message(&self) -> &'static str;
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl<T: Payload> Topic for Entry<T> {
    fn info(&self, name: &Arc<str>) -> TopicInfo {
        Entry::info(self, name)
    }

    fn message(&self) -> &'static str {
        core::any::type_name::<T>()
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

impl AnyTopics {
    /// A bus without topics; those that are made because somebody asks for them are made as `options` say.
    #[must_use]
    pub fn new(options: TopicOptions) -> Self {
        Self(Arc::new(Bus {
            options,
            topics: Lock::new(BTreeMap::new()),
        }))
    }

    /// Makes a topic.
    ///
    /// # Errors
    /// [`TopicError::Exists`], [`TopicError::Build`].
    pub fn create<T: Payload>(&self, name: &str, options: TopicOptions) -> Result<(), TopicError> {
        if self.contains(name) {
            return Err(TopicError::Exists);
        }
        let made = Arc::new(Entry::<T>::new(&options)?);
        let found = self.insert(name, made.clone());
        if Arc::ptr_eq(&found, &(made as Arc<dyn Topic>)) {
            Ok(())
        } else {
            Err(TopicError::Exists)
        }
    }

    /// T1 to T3.
    fn topic<T: Payload>(&self, name: &str) -> Result<Arc<Entry<T>>, TopicError> {
        let found = self.0.topics.lock().get(name).cloned();
        let topic = match found {
            Some(topic) => topic,
            None => {
                let made = Arc::new(Entry::<T>::new(&self.0.options)?);
                self.insert(name, made)
            }
        };
        let found = topic.message();
        topic.as_any().downcast().map_err(|_| TopicError::Type {
            asked: core::any::type_name::<T>(),
            found,
        })
    }

    /// T3: what the name leads to then.
    fn insert(&self, name: &str, made: Arc<dyn Topic>) -> Arc<dyn Topic> {
        let name: Arc<str> = name.into();
        let mut topics = self.0.topics.lock();
        Arc::clone(topics.entry(name).or_insert(made))
    }

    /// As [`Topics::publisher`](crate::Topics::publisher).
    ///
    /// # Errors
    /// As there, and [`TopicError::Type`] when the topic carries another type.
    pub fn publisher<T: Payload>(
        &self,
        name: &str,
    ) -> Result<TopicPublisher<T, Lossy>, TopicError> {
        self.topic(name)?.lossy()?.publisher()
    }

    /// As [`Topics::gating_publisher`](crate::Topics::gating_publisher).
    ///
    /// # Errors
    /// As [`publisher`](Self::publisher).
    pub fn gating_publisher<T: Payload>(
        &self,
        name: &str,
    ) -> Result<TopicPublisher<T, Gating>, TopicError> {
        self.topic(name)?.gating()?.publisher()
    }

    /// As [`Topics::shared_publisher`](crate::Topics::shared_publisher).
    ///
    /// # Errors
    /// As [`publisher`](Self::publisher).
    pub fn shared_publisher<T: Payload>(
        &self,
        name: &str,
    ) -> Result<MpPublisher<T, Lossy>, TopicError> {
        self.topic(name)?.lossy()?.shared_publisher()
    }

    /// As [`Topics::shared_gating_publisher`](crate::Topics::shared_gating_publisher).
    ///
    /// # Errors
    /// As [`publisher`](Self::publisher).
    pub fn shared_gating_publisher<T: Payload>(
        &self,
        name: &str,
    ) -> Result<MpPublisher<T, Gating>, TopicError> {
        self.topic(name)?.gating()?.shared_publisher()
    }

    /// As [`Topics::subscribe`](crate::Topics::subscribe).
    ///
    /// # Errors
    /// As there, and [`TopicError::Type`].
    pub fn subscribe<T: Payload>(&self, name: &str) -> Result<Subscriber<T, Lossy>, TopicError> {
        Ok(self.topic(name)?.tap())
    }

    /// As [`Topics::subscribe_gating`](crate::Topics::subscribe_gating).
    ///
    /// # Errors
    /// As there, and [`TopicError::Type`].
    pub fn subscribe_gating<T: Payload>(
        &self,
        name: &str,
    ) -> Result<Subscriber<T, Gating>, TopicError> {
        Ok(self.gating_subscribable(name)?.subscribe())
    }

    /// As [`Topics::subscribable`](crate::Topics::subscribable).
    ///
    /// # Errors
    /// As there, and [`TopicError::Type`].
    pub fn subscribable<T: Payload>(
        &self,
        name: &str,
    ) -> Result<Subscribable<T, Lossy>, TopicError> {
        Ok(self.topic(name)?.lossy()?.subscribable())
    }

    /// As [`Topics::gating_subscribable`](crate::Topics::gating_subscribable).
    ///
    /// # Errors
    /// As there, and [`TopicError::Type`].
    pub fn gating_subscribable<T: Payload>(
        &self,
        name: &str,
    ) -> Result<Subscribable<T, Gating>, TopicError> {
        Ok(self.topic(name)?.gating()?.subscribable())
    }

    /// Whether there is such a topic.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.0.topics.lock().contains_key(name)
    }

    /// The topics, by name.
    #[must_use]
    pub fn list(&self) -> Vec<TopicInfo> {
        let topics: Vec<_> = {
            let topics = self.0.topics.lock();
            let pairs = topics.iter();
            pairs
                .map(|(name, topic)| (Arc::clone(name), Arc::clone(topic)))
                .collect()
        };
        topics
            .iter()
            .map(|(name, topic)| topic.info(name))
            .collect()
    }

    /// As [`Topics::remove`](crate::Topics::remove).
    ///
    /// # Errors
    /// [`TopicError::Unknown`].
    pub fn remove(&self, name: &str) -> Result<(), TopicError> {
        let removed = self.0.topics.lock().remove(name);
        // The lock is given back by now: dropping the topic closes its ring, which wakes those who wait.
        removed.map(drop).ok_or(TopicError::Unknown)
    }
}

impl fmt::Debug for AnyTopics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyTopics").field(&self.list()).finish()
    }
}
