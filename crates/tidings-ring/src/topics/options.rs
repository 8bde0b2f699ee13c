//! What a topic's ring is to be, and what is told of one.

// door: a name is an `Arc<str>`, which only this count makes.
use alloc::sync::Arc;
use tidings_core::wait::WaitStrategy;

/// What a topic promises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum TopicMode {
    /// Nobody slows a publisher; subscribers know what they lost.
    Lossy,
    /// Nothing is lost; publishers wait for the slowest subscriber.
    Gating,
}

impl core::fmt::Display for TopicMode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Lossy => "lossy",
            Self::Gating => "gating",
        })
    }
}

/// How a topic's ring is made.
///
/// # Examples
/// ```
/// use tidings_ring::{TopicMode, TopicOptions, Topics};
/// let topics = Topics::<u64>::new(TopicOptions::new(64));
/// topics.create("orders", TopicOptions::new(1024).mode(TopicMode::Gating).many())?;
/// assert_eq!(topics.list()[0].capacity, 1024);
/// # Ok::<(), tidings_ring::TopicError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TopicOptions {
    pub(super) capacity: usize,
    pub(super) mode: TopicMode,
    pub(super) many: bool,
    pub(super) watermark: usize,
    pub(super) strategy: WaitStrategy,
}

impl TopicOptions {
    /// A lossy topic of one publisher, with room for `capacity` messages.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self {
            capacity,
            mode: TopicMode::Lossy,
            many: false,
            watermark: 0,
            strategy: WaitStrategy::ADAPTIVE,
        }
    }

    /// What it promises.
    #[must_use]
    pub const fn mode(mut self, mode: TopicMode) -> Self {
        self.mode = mode;
        self
    }

    /// With any number of publishers at a time.
    #[must_use]
    pub const fn many(mut self) -> Self {
        self.many = true;
        self
    }

    /// Slots of distance from the slowest gating subscriber; see [`Builder::watermark`](crate::Builder::watermark).
    #[must_use]
    pub const fn watermark(mut self, slots: usize) -> Self {
        self.watermark = slots;
        self
    }

    /// How both ends wait when the call does not say.
    #[must_use]
    pub const fn wait(mut self, strategy: WaitStrategy) -> Self {
        self.strategy = strategy;
        self
    }
}

/// A topic, as the bus knew it at one moment.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TopicInfo {
    /// Its name.
    pub name: Arc<str>,
    /// The name of the type of its messages, as the compiler gives it: for people.
    pub message: &'static str,
    /// What it promises.
    pub mode: TopicMode,
    /// Slots of its ring.
    pub capacity: usize,
    /// Whether it has any number of publishers.
    pub many: bool,
    /// Whether its publisher is out, and the stream goes on; of many, whether one is.
    pub is_published: bool,
    /// Whether its publisher can be had; of many, always. If not, and `is_published` is not set either, it has ended.
    pub has_publisher: bool,
    /// Messages published so far.
    pub published: u64,
}
