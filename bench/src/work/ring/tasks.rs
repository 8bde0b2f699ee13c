//! One publisher task and several subscriber tasks of a runtime; every subscriber sees every message.
//!
//! `bursts` publishes no more at once than the ring holds, and goes on when all have had it: nothing is lost there on a
//! lossy ring either, so lossy and lossless engines do the same work. `flow` publishes everything without a pause; engines
//! that lose nothing hold the publisher back, the others tell what was lost.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use futures_util::task::AtomicWaker;

use super::Stream;
use crate::clock::Clock;
use crate::consumer::{Consumer, Notes};
use crate::engine::ring::{AwaitEach, AwaitRoom, Engine, Sink};
use crate::engine::runtime::Runtime;
use crate::message::END;
use crate::round::Round;
use crate::scenario::Plan;

/// Ends a burst that is not the last one.
const BREATH: u64 = END - 1;
/// Messages of a burst.
const BURST: u64 = 512;

/// Bursts of messages, each of which all subscribers have had before the next.
pub fn bursts<R: Runtime, E, const LOSSY: bool>(plan: &Plan) -> Result<Round, String>
where
    E: Engine<u64, Publisher: AwaitRoom<u64>, Subscriber: AwaitEach<u64>>,
{
    let burst = BURST.min(plan.operations);
    turn::<R, E, LOSSY>(plan, burst, plan.operations / burst)
}

/// All messages without a pause.
pub fn flow<R: Runtime, E, const LOSSY: bool>(plan: &Plan) -> Result<Round, String>
where
    E: Engine<u64, Publisher: AwaitRoom<u64>, Subscriber: AwaitEach<u64>>,
{
    turn::<R, E, LOSSY>(plan, plan.operations, 1)
}

fn turn<R: Runtime, E, const LOSSY: bool>(
    plan: &Plan,
    burst: u64,
    bursts: u64,
) -> Result<Round, String>
where
    E: Engine<u64, Publisher: AwaitRoom<u64>, Subscriber: AwaitEach<u64>>,
{
    let (publisher, subscribers) = E::open(plan.capacity, plan.receivers);
    let (sender, notes) = Notes::open(plan.receivers);
    let reached = Arc::new(Reached::by(plan.receivers));
    let sinks: Vec<_> = (0..plan.receivers)
        .map(|_| Resting {
            consumer: Consumer::<u64, LOSSY>::new(sender.clone()),
            reached: Arc::clone(&reached),
        })
        .collect();
    drop(sender);
    let writer = write(
        publisher,
        Stream::new(plan.seed),
        reached,
        plan.capacity as u64,
        (burst, bursts),
    );
    let (clock, [warm, sum]) = R::block_on(async move {
        let readers: Vec<_> = subscribers
            .into_iter()
            .zip(sinks)
            .map(|(subscriber, sink)| R::spawn(read(subscriber, sink)))
            .collect();
        let written = R::spawn(writer).await;
        for reader in readers {
            reader.await;
        }
        written
    });
    let sent = burst * bursts;
    notes.collect(warm.0, (!LOSSY).then_some(warm.1))?;
    let summary = notes.collect(sent, (!LOSSY).then_some(sum.1))?;
    let mut round = Round::new(clock.stop_at(summary.end), sent);
    round.delivered = summary.received as f64 / (sent * plan.receivers as u64) as f64;
    Ok(round)
}

/// Passes on what comes, and tells the publisher at the end of each burst.
struct Resting<const LOSSY: bool> {
    consumer: Consumer<u64, LOSSY>,
    reached: Arc<Reached>,
}

impl<const LOSSY: bool> Sink<u64> for Resting<LOSSY> {
    #[inline(always)]
    fn message(&mut self, message: &u64) {
        if *message != BREATH {
            self.consumer.message(message);
        }
        if *message >= BREATH {
            self.reached.arrive();
        }
    }

    #[inline(always)]
    fn skipped(&mut self, skipped: u64) {
        self.consumer.skipped(skipped);
    }
}

async fn read<const LOSSY: bool>(mut subscriber: impl AwaitEach<u64>, mut sink: Resting<LOSSY>) {
    while sink.consumer.phase() < 2 {
        subscriber.next(&mut sink).await;
    }
}

/// Warm-up and the part that counts: the clock, and count and sum of both.
async fn write(
    mut publisher: impl AwaitRoom<u64>,
    mut stream: Stream<u64>,
    reached: Arc<Reached>,
    capacity: u64,
    (burst, bursts): (u64, u64),
) -> (Clock, [(u64, u64); 2]) {
    // As many as the ring has slots, so that each has been written.
    let laps = capacity.div_ceil(burst).min(bursts);
    phase(&mut publisher, &mut stream, &reached, burst, laps).await;
    let warm = (burst * laps, stream.sum());
    let clock = Clock::start();
    phase(&mut publisher, &mut stream, &reached, burst, bursts).await;
    (clock, [warm, (burst * bursts, stream.sum())])
}

async fn phase(
    publisher: &mut impl AwaitRoom<u64>,
    stream: &mut Stream<u64>,
    reached: &Reached,
    burst: u64,
    bursts: u64,
) {
    for last in (1..=bursts).rev().map(|left| left == 1) {
        stream.pour_async(publisher, burst).await;
        let marker = if last { END } else { BREATH };
        publisher.publish_async(&marker).await;
        reached.all().await;
    }
}

/// Whether all subscribers have reached the end of the burst.
struct Reached {
    subscribers: usize,
    left: AtomicUsize,
    publisher: AtomicWaker,
}

impl Reached {
    fn by(subscribers: usize) -> Self {
        Self {
            subscribers,
            left: AtomicUsize::new(subscribers),
            publisher: AtomicWaker::new(),
        }
    }

    #[cold]
    fn arrive(&self) {
        // ORDERING: AcqRel, so that the publisher comes after everything that subscribers did.
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.publisher.wake();
        }
    }

    /// Waits for all, and counts anew.
    async fn all(&self) {
        poll_fn(|context| {
            self.publisher.register(context.waker());
            // ORDERING: Acquire, pairs with `arrive`.
            if self.left.load(Ordering::Acquire) > 0 {
                return Poll::Pending;
            }
            // ORDERING: Relaxed: nobody arrives before the publisher publishes again.
            self.left.store(self.subscribers, Ordering::Relaxed);
            Poll::Ready(())
        })
        .await;
    }
}
