//! One thread publishes and receives: what a message costs when nobody waits and no cache line travels.

use std::hint::black_box;

use super::{Stream, Tally, each_of_many, one_each, warm_up};
use crate::clock::Clock;
use crate::engine::ring::{Batch, Engine, Latest, Publish, PublishBatch, Sink, Subscribe, Unheard};
use crate::message::{Message, Source, expected};
use crate::round::{Round, verify};
use crate::scenario::Plan;

/// Publishes to a ring that nobody reads; afterwards the ring must hold the last messages.
pub fn publish_only<E: Unheard<u64>>(plan: &Plan) -> Result<Round, String> {
    let (mut publisher, look) = E::open(plan.capacity);
    let warm = warm_up(plan.capacity);
    let mut stream = Stream::<u64>::new(plan.seed);
    stream.pour(&mut publisher, warm);
    let clock = Clock::start();
    stream.pour(&mut publisher, plan.operations);
    let spent = clock.stop();
    let (mut subscriber, mut tally, mut before) = (look(), Tally::default(), u64::MAX);
    while before != tally.received {
        before = tally.received;
        subscriber.sweep(&mut tally);
    }
    let (total, held) = (warm + plan.operations, tally.received);
    verify(
        "messages that the ring holds",
        held,
        total.min(plan.capacity as u64),
    )?;
    let sum =
        expected::<u64>(plan.seed, total).wrapping_sub(expected::<u64>(plan.seed, total - held));
    verify("checksum", tally.sum, sum)?;
    Ok(Round::new(spent, plan.operations))
}

/// Publishes a message, then the one subscriber receives it.
pub fn roundtrip<E: Engine<T>, T: Message>(plan: &Plan) -> Result<Round, String> {
    let (mut publisher, mut subscribers) = E::open(plan.capacity, 1);
    let mut subscriber = subscribers.pop().ok_or("no subscriber")?;
    let warm = warm_up(plan.capacity);
    let source = T::Source::new(plan.seed);
    let (source, before) = one_each(&mut publisher, &mut subscriber, source, warm);
    let clock = Clock::start();
    let (_, tally) = one_each(&mut publisher, &mut subscriber, source, plan.operations);
    let spent = clock.stop();
    tally
        .and(before)
        .check::<T>(plan, warm + plan.operations, 1)?;
    Ok(Round::new(spent, plan.operations))
}

/// Publishes a message, then each subscriber receives it.
pub fn fan_out<E: Engine<T>, T: Message>(plan: &Plan) -> Result<Round, String> {
    let (mut publisher, mut subscribers) = E::open(plan.capacity, plan.receivers);
    let warm = warm_up(plan.capacity);
    let source = T::Source::new(plan.seed);
    let (source, before) = each_of_many(&mut publisher, &mut subscribers, source, warm);
    let clock = Clock::start();
    let (_, tally) = each_of_many(&mut publisher, &mut subscribers, source, plan.operations);
    let spent = clock.stop();
    let total = warm + plan.operations;
    tally
        .and(before)
        .check::<T>(plan, total, plan.receivers as u64)?;
    Ok(Round::new(spent, plan.operations))
}

/// Asks an empty ring; a message published afterwards must still arrive.
pub fn empty<E: Engine<u64>>(plan: &Plan) -> Result<Round, String> {
    let (mut publisher, mut subscribers) = E::open(plan.capacity, 1);
    let mut subscriber = subscribers.pop().ok_or("no subscriber")?;
    let mut tally = Tally::default();
    let clock = Clock::start();
    for _ in 0..plan.operations {
        subscriber.sweep(&mut tally);
    }
    let spent = clock.stop();
    verify("messages in an empty ring", tally.received, 0)?;
    let mut stream = Stream::<u64>::new(plan.seed);
    stream.pour(&mut publisher, 1);
    subscriber.sweep(&mut tally);
    tally.check::<u64>(plan, 1, 1)?;
    Ok(Round::new(spent, plan.operations))
}

/// Publishes ten messages, then asks for the newest.
pub fn latest<E: Latest<u64>>(plan: &Plan) -> Result<Round, String> {
    let (mut publisher, mut subscribers) = E::open(plan.capacity, 1);
    let mut subscriber = subscribers.pop().ok_or("no subscriber")?;
    let mut source = <u64 as Message>::Source::new(plan.seed);
    let mut wrong = 0u64;
    let mut turn = |count: u64| {
        for _ in 0..count {
            let mut last = 0;
            for _ in 0..10 {
                let message = source.next();
                publisher.publish(message);
                last = *message;
            }
            wrong += u64::from(E::latest(&mut subscriber) != Some(last));
        }
    };
    turn(warm_up(plan.capacity) / 10);
    let clock = Clock::start();
    turn(plan.operations);
    let spent = clock.stop();
    verify("answers that were not the newest message", wrong, 0)?;
    Ok(Round::new(spent, plan.operations))
}

/// Messages in a batch.
const BATCH: usize = 64;

/// Publishes 64 messages, then drains them through the engine's iterator.
pub fn batch_drain<E: Batch<u64>>(plan: &Plan) -> Result<Round, String> {
    /// A call of its own, so that the engine's loop has the registers to itself; the same in all three.
    #[inline(never)]
    fn take<E: Batch<u64>>(subscriber: &mut E::Subscriber) -> Tally {
        let mut tally = Tally::default();
        E::drain(subscriber, |message| tally.message(&message));
        tally
    }
    batch::<E>(plan, take::<E>)
}

/// Publishes 64 messages, then copies them out into a buffer.
pub fn batch_copy<E: Batch<u64>>(plan: &Plan) -> Result<Round, String> {
    #[inline(never)]
    fn take<E: Batch<u64>>(subscriber: &mut E::Subscriber) -> Tally {
        let (mut tally, mut into) = (Tally::default(), [0; BATCH]);
        let count = E::recv_batch(subscriber, &mut into);
        into[..count]
            .iter()
            .for_each(|message| tally.message(message));
        tally
    }
    batch::<E>(plan, take::<E>)
}

/// Publishes 64 messages, then receives them one by one.
pub fn batch_single<E: Batch<u64>>(plan: &Plan) -> Result<Round, String> {
    #[inline(never)]
    fn take<E: Batch<u64>>(subscriber: &mut E::Subscriber) -> Tally {
        let mut tally = Tally::default();
        (0..BATCH).for_each(|_| subscriber.sweep(&mut tally));
        tally
    }
    batch::<E>(plan, take::<E>)
}

/// `take` is a type of its own for every way of taking a batch out, and so is the loop.
#[inline(always)]
fn batch<E: Batch<u64>>(
    plan: &Plan,
    take: impl Fn(&mut E::Subscriber) -> Tally,
) -> Result<Round, String> {
    let (mut publisher, mut subscribers) = E::open(plan.capacity, 1);
    let mut subscriber = subscribers.pop().ok_or("no subscriber")?;
    let mut source = <u64 as Message>::Source::new(plan.seed);
    let batches: [[u64; BATCH]; 4] =
        std::array::from_fn(|_| std::array::from_fn(|_| *source.next()));
    let mut turn = |count: u64| {
        let mut tally = Tally::default();
        for i in 0..count {
            publisher.publish_batch(black_box(&batches[i as usize % 4]));
            tally = tally.and(take(&mut subscriber));
        }
        tally
    };
    let before = turn(64);
    let clock = Clock::start();
    let tally = turn(plan.operations);
    let spent = clock.stop();
    let tally = tally.and(before);
    verify(
        "received",
        tally.received,
        (64 + plan.operations) * BATCH as u64,
    )?;
    let sum = |batch: [u64; BATCH]| {
        batch
            .iter()
            .fold(0, |sum: u64, message| sum.wrapping_add(*message))
    };
    let sums = batches.map(sum);
    let expected = batch_sum(64, &sums).wrapping_add(batch_sum(plan.operations, &sums));
    verify("checksum", tally.sum, expected)?;
    Ok(Round::new(spent, plan.operations))
}

/// The sum of so many batches, taken in turn.
fn batch_sum(count: u64, sums: &[u64; 4]) -> u64 {
    (0..count).fold(0, |sum: u64, i| sum.wrapping_add(sums[i as usize % 4]))
}
