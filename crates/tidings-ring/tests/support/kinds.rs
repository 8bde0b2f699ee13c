//! The kinds of rings of many publishers, as one.

use super::payload::{Census, Member};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;
use tidings_ring::{
    Builder, EventSubscribable, EventSubscriber, Gating, Lossy, MpEventPublisher, MpPublisher,
    Subscribable, SubscribeError, Subscriber, TryRecvError, ValuePublisher, ValueSubscribable,
    ValueSubscriber,
};

/// Cursor, received, lagged, aborted, pending.
pub type Counts = [u64; 5];

/// A kind of ring.
pub trait Kind: Sized {
    type Publisher: Clone;
    type Place;
    type Reader;
    const GATES: bool;
    fn build(builder: Builder, census: &Census) -> (Self::Publisher, Self::Place);
    fn publish(publisher: &Self::Publisher, n: u64, census: &Census) -> bool;
    /// Says how many places were given up.
    fn give_up(publisher: &Self::Publisher, count: usize) -> usize;
    fn subscribe(place: &Self::Place) -> Self::Reader;
    fn from_oldest(place: &Self::Place) -> Self::Reader;
    fn at(place: &Self::Place, sequence: u64) -> Result<Self::Reader, SubscribeError>;
    fn again(reader: &Self::Reader) -> Self::Reader;
    fn try_recv(reader: &mut Self::Reader) -> Result<u64, TryRecvError>;
    fn batch(reader: &mut Self::Reader, max: usize) -> Vec<u64>;
    /// `None`: it is not on offer.
    fn latest(reader: &mut Self::Reader) -> Option<Option<u64>>;
    fn counts(reader: &Self::Reader) -> Counts;
    fn is_closed(place: &Self::Place) -> bool;
    fn is_ready(reader: &mut Self::Reader) -> bool;
}

macro_rules! common {
    () => {
        fn subscribe(place: &Self::Place) -> Self::Reader {
            place.subscribe()
        }
        fn from_oldest(place: &Self::Place) -> Self::Reader {
            place.subscribe_from_oldest()
        }
        fn at(place: &Self::Place, sequence: u64) -> Result<Self::Reader, SubscribeError> {
            place.subscribe_at(sequence)
        }
        fn again(reader: &Self::Reader) -> Self::Reader {
            reader.resubscribe()
        }
        fn counts(reader: &Self::Reader) -> Counts {
            let counts = reader.metrics();
            let cursor = reader.cursor();
            let pending = reader.pending();
            [
                cursor,
                counts.received,
                counts.lagged,
                counts.aborted,
                pending,
            ]
        }
        fn is_closed(place: &Self::Place) -> bool {
            place.is_closed()
        }
    };
}

macro_rules! copies {
    ($kind:ident, $contract:ty, $gates:literal, $build:ident) => {
        pub struct $kind;
        impl Kind for $kind {
            type Publisher = MpPublisher<u64, $contract>;
            type Place = Subscribable<u64, $contract>;
            type Reader = Subscriber<u64, $contract>;
            const GATES: bool = $gates;
            fn build(builder: Builder, _: &Census) -> (Self::Publisher, Self::Place) {
                builder.$build().unwrap()
            }
            fn publish(publisher: &Self::Publisher, n: u64, _: &Census) -> bool {
                publisher.try_publish(n).is_ok()
            }
            fn give_up(publisher: &Self::Publisher, count: usize) -> usize {
                publisher.try_claim(count).map_or(0, |claim| claim.len())
            }
            fn try_recv(reader: &mut Self::Reader) -> Result<u64, TryRecvError> {
                reader.try_recv()
            }
            fn batch(reader: &mut Self::Reader, max: usize) -> Vec<u64> {
                reader.drain().take(max).collect()
            }
            fn latest(reader: &mut Self::Reader) -> Option<Option<u64>> {
                Some(reader.latest())
            }
            fn is_ready(reader: &mut Self::Reader) -> bool {
                reader.wait_timeout(Duration::ZERO)
            }
            common!();
        }
    };
}

copies!(LossyCopies, Lossy, false, lossy_mpmc);
copies!(GatingCopies, Gating, true, gating_mpmc);

pub struct InPlace;

impl Kind for InPlace {
    type Publisher = MpEventPublisher<u64>;
    type Place = EventSubscribable<u64>;
    type Reader = EventSubscriber<u64>;
    const GATES: bool = true;
    fn build(builder: Builder, _: &Census) -> (Self::Publisher, Self::Place) {
        builder.in_place_mpmc(|| 0).unwrap()
    }
    fn publish(publisher: &Self::Publisher, n: u64, _: &Census) -> bool {
        publisher.try_publish(|value| *value = n).is_ok()
    }
    /// One, by an edit that panics.
    fn give_up(publisher: &Self::Publisher, _: usize) -> usize {
        let edit = |_: &mut u64| std::panic::resume_unwind(Box::new(()));
        let done = catch_unwind(AssertUnwindSafe(|| publisher.try_publish(edit).is_ok()));
        assert_ne!(done.as_ref().ok(), Some(&true));
        usize::from(done.is_err())
    }
    fn try_recv(reader: &mut Self::Reader) -> Result<u64, TryRecvError> {
        reader.try_recv_ref().map(|message| *message)
    }
    fn batch(reader: &mut Self::Reader, max: usize) -> Vec<u64> {
        let mut seen = Vec::new();
        reader.read_batch(max, |value, _| seen.push(*value));
        seen
    }
    fn latest(_: &mut Self::Reader) -> Option<Option<u64>> {
        None
    }
    fn is_ready(reader: &mut Self::Reader) -> bool {
        // Only this one has no form that waits and takes nothing.
        reader.pending() > 0 || reader.is_closed()
    }
    common!();
}

pub struct Values;

impl Kind for Values {
    type Publisher = ValuePublisher<(u64, Member)>;
    type Place = ValueSubscribable<(u64, Member)>;
    type Reader = ValueSubscriber<(u64, Member)>;
    const GATES: bool = false;
    fn build(builder: Builder, _: &Census) -> (Self::Publisher, Self::Place) {
        builder.values().unwrap()
    }
    fn publish(publisher: &Self::Publisher, n: u64, census: &Census) -> bool {
        publisher.publish((n, census.member()));
        assert!(census.alive() <= publisher.capacity() + 32);
        true
    }
    /// All of them.
    fn give_up(publisher: &Self::Publisher, _: usize) -> usize {
        publisher.clear();
        publisher.capacity()
    }
    fn try_recv(reader: &mut Self::Reader) -> Result<u64, TryRecvError> {
        reader.try_recv_ref().map(|value| value.0)
    }
    fn batch(reader: &mut Self::Reader, max: usize) -> Vec<u64> {
        let mut seen = Vec::new();
        reader.read_batch(max, |value, _| seen.push(value.0));
        seen
    }
    fn latest(reader: &mut Self::Reader) -> Option<Option<u64>> {
        Some(reader.latest_ref().map(|value| value.0))
    }
    fn is_ready(reader: &mut Self::Reader) -> bool {
        reader.wait_timeout(Duration::ZERO)
    }
    common!();
}
