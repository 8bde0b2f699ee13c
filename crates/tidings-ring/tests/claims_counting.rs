//! Random programs of claims, on rings of one publisher and of many, against a list of what must be there.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use proptest::prelude::*;
use tidings_ring::{
    Builder, ClaimError, Claimed, Gating, Lossy, MpPublisher, Publisher, Subscribable, Subscriber,
    TryClaimError,
};

#[derive(Clone, Debug)]
enum Op {
    Publish,
    /// So many claimed, written and committed; 0 gives the claim up.
    Claim(usize, usize, usize),
    Subscribe,
    /// So many received by the subscriber of this number.
    Receive(usize, usize),
    Leave(usize),
}

fn op() -> impl Strategy<Value = Op> {
    let many = || 0..11_usize;
    prop_oneof![
        3 => Just(Op::Publish),
        6 => (many(), many(), many()).prop_map(|(n, m, k)| Op::Claim(n, m, k)),
        1 => Just(Op::Subscribe),
        6 => (many(), many()).prop_map(|(who, n)| Op::Receive(who, n)),
        1 => many().prop_map(Op::Leave),
    ]
}

/// Capacity, watermark, and the first sequence.
fn shape() -> impl Strategy<Value = (usize, usize, u64)> {
    let first = prop_oneof![Just(0), Just((1 << 62) - 5), Just(u64::MAX - 5)];
    (1..=9_usize, 0..9_usize, first)
        .prop_map(|(capacity, mark, first)| (capacity, mark % capacity, first))
}

enum End {
    One(Publisher<u64, Gating>),
    Many(MpPublisher<u64, Gating>),
}

impl End {
    fn try_claim(&mut self, count: usize) -> Result<Claimed<'_, u64, Gating>, TryClaimError> {
        match self {
            Self::One(publisher) => publisher.try_claim(count),
            Self::Many(publisher) => publisher.try_claim(count),
        }
    }

    fn try_publish(&mut self, value: u64) -> bool {
        match self {
            Self::One(publisher) => publisher.try_publish(value).is_ok(),
            Self::Many(publisher) => publisher.try_publish(value).is_ok(),
        }
    }
}

/// A ring, and what it must hold: a value for each message, none for one that was claimed and given up.
struct Scene {
    end: End,
    subscribable: Subscribable<u64, Gating>,
    list: Vec<Option<u64>>,
    /// Each with its place in the list, and what it passed over.
    gating: Vec<(Subscriber<u64, Gating>, usize, u64)>,
    lossy: Subscriber<u64, Lossy>,
    received: Vec<u64>,
    room: usize,
    next_value: u64,
}

impl Scene {
    fn new((capacity, watermark, first): (usize, usize, u64), many: bool) -> Self {
        let builder = Builder::new(capacity)
            .watermark(watermark)
            .first_sequence(first);
        let (end, subscribable) = if many {
            let (publisher, subscribable) = builder.gating_mpmc().unwrap();
            (End::Many(publisher), subscribable)
        } else {
            let (publisher, subscribable) = builder.gating().unwrap();
            (End::One(publisher), subscribable)
        };
        Self {
            end,
            lossy: subscribable.subscribe_lossy(),
            subscribable,
            list: Vec::new(),
            gating: Vec::new(),
            received: Vec::new(),
            room: capacity - watermark,
            next_value: 0,
        }
    }

    /// Messages for which there is room.
    fn free(&self) -> usize {
        let lag = self
            .gating
            .iter()
            .map(|(_, at, _)| self.list.len() - at)
            .max();
        lag.map_or(self.room, |lag| self.room.saturating_sub(lag))
    }

    fn claim(&mut self, count: usize, written: usize, committed: usize) {
        let (free, many) = (self.free(), matches!(self.end, End::Many(_)));
        match self.end.try_claim(count) {
            Ok(mut claim) => {
                assert!(count <= free);
                let values: Vec<_> = (self.next_value..).take(written.min(count)).collect();
                self.next_value += count as u64;
                assert_eq!(
                    claim.fill(values.iter().copied().take(written)),
                    values.len()
                );
                assert_eq!(
                    (claim.len(), claim.remaining()),
                    (count, count - values.len())
                );
                let out = claim.commit(committed);
                assert_eq!(out, committed.min(values.len()));
                self.list.extend(values[..out].iter().copied().map(Some));
                if many {
                    self.list.extend((out..count).map(|_| None));
                }
            }
            Err(TryClaimError::Full) => assert!(free < count && count <= self.room),
            Err(TryClaimError::TooLarge(ClaimError { asked, most })) => {
                assert!(count > self.room);
                assert_eq!((asked, most), (count, self.room));
            }
        }
    }

    /// At most `count` of one subscriber; the lossy one takes all that there is.
    fn receive(&mut self, who: usize, count: usize) {
        self.received.extend(self.lossy.drain());
        let who = who % self.gating.len().max(1);
        let Some((subscriber, at, aborted)) = self.gating.get_mut(who) else {
            return;
        };
        let got: Vec<_> = subscriber.drain().take(count).collect();
        for value in &got {
            while self.list[*at].is_none() {
                (*at, *aborted) = (*at + 1, *aborted + 1);
            }
            assert_eq!(self.list[*at], Some(*value));
            *at += 1;
        }
        // Tombstones at its place it passes over when it looks further, which a drain does that ends by itself.
        if got.len() < count {
            let rest = &self.list[*at..];
            assert!(rest.iter().all(Option::is_none), "there is more");
            (*at, *aborted) = (self.list.len(), *aborted + rest.len() as u64);
        }
        assert_eq!(
            (subscriber.total_aborted(), subscriber.total_lagged()),
            (*aborted, 0)
        );
    }

    fn run(&mut self, op: Op) {
        match op {
            Op::Publish => {
                let room = self.free() > 0;
                assert_eq!(self.end.try_publish(self.next_value), room);
                self.list.extend(room.then_some(Some(self.next_value)));
                self.next_value += 1;
            }
            Op::Claim(count, written, committed) => self.claim(count, written, committed),
            Op::Subscribe => {
                let subscriber = self.subscribable.subscribe();
                self.gating.push((subscriber, self.list.len(), 0));
            }
            Op::Receive(who, count) => self.receive(who, count),
            Op::Leave(who) if who < self.gating.len() => drop(self.gating.swap_remove(who)),
            Op::Leave(_) => {}
        }
    }

    /// Everybody reads to the end.
    fn end(mut self, first: u64) {
        (0..self.gating.len().max(1)).for_each(|who| self.receive(who, usize::MAX));
        let lossy = &self.lossy;
        let passed = lossy.total_received() + lossy.total_lagged() + lossy.total_aborted();
        assert_eq!(passed, lossy.cursor().wrapping_sub(first));
        assert_eq!(passed, self.list.len() as u64);
        let mut list = self.list.iter().flatten();
        assert!(
            self.received.iter().all(|value| list.any(|of| of == value)),
            "not in order"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 4 } else { 512 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn claims_are_what_a_list_says(
        shape in shape(),
        many in any::<bool>(),
        ops in prop::collection::vec(op(), 1..60),
    ) {
        let mut scene = Scene::new(shape, many);
        ops.into_iter().for_each(|op| scene.run(op));
        scene.end(shape.2);
    }
}
