//! A bus of topics of any types, and the table behind every bus.
//!
//! ```text
//! States    `topics`: name → topic, behind a lock · a topic: an `Entry<T>`, erased
//! Find      T1 look it up, lock   T2 not there: make one with no lock held   T3 put it in unless somebody else has, lock
//! Lend      T4 find, and ask the topic for a publisher; it was removed meanwhile (I3 of home.rs): T1 again
//! Remove    T5 take it out, lock   T6 end it, with no lock held
//! I1        a name leads to one topic; whoever lost T3 drops what it made, which nobody has seen
//! I2        no ring is made, dropped or closed while the lock is held, and nothing of a user's runs: wakers, what listens to
//!           `tracing`
//! I3        a topic is out of the table before it ends
//! Progress  blocking, for the time of a look-up; T4 begins anew only because somebody removed the topic
//! ```

use super::{
    entry::{Asked, Entry},
    error::TopicError,
    home::TopicPublisher,
    options::{TopicInfo, TopicMode, TopicOptions},
    quiet,
};
use crate::{
    contract::{Gating, Lossy},
    publisher::MpPublisher,
    slot::Payload,
    subscribable::Subscribable,
    subscriber::Subscriber,
};
use alloc::{
    collections::{BTreeMap, btree_map::Entry as Place},
    sync::Arc,
    vec::Vec,
};
use core::{any::Any, fmt, mem};
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
    fn has_publisher(&self) -> bool;
    fn close(&self);
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl<T: Payload> Topic for Entry<T> {
    fn info(&self, name: &Arc<str>) -> TopicInfo {
        Entry::info(self, name)
    }

    fn message(&self) -> &'static str {
        core::any::type_name::<T>()
    }

    fn has_publisher(&self) -> bool {
        Entry::has_publisher(self)
    }

    fn close(&self) {
        Entry::close(self);
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

impl Drop for Bus {
    /// T6 for each: whoever still looked one up has the bus, so nobody does.
    fn drop(&mut self) {
        let topics = mem::take(self.topics.get_mut());
        quiet::each(topics.into_values(), |topic| topic.close());
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

    /// As [`Topics::create`](crate::Topics::create).
    ///
    /// # Errors
    /// As there; a topic of another type is one of that name, too.
    pub fn create<T: Payload>(&self, name: &str, options: TopicOptions) -> Result<(), TopicError> {
        if self.contains(name) {
            return Err(TopicError::Exists);
        }
        let made = Arc::new(Entry::<T>::new(&options)?);
        match self.insert(name, made) {
            (_, None) => Ok(()),
            (_, Some(_)) => Err(TopicError::Exists),
        }
    }

    /// T1 to T3.
    fn topic<T: Payload>(&self, name: &str, asked: Asked) -> Result<Arc<Entry<T>>, TopicError> {
        let found = self.find(name);
        let topic = match found {
            Some(topic) => topic,
            None => {
                asked.check(&self.0.options)?;
                let made = Arc::new(Entry::<T>::new(&self.0.options)?);
                self.insert(name, made).0
            }
        };
        let found = topic.message();
        topic.as_any().downcast().map_err(|_| TopicError::Type {
            asked: core::any::type_name::<T>(),
            found,
        })
    }

    /// T1
    fn find(&self, name: &str) -> Option<Arc<dyn Topic>> {
        self.0.topics.lock().get(name).cloned()
    }

    /// T3: what the name leads to then, and what was made if it is not that, to be dropped now that no lock is held.
    fn insert(&self, name: &str, made: Arc<dyn Topic>) -> (Arc<dyn Topic>, Option<Arc<dyn Topic>>) {
        let name: Arc<str> = name.into();
        match self.0.topics.lock().entry(name) {
            Place::Occupied(found) => (Arc::clone(found.get()), Some(made)),
            Place::Vacant(free) => (Arc::clone(free.insert(made)), None),
        }
    }

    /// T4
    fn lend<T: Payload, P>(
        &self,
        name: &str,
        asked: Asked,
        lend: impl Fn(&Entry<T>) -> Result<Option<P>, TopicError>,
    ) -> Result<P, TopicError> {
        loop {
            if let Some(publisher) = lend(&*self.topic(name, asked)?)? {
                return Ok(publisher);
            }
        }
    }

    /// As [`Topics::publisher`](crate::Topics::publisher).
    ///
    /// # Errors
    /// As there, and [`TopicError::Type`] when the topic carries another type.
    pub fn publisher<T: Payload>(
        &self,
        name: &str,
    ) -> Result<TopicPublisher<T, Lossy>, TopicError> {
        self.lend(name, Asked::one(TopicMode::Lossy), |topic| {
            topic.lossy()?.publisher()
        })
    }

    /// As [`Topics::gating_publisher`](crate::Topics::gating_publisher).
    ///
    /// # Errors
    /// As [`publisher`](Self::publisher).
    pub fn gating_publisher<T: Payload>(
        &self,
        name: &str,
    ) -> Result<TopicPublisher<T, Gating>, TopicError> {
        self.lend(name, Asked::one(TopicMode::Gating), |topic| {
            topic.gating()?.publisher()
        })
    }

    /// As [`Topics::shared_publisher`](crate::Topics::shared_publisher).
    ///
    /// # Errors
    /// As [`publisher`](Self::publisher).
    pub fn shared_publisher<T: Payload>(
        &self,
        name: &str,
    ) -> Result<MpPublisher<T, Lossy>, TopicError> {
        self.lend(name, Asked::many(TopicMode::Lossy), |topic| {
            topic.lossy()?.shared_publisher()
        })
    }

    /// As [`Topics::shared_gating_publisher`](crate::Topics::shared_gating_publisher).
    ///
    /// # Errors
    /// As [`publisher`](Self::publisher).
    pub fn shared_gating_publisher<T: Payload>(
        &self,
        name: &str,
    ) -> Result<MpPublisher<T, Gating>, TopicError> {
        self.lend(name, Asked::many(TopicMode::Gating), |topic| {
            topic.gating()?.shared_publisher()
        })
    }

    /// As [`Topics::subscribe`](crate::Topics::subscribe).
    ///
    /// # Errors
    /// As there, and [`TopicError::Type`].
    pub fn subscribe<T: Payload>(&self, name: &str) -> Result<Subscriber<T, Lossy>, TopicError> {
        Ok(self.topic(name, Asked::ANY)?.tap())
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
        let topic = self.topic(name, Asked::of(TopicMode::Lossy))?;
        Ok(topic.lossy()?.subscribable())
    }

    /// As [`Topics::gating_subscribable`](crate::Topics::gating_subscribable).
    ///
    /// # Errors
    /// As there, and [`TopicError::Type`].
    pub fn gating_subscribable<T: Payload>(
        &self,
        name: &str,
    ) -> Result<Subscribable<T, Gating>, TopicError> {
        let topic = self.topic(name, Asked::of(TopicMode::Gating))?;
        Ok(topic.gating()?.subscribable())
    }

    /// Whether there is such a topic.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.0.topics.lock().contains_key(name)
    }

    /// As [`Topics::has_publisher`](crate::Topics::has_publisher).
    #[must_use]
    pub fn has_publisher(&self, name: &str) -> bool {
        self.find(name).is_some_and(|topic| topic.has_publisher())
    }

    /// As [`Topics::list`](crate::Topics::list).
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
    ///
    /// # Panics
    /// As there.
    pub fn remove(&self, name: &str) -> Result<(), TopicError> {
        let removed = self.0.topics.lock().remove(name); // T5
        let topic = removed.ok_or(TopicError::Unknown)?;
        quiet::each([topic], |topic| topic.close()); // T6
        Ok(())
    }
}

impl fmt::Debug for AnyTopics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyTopics").field(&self.list()).finish()
    }
}
