//! How rings are made: three functions for the usual ones, a builder for the rest.

#[cfg(feature = "platform")]
use crate::platform::Memory;
use crate::{
    cell::Cells,
    contract::{Contract, Gating, Lossy},
    error::BuildError,
    event::{EventPublisher, EventSubscribable, MpEventPublisher},
    publisher::{MpPublisher, Publisher},
    ring::Ring,
    shared::Shared,
    slot::{Payload, Slots},
    subscribable::Subscribable,
    value::{ValuePublisher, ValueSubscribable, Values},
};
use tidings_core::{Sequence, sync::Arc, wait::WaitStrategy};

/// Both ends of a copying ring.
type Ends<T, C> = (Publisher<T, C>, Subscribable<T, C>);
/// Both ends of a copying ring of many publishers.
type MpEnds<T, C> = (MpPublisher<T, C>, Subscribable<T, C>);
/// Both ends of an in-place ring of many publishers.
type MpEventEnds<T> = (MpEventPublisher<T>, EventSubscribable<T>);
/// Both ends of a ring of values.
type ValueEnds<T> = (ValuePublisher<T>, ValueSubscribable<T>);
/// Both ends of an in-place ring.
type EventEnds<T> = (EventPublisher<T>, EventSubscribable<T>);

/// A lossy ring of `capacity` messages: publishing never waits, and a subscriber that is more than
/// `capacity` messages behind loses the oldest ones, and is told how many.
///
/// Any capacity from 1 on; a power of two is no faster.
///
/// # Panics
/// When the capacity is 0 or there is no memory for it; [`Builder::lossy`] returns these as errors.
///
/// # Examples
/// ```
/// let (mut publisher, subscribable) = tidings_ring::channel::<u64>(64);
/// let mut subscriber = subscribable.subscribe();
/// publisher.publish(7);
/// assert_eq!(subscriber.try_recv(), Ok(7));
/// ```
#[track_caller]
pub fn channel<T: Payload>(capacity: usize) -> (Publisher<T, Lossy>, Subscribable<T, Lossy>) {
    expect(Builder::new(capacity).lossy())
}

/// A gating ring: the publisher waits rather than overwrite a message that a gating subscriber has
/// not read. It keeps `watermark` slots of distance from the slowest one, as history for lossy
/// subscribers of the same ring; 0 uses every slot. A subscriber that joins at an old message may
/// find less than that, until the publisher has looked at the gates again.
///
/// # Panics
/// When the capacity is 0, the watermark is not below it, or there is no memory;
/// [`Builder::gating`] returns these as errors.
///
/// # Examples
/// ```
/// let (mut publisher, subscribable) = tidings_ring::channel_bounded::<u64>(2, 0);
/// let mut subscriber = subscribable.subscribe();
/// publisher.publish(1);
/// publisher.publish(2);
/// assert!(publisher.try_publish(3).is_err(), "the subscriber has read nothing yet");
/// assert_eq!(subscriber.try_recv(), Ok(1));
/// assert!(publisher.try_publish(3).is_ok());
/// ```
#[track_caller]
pub fn channel_bounded<T: Payload>(
    capacity: usize,
    watermark: usize,
) -> (Publisher<T, Gating>, Subscribable<T, Gating>) {
    expect(Builder::new(capacity).watermark(watermark).gating())
}

/// An in-place ring for any `T`: its `capacity` values are made once, by `factory`, edited in place
/// for every message, and read where they lie. Every subscriber gates.
///
/// # Panics
/// When the capacity is 0 or there is no memory, or when `factory` does; [`Builder::in_place`]
/// returns the first two as errors.
///
/// # Examples
/// ```
/// let (mut publisher, subscribable) = tidings_ring::event_channel(8, String::new);
/// let mut subscriber = subscribable.subscribe();
/// publisher.publish(|text| {
///     text.clear();
///     text.push_str("no allocation after the first lap");
/// });
/// assert_eq!(subscriber.process(|text| text.len()), Some(33));
/// ```
#[track_caller]
pub fn event_channel<T: Send + Sync + 'static>(
    capacity: usize,
    factory: impl FnMut() -> T,
) -> (EventPublisher<T>, EventSubscribable<T>) {
    expect(Builder::new(capacity).in_place(factory))
}

/// A lossy ring for any number of publishers: as [`channel`], and the publisher can be cloned and shared.
///
/// Subscribers see the messages of each publisher in its order, and all in the order in which they were claimed.
///
/// # Panics
/// As [`channel`]; [`Builder::lossy_mpmc`] returns errors.
///
/// # Examples
/// ```
/// let (publisher, subscribable) = tidings_ring::channel_mpmc::<u64>(64);
/// let mut subscriber = subscribable.subscribe();
/// std::thread::scope(|scope| {
///     scope.spawn(|| publisher.publish(1));
///     scope.spawn(|| publisher.publish(2));
/// });
/// assert_eq!(subscriber.drain().sum::<u64>(), 3);
/// ```
#[track_caller]
pub fn channel_mpmc<T: Payload>(
    capacity: usize,
) -> (MpPublisher<T, Lossy>, Subscribable<T, Lossy>) {
    expect(Builder::new(capacity).lossy_mpmc())
}

/// A gating ring for any number of publishers: as [`channel_bounded`], and the publisher can be cloned and shared.
///
/// Nothing is lost and nothing is claimed before there is room for it: a publisher that is refused, or gives up waiting,
/// leaves no hole.
///
/// # Panics
/// As [`channel_bounded`]; [`Builder::gating_mpmc`] returns errors.
///
/// # Examples
/// ```
/// let (publisher, subscribable) = tidings_ring::channel_mpmc_bounded::<u64>(2, 0);
/// let mut subscriber = subscribable.subscribe();
/// let other = publisher.clone();
/// assert!(publisher.try_publish(1).is_ok());
/// assert!(other.try_publish(2).is_ok());
/// assert!(publisher.try_publish(3).is_err(), "the subscriber has read nothing yet");
/// assert!(subscriber.drain().eq([1, 2]));
/// ```
#[track_caller]
pub fn channel_mpmc_bounded<T: Payload>(
    capacity: usize,
    watermark: usize,
) -> (MpPublisher<T, Gating>, Subscribable<T, Gating>) {
    expect(Builder::new(capacity).watermark(watermark).gating_mpmc())
}

/// An in-place ring for any number of publishers: as [`event_channel`], and the publisher can be cloned and shared.
///
/// A publisher edits its slot after it has claimed it, so subscribers wait at that message until the edit returns; if it
/// panics they pass over it.
///
/// # Panics
/// As [`event_channel`]; [`Builder::in_place_mpmc`] returns errors.
///
/// # Examples
/// ```
/// let (publisher, subscribable) = tidings_ring::event_channel_mpmc(8, Vec::new);
/// let mut subscriber = subscribable.subscribe();
/// publisher.publish(|bytes: &mut Vec<u8>| bytes.push(7));
/// assert_eq!(subscriber.process(|bytes| bytes[0]), Some(7));
/// ```
#[track_caller]
pub fn event_channel_mpmc<T: Send + Sync + 'static>(
    capacity: usize,
    factory: impl FnMut() -> T,
) -> (MpEventPublisher<T>, EventSubscribable<T>) {
    expect(Builder::new(capacity).in_place_mpmc(factory))
}

/// A lossy ring of values of any type, for any number of publishers: each message is a value on the heap. Subscribers borrow
/// it, or clone it; none slows a publisher. For values that are plain data [`channel_mpmc`] is faster.
///
/// # Panics
/// As [`channel`]; [`Builder::values`] returns errors.
///
/// # Examples
/// ```
/// let (publisher, subscribable) = tidings_ring::value_channel(64);
/// let mut subscriber = subscribable.subscribe();
/// publisher.publish(vec![1, 2, 3]);
/// assert_eq!(subscriber.try_recv_ref()?.len(), 3);
/// # Ok::<(), tidings_ring::TryRecvError>(())
/// ```
#[track_caller]
pub fn value_channel<T: Send + Sync + 'static>(
    capacity: usize,
) -> (ValuePublisher<T>, ValueSubscribable<T>) {
    expect(Builder::new(capacity).values())
}

#[track_caller]
fn expect<R>(built: Result<R, BuildError>) -> R {
    built.unwrap_or_else(|error| panic!("{error}"))
}

/// Makes a ring with more than the usual options.
///
/// # Examples
/// ```
/// use tidings_ring::{Builder, BuildError, WaitStrategy};
/// let (_publisher, subscribable) = Builder::new(1000)
///     .watermark(100)
///     .wait(WaitStrategy::Park)
///     .gating::<u32>()?;
/// assert_eq!(subscribable.capacity(), 1000);
/// # Ok::<(), BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    capacity: usize,
    watermark: usize,
    first: u64,
    strategy: WaitStrategy,
    #[cfg(feature = "platform")]
    memory: Option<Memory>,
}

impl Builder {
    /// A ring of `capacity` messages, with no watermark, from sequence 0, waiting adaptively.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self {
            capacity,
            watermark: 0,
            first: 0,
            strategy: WaitStrategy::ADAPTIVE,
            #[cfg(feature = "platform")]
            memory: None,
        }
    }

    /// What the memory of the slots should be like, on rings of plain data; the handles have a report of what came of it. Other
    /// rings are not built with such a wish: [`BuildError::MemoryOfValues`].
    #[cfg(feature = "platform")]
    #[must_use]
    pub const fn memory(mut self, memory: Memory) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Slots by which a gating publisher stays away from overwriting what its slowest gating
    /// subscriber reads next: history that lossy subscribers can count on. Only for
    /// [`gating`](Self::gating) and [`in_place`](Self::in_place).
    #[must_use]
    pub const fn watermark(mut self, slots: usize) -> Self {
        self.watermark = slots;
        self
    }

    /// The sequence of the first message, for a stream that goes on from an older one. It may be any
    /// number: sequences are right where they wrap.
    #[must_use]
    pub const fn first_sequence(mut self, sequence: u64) -> Self {
        self.first = sequence;
        self
    }

    /// How both ends wait when the call does not say.
    #[must_use]
    pub const fn wait(mut self, strategy: WaitStrategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// A lossy ring; see [`channel`].
    ///
    /// # Errors
    /// [`BuildError`], when the capacity is 0, the watermark is not below it (it has no other effect
    /// here), or there is no memory.
    pub fn lossy<T: Payload>(&self) -> Result<Ends<T, Lossy>, BuildError> {
        self.copying()
    }

    /// A gating ring; see [`channel_bounded`].
    ///
    /// # Errors
    /// [`BuildError`], when the capacity is 0, the watermark is not below it, or there is no memory.
    pub fn gating<T: Payload>(&self) -> Result<Ends<T, Gating>, BuildError> {
        self.copying()
    }

    /// An in-place ring; see [`event_channel`].
    ///
    /// # Errors
    /// [`BuildError`], when the capacity is 0, the watermark is not below it, or there is no memory
    /// for the slots.
    pub fn in_place<T: Send + Sync + 'static>(
        &self,
        factory: impl FnMut() -> T,
    ) -> Result<EventEnds<T>, BuildError> {
        let ring = self.cells(factory, false)?;
        Ok((
            EventPublisher::new(Arc::clone(&ring)),
            EventSubscribable::new(ring),
        ))
    }

    /// A lossy ring of many publishers; see [`channel_mpmc`].
    ///
    /// # Errors
    /// As [`lossy`](Self::lossy).
    pub fn lossy_mpmc<T: Payload>(&self) -> Result<MpEnds<T, Lossy>, BuildError> {
        let ring = self.slots(true)?;
        Ok((MpPublisher::new(Arc::clone(&ring)), Subscribable::new(ring)))
    }

    /// A gating ring of many publishers; see [`channel_mpmc_bounded`].
    ///
    /// # Errors
    /// As [`gating`](Self::gating).
    pub fn gating_mpmc<T: Payload>(&self) -> Result<MpEnds<T, Gating>, BuildError> {
        let ring = self.slots(true)?;
        Ok((MpPublisher::new(Arc::clone(&ring)), Subscribable::new(ring)))
    }

    /// An in-place ring of many publishers; see [`event_channel_mpmc`].
    ///
    /// # Errors
    /// As [`in_place`](Self::in_place).
    pub fn in_place_mpmc<T: Send + Sync + 'static>(
        &self,
        factory: impl FnMut() -> T,
    ) -> Result<MpEventEnds<T>, BuildError> {
        let ring = self.cells(factory, true)?;
        Ok((
            MpEventPublisher::new(Arc::clone(&ring)),
            EventSubscribable::new(ring),
        ))
    }

    /// A lossy ring of values; see [`value_channel`].
    ///
    /// # Errors
    /// As [`lossy`](Self::lossy).
    pub fn values<T: Send + Sync + 'static>(&self) -> Result<ValueEnds<T>, BuildError> {
        let shared = self.shared_of_values(true)?;
        let slots = Values::new(self.capacity, shared.first)?;
        let ring = Arc::new(Ring { shared, slots });
        Ok((
            ValuePublisher::new(Arc::clone(&ring)),
            ValueSubscribable::new(ring),
        ))
    }

    fn copying<T: Payload, C: Contract>(&self) -> Result<Ends<T, C>, BuildError> {
        let ring = self.slots(false)?;
        Ok((Publisher::new(Arc::clone(&ring)), Subscribable::new(ring)))
    }

    fn slots<T: Payload>(&self, many: bool) -> Result<Arc<Ring<Slots<T>>>, BuildError> {
        #[cfg_attr(not(feature = "platform"), expect(unused_mut, reason = "for a report"))]
        let mut shared = self.shared(many)?;
        #[cfg(feature = "platform")]
        if let Some(memory) = &self.memory {
            let (slots, report) = Slots::mapped(self.capacity, shared.first, memory)?;
            shared.memory = report;
            return Ok(Arc::new(Ring { shared, slots }));
        }
        let slots = Slots::new(self.capacity, shared.first)?;
        Ok(Arc::new(Ring { shared, slots }))
    }

    fn cells<T: Send + Sync + 'static>(
        &self,
        factory: impl FnMut() -> T,
        many: bool,
    ) -> Result<Arc<Ring<Cells<T>>>, BuildError> {
        let shared = self.shared_of_values(many)?;
        let slots = Cells::new(self.capacity, shared.first, factory)?;
        Ok(Arc::new(Ring { shared, slots }))
    }

    fn shared_of_values(&self, many: bool) -> Result<Shared, BuildError> {
        #[cfg(feature = "platform")]
        if self.memory.is_some() {
            return Err(BuildError::MemoryOfValues);
        }
        self.shared(many)
    }

    fn shared(&self, many: bool) -> Result<Shared, BuildError> {
        let Self {
            capacity,
            watermark,
            first,
            strategy,
            ..
        } = *self;
        if capacity == 0 {
            return Err(BuildError::ZeroCapacity);
        }
        if watermark >= capacity {
            return Err(BuildError::Watermark {
                watermark,
                capacity,
            });
        }
        Ok(Shared::new(
            capacity,
            watermark,
            Sequence::new(first),
            strategy,
            many,
        ))
    }
}
