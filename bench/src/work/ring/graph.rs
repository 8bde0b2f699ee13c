//! Stages after stages on threads: what one message costs from end to end, and that each stage did its work on it.

use super::{CHUNK, Stream};
use crate::clock::Clock;
use crate::consumer::{Consumer, Notes};
use crate::engine::graph::{Diamond, Line};
use crate::engine::ring::Publish;
use crate::message::{END, Message, Source};
use crate::round::{Round, verify};
use crate::scenario::Plan;
use crate::stage::{Stage, join};

/// Stages of so many words each.
fn stages<const N: usize>(words: usize) -> [Stage; N] {
    std::array::from_fn(|number| Stage::new(number, words))
}

/// Three stages in a line.
pub fn line<E: Line, const WORDS: usize>(plan: &Plan) -> Result<Round, String> {
    let [a, b, c] = stages(WORDS);
    let start = |sink| E::start(plan.capacity, stages(WORDS), sink);
    turn(plan, start, |value| c.run(b.run(a.run(value))))
}

/// The same on the publisher's thread, without a ring.
pub fn line_on_one_thread<const WORDS: usize>(plan: &Plan) -> Result<Round, String> {
    let [a, b, c] = stages(WORDS);
    on_one_thread(plan, |value| c.run(b.run(a.run(value))))
}

/// One stage, two, one.
pub fn diamond<E: Diamond, const WORDS: usize>(plan: &Plan) -> Result<Round, String> {
    let start = |sink| E::start(plan.capacity, stages(WORDS), sink);
    turn(plan, start, diamond_of(stages(WORDS)))
}

/// The same on the publisher's thread, without a ring.
pub fn diamond_on_one_thread<const WORDS: usize>(plan: &Plan) -> Result<Round, String> {
    on_one_thread(plan, diamond_of(stages(WORDS)))
}

fn diamond_of([a, b, c, d]: [Stage; 4]) -> impl Fn(u64) -> u64 {
    move |value| {
        let first = a.run(value);
        d.run(join(b.run(first), c.run(first)))
    }
}

/// Messages before the clock starts.
fn warm_up(plan: &Plan) -> u64 {
    plan.operations / 8 + 1
}

/// Sums of what comes out: of the messages before the clock starts; of those after it, one a chunk.
fn expected(plan: &Plan, of: impl Fn(u64) -> u64) -> (u64, Vec<u64>) {
    let mut source = <u64 as Message>::Source::new(plan.seed);
    let mut next = |sum: u64| sum.wrapping_add(of(*source.next()));
    let warm = (0..warm_up(plan)).fold(0, |sum, _| next(sum));
    let mut sums = vec![0u64];
    for message in 0..plan.operations {
        let sum = sums[sums.len() - 1];
        if message % CHUNK == 0 {
            sums.push(sum);
        }
        let last = sums.len() - 1;
        sums[last] = next(sum);
    }
    (warm, sums)
}

fn turn<P: Publish<u64>>(
    plan: &Plan,
    start: impl FnOnce(Consumer<u64, false>) -> P,
    of: impl Fn(u64) -> u64,
) -> Result<Round, String> {
    let (warm_sum, sums) = expected(plan, of);
    let (sender, notes) = Notes::open(1);
    let mut publisher = start(Consumer::new(sender));
    let mut stream = Stream::<u64>::new(plan.seed);
    stream.pour(&mut publisher, warm_up(plan));
    publisher.publish(&END);
    notes.collect(warm_up(plan), Some(warm_sum))?;
    let clock = Clock::start();
    let sent = stream.pour_plan(&mut publisher, plan);
    publisher.publish(&END);
    let summary = notes.collect(sent, Some(sums[sent.div_ceil(CHUNK) as usize]))?;
    Ok(Round::new(clock.stop_at(summary.end), sent))
}

fn on_one_thread(plan: &Plan, of: impl Fn(u64) -> u64) -> Result<Round, String> {
    let (_, sums) = expected(plan, &of);
    let mut source = <u64 as Message>::Source::new(plan.seed);
    (0..warm_up(plan)).for_each(|_| _ = source.next());
    let clock = Clock::start();
    let mut sum = 0u64;
    for _ in 0..plan.operations {
        sum = sum.wrapping_add(of(*source.next()));
    }
    let spent = clock.stop();
    verify("checksum", Some(&sum), sums.last())?;
    Ok(Round::new(spent, plan.operations))
}
