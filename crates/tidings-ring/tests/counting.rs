//! Random programs, run on a ring and on a naive twin: every answer and every count must be the same.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/program.rs"]
mod program;
#[path = "support/twin.rs"]
mod twin;

use program::{Op, Shape, op, shape};
use proptest::prelude::*;
use std::mem::MaybeUninit;
use std::time::Duration;
use tidings_ring::{
    Builder, Contract, Gating, Lossy, Publisher, RecvTimeoutError, Ref, Subscribable,
    SubscribeError, Subscriber, TryRecvError, WaitStrategy,
};
use twin::{Reader, Twin};

/// A subscriber under either contract.
enum Real {
    Lossy(Subscriber<u64, Lossy>),
    Gating(Subscriber<u64, Gating>),
}

macro_rules! either {
    ($real:expr, $subscriber:ident => $body:expr) => {
        match $real {
            Real::Lossy($subscriber) => $body,
            Real::Gating($subscriber) => $body,
        }
    };
}

/// A contract, and where its subscribers go.
trait Kind: Contract + Sized {
    const GATES: bool;
    fn real(subscriber: Subscriber<u64, Self>) -> Real;
}

impl Kind for Lossy {
    const GATES: bool = false;
    fn real(subscriber: Subscriber<u64, Self>) -> Real {
        Real::Lossy(subscriber)
    }
}

impl Kind for Gating {
    const GATES: bool = true;
    fn real(subscriber: Subscriber<u64, Self>) -> Real {
        Real::Gating(subscriber)
    }
}

/// A ring and its twin, side by side.
struct Pair<C: Contract> {
    first: u64,
    publisher: Option<Publisher<u64, C>>,
    subscribable: Subscribable<u64, C>,
    reals: Vec<Real>,
    twin: Twin,
    readers: Vec<Reader>,
}

impl<C: Kind> Pair<C> {
    fn new(ends: (Publisher<u64, C>, Subscribable<u64, C>), first: u64, room: usize) -> Self {
        let capacity = ends.1.capacity() as u64;
        let twin = Twin {
            capacity,
            room: room as u64,
            published: 0,
            closed: false,
        };
        let (publisher, subscribable) = (Some(ends.0), ends.1);
        Self {
            first,
            publisher,
            subscribable,
            reals: vec![],
            twin,
            readers: vec![],
        }
    }

    fn run(&mut self, op: &Op) {
        match *op {
            Op::Publish
            | Op::PublishFrom
            | Op::TryPublish
            | Op::PublishBatch(_)
            | Op::TryPublishBatch(_) => {
                self.publish(op);
            }
            Op::Subscribe => self.join(C::real(self.subscribable.subscribe()), C::GATES),
            Op::SubscribeLossy => {
                self.join(Real::Lossy(self.subscribable.subscribe_lossy()), false);
            }
            Op::FromOldest => self.join_oldest(),
            Op::At(ahead) => self.join_at(ahead),
            Op::Close => {
                self.publisher = None;
                self.twin.closed = true;
            }
            _ => self.read(op),
        }
        self.compare();
    }

    fn publish(&mut self, op: &Op) {
        let Some(publisher) = &mut self.publisher else {
            return;
        };
        let (next, room) = (self.twin.published, self.twin.room(&self.readers));
        let batch = |length: usize| (next..next + length as u64).collect::<Vec<_>>();
        self.twin.published += match *op {
            Op::Publish | Op::PublishFrom if room == 0 => {
                let refused = publisher.publish_timeout(next, Duration::ZERO);
                assert_eq!(refused.map_err(|error| error.0), Err(next));
                0
            }
            Op::Publish => {
                publisher.publish(next);
                1
            }
            Op::PublishFrom => {
                publisher.publish_from(&next);
                1
            }
            Op::TryPublish => {
                let done = publisher.try_publish(next);
                assert_eq!(done.is_ok(), room > 0);
                u64::from(done.is_ok())
            }
            Op::PublishBatch(length) if length as u64 <= room => {
                publisher.publish_batch(&batch(length));
                length as u64
            }
            Op::PublishBatch(length) | Op::TryPublishBatch(length) => {
                let done = publisher.try_publish_batch(&batch(length)) as u64;
                assert_eq!(done, (length as u64).min(room));
                done
            }
            _ => unreachable!("it publishes"),
        };
    }

    fn join(&mut self, real: Real, gates: bool) {
        let start = either!(&real, subscriber => subscriber.cursor());
        assert_eq!(start.wrapping_sub(self.first), self.twin.published);
        self.reals.push(real);
        self.readers.push(Reader::at(gates, self.twin.published));
    }

    /// The starts that a subscriber from the oldest message may have: on a gating ring the publisher
    /// may have made sure of an eighth of the slots already.
    fn oldest_starts(&self) -> std::ops::RangeInclusive<u64> {
        let ahead = if C::GATES {
            (self.twin.capacity / 8).max(1)
        } else {
            0
        };
        let oldest = self.twin.oldest();
        oldest..=(oldest + ahead).min(self.twin.published)
    }

    fn join_oldest(&mut self) {
        let subscriber = self.subscribable.subscribe_from_oldest();
        let start = subscriber.cursor().wrapping_sub(self.first);
        assert!(self.oldest_starts().contains(&start), "starts at {start}");
        self.reals.push(C::real(subscriber));
        self.readers.push(Reader::at(C::GATES, start));
    }

    fn join_at(&mut self, ahead: i64) {
        let Some(start) = self.twin.published.checked_add_signed(ahead) else {
            return;
        };
        match self
            .subscribable
            .subscribe_at(self.first.wrapping_add(start))
        {
            Ok(subscriber) => {
                assert!((self.twin.oldest()..=self.twin.published).contains(&start));
                assert_eq!(subscriber.cursor().wrapping_sub(self.first), start);
                self.reals.push(C::real(subscriber));
                self.readers.push(Reader::at(C::GATES, start));
            }
            Err(SubscribeError::Overwritten { oldest }) => {
                let oldest = oldest.wrapping_sub(self.first);
                assert!(start < oldest && self.oldest_starts().contains(&oldest));
            }
            Err(SubscribeError::Future { next }) => {
                assert_eq!(next.wrapping_sub(self.first), self.twin.published);
                assert!(ahead > 0);
            }
            Err(other) => panic!("{other}"),
        }
    }

    fn read(&mut self, op: &Op) {
        use Op::*;
        let (Resubscribe(who)
        | TryRecv(who)
        | RecvInto(who)
        | RecvTimeout(who)
        | RecvBatch(who, _)
        | Drain(who, _)
        | Latest(who)
        | Borrow(who)
        | ReadBatch(who, _)
        | Drop(who)) = *op
        else {
            unreachable!("it reads")
        };
        if self.reals.is_empty() {
            return;
        }
        let who = who % self.reals.len();
        match *op {
            Drop(_) => {
                self.reals.swap_remove(who);
                self.readers.swap_remove(who);
            }
            Resubscribe(_) => {
                let again = match &self.reals[who] {
                    Real::Lossy(subscriber) => Real::Lossy(subscriber.resubscribe()),
                    Real::Gating(subscriber) => Real::Gating(subscriber.resubscribe()),
                };
                let reader = Reader::at(self.readers[who].gates, self.readers[who].cursor);
                self.reals.push(again);
                self.readers.push(reader);
            }
            _ => {
                let (twin, reader) = (&self.twin, &mut self.readers[who]);
                match &mut self.reals[who] {
                    Real::Lossy(subscriber) => take(subscriber, twin, reader, op),
                    Real::Gating(subscriber) => {
                        if !lend(subscriber, twin, reader, op) {
                            take(subscriber, twin, reader, op);
                        }
                    }
                }
            }
        }
    }

    /// Every count of every handle.
    fn compare(&self) {
        let published = self.subscribable.published().wrapping_sub(self.first);
        assert_eq!(published, self.twin.published);
        assert_eq!(self.subscribable.is_closed(), self.twin.closed);
        for (real, reader) in self.reals.iter().zip(&self.readers) {
            either!(real, subscriber => counts(subscriber, &self.twin, reader, self.first));
        }
    }
}

/// What either contract can do; what it cannot is one attempt.
fn take<C: Contract>(
    subscriber: &mut Subscriber<u64, C>,
    twin: &Twin,
    reader: &mut Reader,
    op: &Op,
) {
    match *op {
        Op::RecvTimeout(_) => {
            let end = if twin.closed {
                RecvTimeoutError::Closed
            } else {
                RecvTimeoutError::Timeout
            };
            let expected = twin.take(reader, 1).pop().ok_or(end);
            assert_eq!(subscriber.recv_timeout(Duration::ZERO), expected);
        }
        Op::RecvBatch(_, max) => {
            let mut buffer = vec![u64::MAX; max];
            let filled = subscriber.recv_batch(&mut buffer);
            assert_eq!(buffer[..filled], twin.take(reader, max));
        }
        Op::Drain(_, max) => {
            let taken: Vec<_> = subscriber.drain().take(max).collect();
            assert_eq!(taken, twin.take(reader, max));
        }
        Op::RecvInto(_) => {
            let mut place = MaybeUninit::new(u64::MAX);
            let taken = subscriber.try_recv_into(&mut place).map(|value| *value);
            assert_eq!(taken, twin.try_recv(reader));
        }
        Op::Latest(_) => assert_eq!(subscriber.latest(), twin.latest(reader)),
        _ => assert_eq!(subscriber.try_recv(), twin.try_recv(reader)),
    }
}

/// What only a gating subscriber can do; `false` when `op` is none of it.
fn lend(
    subscriber: &mut Subscriber<u64, Gating>,
    twin: &Twin,
    reader: &mut Reader,
    op: &Op,
) -> bool {
    match *op {
        Op::Borrow(_) => {
            let before = subscriber.cursor();
            let lent = subscriber.try_recv_ref();
            assert!(lent.iter().all(|lent| Ref::sequence(lent) == before));
            assert_eq!(lent.map(|lent| *lent), twin.try_recv(reader));
        }
        Op::ReadBatch(_, max) => {
            let mut shown = Vec::new();
            let count = subscriber.read_batch(max, |value, _| shown.push(*value));
            assert_eq!(count, shown.len());
            assert_eq!(shown, twin.take(reader, max));
        }
        _ => return false,
    }
    true
}

fn counts<C: Contract>(subscriber: &Subscriber<u64, C>, twin: &Twin, reader: &Reader, first: u64) {
    let cursor = subscriber.cursor().wrapping_sub(first);
    let counted = (subscriber.total_received(), subscriber.total_lagged());
    assert_eq!(
        (cursor, counted),
        (reader.cursor, (reader.received, reader.lagged))
    );
    assert_eq!(counted.0 + counted.1, cursor - reader.start);
    assert_eq!(subscriber.pending(), twin.pending(reader));
    let ready = cursor != twin.published || twin.closed;
    assert_eq!(subscriber.wait_timeout(Duration::ZERO), ready);
    let (all, ratio) = (counted.0 + counted.1, subscriber.receive_ratio());
    assert_eq!(
        ratio,
        if all == 0 {
            1.0
        } else {
            counted.0 as f64 / all as f64
        }
    );
}

/// No spinning, since nobody comes.
fn builder(shape: &Shape) -> Builder {
    let builder = Builder::new(shape.capacity).first_sequence(shape.first);
    builder.wait(WaitStrategy::Park)
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 3 } else { 120 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_lossy_ring_does_what_its_twin_does(
        shape in shape(),
        ops in prop::collection::vec(op(), 1..150),
    ) {
        let builder = builder(&shape);
        let mut pair = Pair::new(builder.lossy().unwrap(), shape.first, shape.capacity);
        ops.iter().for_each(|op| pair.run(op));
    }

    #[test]
    fn a_gating_ring_does_what_its_twin_does(
        shape in shape(),
        ops in prop::collection::vec(op(), 1..150),
    ) {
        let builder = builder(&shape).watermark(shape.watermark);
        let room = shape.capacity - shape.watermark;
        let mut pair = Pair::new(builder.gating().unwrap(), shape.first, room);
        ops.iter().for_each(|op| pair.run(op));
    }
}

/// Passing messages over gives their slots back, all at once.
#[test]
fn a_gating_subscriber_that_skips_frees_what_it_skipped() {
    let (mut publisher, subscribable) = Builder::new(4).gating::<u64>().unwrap();
    let mut subscriber = subscribable.subscribe();
    publisher.publish_batch(&[0, 1, 2, 3]);
    assert_eq!(subscriber.latest(), Some(3));
    assert_eq!(
        (subscriber.total_received(), subscriber.total_lagged()),
        (1, 3)
    );
    assert_eq!(publisher.try_publish_batch(&[4, 5, 6, 7, 8]), 4);
    assert_eq!(subscriber.try_recv(), Ok(4));
    assert_eq!(subscriber.drain().count(), 3);
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
}
