//! How long messages take: a moment that travels in the message, and a histogram of the times since.
//!
//! What is measured begins where the moment is taken. In `publish(Tick { sent: Moment::now() })` that is before the wait for
//! room, so the time that a full ring takes is counted; [`publish_with`](crate::Publisher::publish_with) of a single publisher
//! makes the message after it.

use bytemuck::{Pod, Zeroable};
use core::fmt;
use hdrhistogram::Histogram;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A moment of this process's monotonic clock, small enough to travel in a message: plain data of 8 bytes.
///
/// Only meaningful within one process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct Moment {
    /// Nanoseconds since the first moment that the process asked for.
    nanos: u64,
}

impl Moment {
    /// This moment. Reads the clock once: some tens of nanoseconds on most systems.
    #[must_use]
    pub fn now() -> Self {
        static START: OnceLock<Instant> = OnceLock::new();
        let since = START.get_or_init(Instant::now).elapsed();
        Self {
            nanos: nanos(since),
        }
    }

    /// The time since this moment; 0 for a later one.
    #[must_use]
    pub fn elapsed(self) -> Duration {
        Duration::from_nanos(Self::now().nanos.saturating_sub(self.nanos))
    }
}

/// A histogram of durations from 1 ns to an hour, three digits exact, by the crate `hdrhistogram`.
///
/// One thread records; [`add`](Self::add) joins the histograms of several.
///
/// # Examples
/// ```
/// use tidings_ring::latency::{Latency, Moment};
/// let (mut publisher, subscribable) = tidings_ring::channel::<Moment>(8);
/// let mut subscriber = subscribable.subscribe();
/// let mut latency = Latency::new();
/// publisher.publish(Moment::now());
/// for sent in subscriber.drain() {
///     latency.record_since(sent);
/// }
/// assert_eq!(latency.len(), 1);
/// assert!(latency.quantile(0.5) <= latency.max());
/// println!("{latency}");
/// ```
#[derive(Clone)]
pub struct Latency {
    histogram: Histogram<u64>,
}

/// The longest duration that is told apart.
const LONGEST: Duration = Duration::from_secs(3600);

impl Latency {
    /// A histogram of nothing. It takes about 300 KiB.
    #[must_use]
    pub fn new() -> Self {
        let histogram = Histogram::new_with_bounds(1, nanos(LONGEST), 3);
        Self {
            histogram: histogram.expect("the bounds and the digits are constants that it accepts"),
        }
    }

    /// Records a duration; one of more than an hour as an hour. No allocation.
    pub fn record(&mut self, duration: Duration) {
        self.histogram.saturating_record(nanos(duration));
    }

    /// Records the time since `sent`.
    pub fn record_since(&mut self, sent: Moment) {
        self.record(sent.elapsed());
    }

    /// Adds what another one has recorded.
    pub fn add(&mut self, other: &Self) {
        let added = self.histogram.add(&other.histogram);
        added.expect("all of these have the same bounds");
    }

    /// Forgets what was recorded.
    pub fn clear(&mut self) {
        self.histogram.reset();
    }

    /// Durations recorded.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.histogram.len()
    }

    /// Whether nothing was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.histogram.is_empty()
    }

    /// The duration that a share `quantile`, from 0 to 1, of those recorded do not exceed; 0 when there are none.
    #[must_use]
    pub fn quantile(&self, quantile: f64) -> Duration {
        Duration::from_nanos(self.histogram.value_at_quantile(quantile))
    }

    /// The longest duration recorded; 0 when there is none.
    #[must_use]
    pub fn max(&self) -> Duration {
        Duration::from_nanos(self.histogram.max())
    }

    /// The shortest duration recorded; 0 when there is none.
    #[must_use]
    pub fn min(&self) -> Duration {
        Duration::from_nanos(self.histogram.min())
    }

    /// The mean of the durations recorded; 0 when there are none.
    #[must_use]
    pub fn mean(&self) -> Duration {
        Duration::from_nanos(self.histogram.mean() as u64)
    }
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

impl Default for Latency {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} times: p50 {:?}, p90 {:?}, p99 {:?}, p99.9 {:?}, max {:?}",
            self.len(),
            self.quantile(0.5),
            self.quantile(0.9),
            self.quantile(0.99),
            self.quantile(0.999),
            self.max()
        )
    }
}

impl fmt::Debug for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Latency({self})")
    }
}
