//! How rings are made: three functions for the usual ones, a builder for the rest.

use crate::{
    cell::Cells,
    contract::{Contract, Gating, Lossy},
    error::BuildError,
    event::{EventPublisher, EventSubscribable},
    publisher::Publisher,
    ring::Ring,
    shared::Shared,
    slot::{Payload, Slots},
    subscribable::Subscribable,
};
use tidings_core::{Sequence, sync::Arc, wait::WaitStrategy};

/// Both ends of a copying ring.
type Ends<T, C> = (Publisher<T, C>, Subscribable<T, C>);
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
        }
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
        let shared = self.shared()?;
        let slots = Cells::new(self.capacity, shared.first, factory)?;
        let ring = Arc::new(Ring { shared, slots });
        Ok((
            EventPublisher::new(Arc::clone(&ring)),
            EventSubscribable::new(ring),
        ))
    }

    fn copying<T: Payload, C: Contract>(&self) -> Result<Ends<T, C>, BuildError> {
        let shared = self.shared()?;
        let slots = Slots::new(self.capacity, shared.first)?;
        let ring = Arc::new(Ring { shared, slots });
        Ok((Publisher::new(Arc::clone(&ring)), Subscribable::new(ring)))
    }

    fn shared(&self) -> Result<Shared, BuildError> {
        let Self {
            capacity,
            watermark,
            first,
            strategy,
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
        ))
    }
}
