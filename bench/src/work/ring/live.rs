//! A publisher with a live consumer on another thread: the publisher's cost, and the time there and back.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{Stream, warm_up};
use crate::clock::Clock;
use crate::consumer::{Consumer, Notes};
use crate::engine::ring::{Engine, Managed, Publish, Sink, Subscribe};
use crate::message::{END, Plain, Source};
use crate::round::Round;
use crate::scenario::Plan;
use crate::sys::Pinned;

/// A word on a line of its own.
#[repr(align(128))]
struct Word(AtomicU64);

impl Default for Word {
    /// A key that no message has.
    fn default() -> Self {
        Self(AtomicU64::new(u64::MAX))
    }
}

/// Counts a message, then shows its key to the other thread.
struct Showing<T, const LOSSY: bool> {
    consumer: Consumer<T, LOSSY>,
    word: Arc<Word>,
    order: Ordering,
}

impl<T: Plain, const LOSSY: bool> Sink<T> for Showing<T, LOSSY> {
    #[inline(always)]
    fn message(&mut self, message: &T) {
        self.consumer.message(message);
        // ORDERING: a constant of the workload, which folds away: Release hands the receipt over to the publisher,
        // Relaxed only makes the consumer touch memory as a handler would.
        if self.order == Ordering::Release {
            self.word.0.store(message.key(), Ordering::Release);
        } else {
            self.word.0.store(message.key(), Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn skipped(&mut self, skipped: u64) {
        self.consumer.skipped(skipped);
    }
}

/// The publisher's cost per message while a consumer keeps polling and stores each message (`LOSSY`: may be overtaken).
pub fn publish<E: Engine<u64>, const LOSSY: bool>(plan: &Plan) -> Result<Round, String> {
    let (publisher, mut subscribers) = E::open(plan.capacity, 1);
    let mut subscriber = subscribers.pop().ok_or("no subscriber")?;
    let (sender, notes) = Notes::open(1);
    let mut sink = Showing {
        consumer: Consumer::<u64, LOSSY>::new(sender),
        word: Arc::default(),
        order: Ordering::Relaxed,
    };
    let reader = thread::spawn(move || {
        let _pinned = Pinned::to(1);
        while sink.consumer.phase() < 2 {
            subscriber.sweep(&mut sink);
        }
    });
    let round = publish_to::<_, LOSSY>(publisher, &notes, plan)?;
    reader.join().map_err(|_| "the consumer panicked")?;
    Ok(round)
}

/// The same against an engine that owns its consumer thread.
pub fn publish_managed<M: Managed<u64>>(plan: &Plan) -> Result<Round, String> {
    let (sender, notes) = Notes::open(1);
    let mut sink = Showing {
        consumer: Consumer::<u64, false>::new(sender),
        word: Arc::default(),
        order: Ordering::Relaxed,
    };
    let publisher = M::start(
        plan.capacity,
        vec![move |message: &u64| sink.message(message)],
    );
    publish_to::<_, false>(publisher, &notes, plan)
}

fn publish_to<P: Publish<u64>, const LOSSY: bool>(
    mut publisher: P,
    notes: &Notes,
    plan: &Plan,
) -> Result<Round, String> {
    let _pinned = Pinned::to(0);
    let mut stream = Stream::<u64>::new(plan.seed);
    let warm = warm_up(plan.capacity);
    stream.pour(&mut publisher, warm);
    publisher.publish(&u64::marker());
    let sum = stream.sum();
    notes.collect(warm, (!LOSSY).then_some(sum))?;
    let clock = Clock::start();
    stream.pour(&mut publisher, plan.operations);
    let spent = clock.stop();
    publisher.publish(&u64::marker());
    let sum = stream.sum();
    let summary = notes.collect(plan.operations, (!LOSSY).then_some(sum))?;
    let mut round = Round::new(spent, plan.operations);
    round.delivered = summary.received as f64 / plan.operations as f64;
    Ok(round)
}

/// Publishes one message and waits until the other thread has shown its key: there and back.
pub fn there_and_back<E: Engine<T>, T: Plain>(plan: &Plan) -> Result<Round, String> {
    let (publisher, mut subscribers) = E::open(plan.capacity, 1);
    let mut subscriber = subscribers.pop().ok_or("no subscriber")?;
    let (sender, notes) = Notes::open(1);
    let word = Arc::<Word>::default();
    let mut sink = Showing {
        consumer: Consumer::<T, false>::new(sender),
        word: Arc::clone(&word),
        order: Ordering::Release,
    };
    let reader = thread::spawn(move || {
        let _pinned = Pinned::to(1);
        while sink.consumer.phase() < 2 {
            subscriber.sweep(&mut sink);
            std::hint::spin_loop();
        }
    });
    let round = bounce(publisher, &word, &notes, plan)?;
    reader.join().map_err(|_| "the consumer panicked")?;
    Ok(round)
}

/// Both threads on one core: the reader waits as its engine waits, the publisher gives the core away until the key
/// is shown. An engine that only spins costs a time slice a turn here.
pub fn there_and_back_on_one_core<E: Engine<u64>>(plan: &Plan) -> Result<Round, String> {
    let (mut publisher, mut subscribers) = E::open(plan.capacity, 1);
    let mut subscriber = subscribers.pop().ok_or("no subscriber")?;
    let (sender, notes) = Notes::open(1);
    let word = Arc::<Word>::default();
    let consumer = Consumer::<u64, false>::new(sender);
    let mut sink = Showing {
        consumer,
        word: Arc::clone(&word),
        order: Ordering::Release,
    };
    let reader = thread::spawn(move || {
        let _pinned = Pinned::to(0);
        while sink.consumer.phase() < 1 {
            subscriber.step(&mut sink);
        }
    });
    let _pinned = Pinned::to(0);
    let mut stream = Stream::<u64>::new(plan.seed);
    let clock = Clock::start();
    let count = turns(&mut stream, &mut publisher, &word, thread::yield_now, plan);
    let spent = clock.stop();
    publisher.publish(&END);
    notes.collect(count, Some(stream.sum()))?;
    reader.join().map_err(|_| "the consumer panicked")?;
    Ok(Round::new(spent, count))
}

/// The same against an engine that owns its consumer thread.
pub fn there_and_back_managed<M: Managed<T>, T: Plain>(plan: &Plan) -> Result<Round, String> {
    let (sender, notes) = Notes::open(1);
    let word = Arc::<Word>::default();
    let mut sink = Showing {
        consumer: Consumer::<T, false>::new(sender),
        word: Arc::clone(&word),
        order: Ordering::Release,
    };
    let publisher = M::start(
        plan.capacity,
        vec![move |message: &T| sink.message(message)],
    );
    bounce(publisher, &word, &notes, plan)
}

fn bounce<T: Plain>(
    mut publisher: impl Publish<T>,
    word: &Word,
    notes: &Notes,
    plan: &Plan,
) -> Result<Round, String> {
    let _pinned = Pinned::to(0);
    let mut stream = Stream::<T>::new(plan.seed);
    let warm_up = Plan {
        operations: plan.operations / 10,
        ..*plan
    };
    let warm = turns(
        &mut stream,
        &mut publisher,
        word,
        std::hint::spin_loop,
        &warm_up,
    );
    publisher.publish(&T::marker());
    notes.collect(warm, Some(stream.sum()))?;
    let clock = Clock::start();
    let count = turns(
        &mut stream,
        &mut publisher,
        word,
        std::hint::spin_loop,
        plan,
    );
    let spent = clock.stop();
    publisher.publish(&T::marker());
    notes.collect(count, Some(stream.sum()))?;
    Ok(Round::new(spent, count))
}

/// As many turns as the plan asks for or its seconds allow: with both threads on one core a turn may take a time slice.
#[inline(always)]
fn turns<T: Plain>(
    stream: &mut Stream<T>,
    publisher: &mut impl Publish<T>,
    word: &Word,
    pause: impl Fn(),
    plan: &Plan,
) -> u64 {
    let (begin, limit) = (Instant::now(), Duration::from_secs(plan.seconds));
    let mut done = 0;
    while done < plan.operations && begin.elapsed() < limit {
        let now = (plan.operations - done).min(16);
        for _ in 0..now {
            let Some(source) = &mut stream.source else {
                break;
            };
            let message = source.next();
            publisher.publish(message);
            let key = message.key();
            // ORDERING: Acquire, pairs with the Release in `Showing`; the contract of the rival's own benchmark.
            while word.0.load(Ordering::Acquire) != key {
                pause();
            }
        }
        stream.sent += now;
        done += now;
    }
    done
}
