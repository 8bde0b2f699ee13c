//! Random programs on rings of many publishers, of plain data, in place and of values, against a list of what was published:
//! every answer and every count, the end, and how many values are alive.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/kinds.rs"]
mod kinds;
#[path = "support/payload.rs"]
mod payload;

use kinds::{GatingCopies, InPlace, Kind, LossyCopies, Values};
use payload::Census;
use proptest::prelude::*;
use tidings_ring::{Builder, SubscribeError, TryRecvError, WaitStrategy};

#[derive(Clone, Debug)]
enum Op {
    Publish(usize),
    /// So many places without a message.
    GiveUp(usize),
    Clone(usize),
    DropPublisher(usize),
    Subscribe,
    FromOldest,
    At(u64),
    Resubscribe(usize),
    DropSubscriber(usize),
    TryRecv(usize),
    Batch(usize, usize),
    Latest(usize),
}

fn op() -> impl Strategy<Value = Op> {
    let who = || 0..8_usize;
    prop_oneof![
        12 => who().prop_map(Op::Publish),
        2 => (0..12_usize).prop_map(Op::GiveUp),
        1 => who().prop_map(Op::Clone),
        1 => who().prop_map(Op::DropPublisher),
        2 => Just(Op::Subscribe),
        1 => Just(Op::FromOldest),
        1 => (0..12_u64).prop_map(Op::At),
        1 => who().prop_map(Op::Resubscribe),
        1 => who().prop_map(Op::DropSubscriber),
        8 => who().prop_map(Op::TryRecv),
        2 => (who(), 0..9_usize).prop_map(|(who, max)| Op::Batch(who, max)),
        1 => who().prop_map(Op::Latest),
    ]
}

/// What a subscriber must have counted; places count from the ring's first.
#[derive(Clone, Copy, Default)]
struct Model {
    start: u64,
    cursor: u64,
    received: u64,
    lagged: u64,
    aborted: u64,
}

struct Scene<K: Kind> {
    first: u64,
    capacity: u64,
    room: u64,
    publishers: Vec<K::Publisher>,
    place: K::Place,
    readers: Vec<(K::Reader, Model)>,
    /// A message for each place, or none.
    list: Vec<Option<u64>>,
    census: Census,
    /// Whether somebody joined at an old message: then a publisher may go on for what it had looked for before.
    late: bool,
}

impl<K: Kind> Scene<K> {
    fn new((capacity, watermark, first): (usize, usize, u64)) -> Self {
        let census = Census::default();
        let builder = Builder::new(capacity).first_sequence(first);
        // No spinning, since nobody comes.
        let builder = builder.wait(WaitStrategy::Park);
        let watermark = if K::GATES { watermark } else { 0 };
        let (publisher, place) = K::build(builder.watermark(watermark), &census);
        Self {
            first,
            capacity: capacity as u64,
            room: (capacity - watermark) as u64,
            publishers: vec![publisher],
            place,
            readers: vec![],
            list: vec![],
            census,
            late: false,
        }
    }

    fn published(&self) -> u64 {
        self.list.len() as u64
    }

    fn oldest(&self) -> u64 {
        self.published().saturating_sub(self.capacity)
    }

    /// What gates leave room for.
    fn free(&self) -> u64 {
        let lags = self
            .readers
            .iter()
            .map(|(_, model)| self.published() - model.cursor);
        let slowest = lags.max().filter(|_| K::GATES);
        slowest.map_or(u64::MAX, |lag| self.room.saturating_sub(lag))
    }

    fn publish(&mut self, who: usize) {
        let Some(count) = (!self.publishers.is_empty()).then_some(self.publishers.len()) else {
            return;
        };
        let done = K::publish(
            &self.publishers[who % count],
            self.published(),
            &self.census,
        );
        assert!(if done {
            self.late || self.free() > 0
        } else {
            self.free() == 0
        });
        self.list.extend(done.then_some(Some(self.published())));
    }

    fn give_up(&mut self, count: usize) {
        let Some(publisher) = self.publishers.first() else {
            return;
        };
        let given_up = K::give_up(publisher, count);
        assert!(self.late || given_up as u64 <= self.free());
        self.list.extend((0..given_up).map(|_| None));
    }

    fn join(&mut self, reader: K::Reader) {
        let start = K::counts(&reader)[0].wrapping_sub(self.first);
        assert!((self.oldest()..=self.published()).contains(&start));
        self.late |= start < self.published();
        let cursor = start;
        let model = Model {
            start,
            cursor,
            ..Model::default()
        };
        self.readers.push((reader, model));
    }

    fn join_at(&mut self, behind: u64) {
        let Some(start) = self.published().checked_sub(behind) else {
            return;
        };
        match K::at(&self.place, self.first.wrapping_add(start)) {
            Ok(reader) => self.join(reader),
            Err(SubscribeError::Overwritten { oldest }) => {
                assert!(start < oldest.wrapping_sub(self.first));
            }
            Err(other) => panic!("{other}"),
        }
    }

    fn run(&mut self, op: &Op) {
        let index = |who: usize| (!self.readers.is_empty()).then(|| who % self.readers.len());
        match *op {
            Op::Publish(who) => self.publish(who),
            Op::GiveUp(count) => self.give_up(count),
            Op::Clone(who) => {
                let model = self.publishers.get(who).cloned();
                self.publishers.extend(model);
            }
            Op::DropPublisher(who) if who < self.publishers.len() => {
                drop(self.publishers.swap_remove(who));
            }
            Op::DropPublisher(_) => {}
            Op::Subscribe => {
                let reader = K::subscribe(&self.place);
                assert_eq!(
                    K::counts(&reader)[0].wrapping_sub(self.first),
                    self.published()
                );
                self.join(reader);
            }
            Op::FromOldest => self.join(K::from_oldest(&self.place)),
            Op::At(behind) => self.join_at(behind),
            Op::Resubscribe(who) => {
                if let Some(who) = index(who) {
                    let cursor = self.readers[who].1.cursor;
                    let model = Model {
                        start: cursor,
                        cursor,
                        ..Model::default()
                    };
                    self.readers.push((K::again(&self.readers[who].0), model));
                }
            }
            Op::DropSubscriber(who) => {
                if let Some(who) = index(who) {
                    drop(self.readers.swap_remove(who));
                }
            }
            Op::TryRecv(who) | Op::Batch(who, _) | Op::Latest(who) => {
                if let Some(who) = index(who) {
                    self.read(who, op);
                }
            }
        }
        self.compare();
    }

    fn read(&mut self, who: usize, op: &Op) {
        let mut model = self.readers[who].1;
        let is_closed = self.publishers.is_empty();
        let reader = &mut self.readers[who].0;
        match *op {
            Op::Batch(_, max) => {
                let got = K::batch(reader, max);
                assert_eq!(got, self.take(&mut model, max));
            }
            Op::Latest(_) => {
                let got = K::latest(reader);
                if let Some(got) = got {
                    assert_eq!(got, self.take_latest(&mut model));
                }
            }
            _ => {
                let got = K::try_recv(reader);
                assert_eq!(got, self.next(&mut model, is_closed));
            }
        }
        self.readers[who].1 = model;
    }

    fn next(&self, model: &mut Model, is_closed: bool) -> Result<u64, TryRecvError> {
        let skipped = self.oldest().saturating_sub(model.cursor);
        if skipped > 0 {
            (model.cursor, model.lagged) = (self.oldest(), model.lagged + skipped);
            return Err(TryRecvError::Lagged { skipped });
        }
        while let Some(message) = self.list.get(model.cursor as usize) {
            model.cursor += 1;
            if let Some(message) = message {
                model.received += 1;
                return Ok(*message);
            }
            model.aborted += 1;
        }
        Err(if is_closed {
            TryRecvError::Closed
        } else {
            TryRecvError::Empty
        })
    }

    fn take(&self, model: &mut Model, max: usize) -> Vec<u64> {
        let mut taken = Vec::new();
        while taken.len() < max {
            match self.next(model, false) {
                Ok(message) => taken.push(message),
                Err(TryRecvError::Lagged { .. }) => {}
                Err(_) => break,
            }
        }
        taken
    }

    /// The newest message, what was before it being lost; without one, whatever is there is passed over.
    fn take_latest(&self, model: &mut Model) -> Option<u64> {
        let from = model.cursor.max(self.oldest());
        let newest = (from..self.published())
            .rev()
            .find(|n| self.list[*n as usize].is_some());
        if let Some(newest) = newest {
            (model.lagged, model.cursor) = (model.lagged + newest - model.cursor, newest);
        }
        self.take(model, 1).pop()
    }

    fn compare(&mut self) {
        assert_eq!(K::is_closed(&self.place), self.publishers.is_empty());
        let (first, published, closed) = (self.first, self.published(), self.publishers.is_empty());
        for (reader, model) in &mut self.readers {
            let counts = K::counts(reader);
            let expected = [
                first.wrapping_add(model.cursor),
                model.received,
                model.lagged,
                model.aborted,
                (published - model.cursor).min(self.capacity),
            ];
            assert_eq!(counts, expected);
            let counted = model.received + model.lagged + model.aborted;
            assert_eq!(counted, model.cursor - model.start);
            assert_eq!(K::is_ready(reader), closed || model.cursor < published);
        }
    }
}

fn check<K: Kind>(shape: (usize, usize, u64), ops: &[Op]) {
    let mut scene = Scene::<K>::new(shape);
    ops.iter().for_each(|op| scene.run(op));
    let census = scene.census.clone();
    drop(scene);
    assert_eq!(census.alive(), 0);
}

/// Capacity, watermark, and the first sequence.
fn shape() -> impl Strategy<Value = (usize, usize, u64)> {
    let near = |edge: u64| (0..40_u64).prop_map(move |n| edge.wrapping_sub(30).wrapping_add(n));
    let first = prop_oneof![Just(0), any::<u64>(), near(1 << 62), near(1 << 63), near(0)];
    (1..=9_usize, 0..9_usize, first)
        .prop_map(|(capacity, mark, first)| (capacity, mark % capacity, first))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(miri) { 3 } else { 150 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn lossy_copies_are_what_a_list_says(shape in shape(), ops in prop::collection::vec(op(), 1..150)) {
        check::<LossyCopies>(shape, &ops);
    }

    #[test]
    fn gating_copies_are_what_a_list_says(shape in shape(), ops in prop::collection::vec(op(), 1..150)) {
        check::<GatingCopies>(shape, &ops);
    }

    #[test]
    fn edits_in_place_are_what_a_list_says(shape in shape(), ops in prop::collection::vec(op(), 1..150)) {
        check::<InPlace>(shape, &ops);
    }

    #[test]
    fn values_are_what_a_list_says(shape in shape(), ops in prop::collection::vec(op(), 1..150)) {
        check::<Values>(shape, &ops);
    }
}
