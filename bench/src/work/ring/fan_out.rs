//! One publisher, N consumer threads, every consumer sees every message. Threads live before the clock starts, each
//! counts for itself, and the time ends when the last consumer has its last message.

use std::thread;

use super::{Stream, warm_up};
use crate::clock::Clock;
use crate::consumer::{Consumer, Notes};
use crate::engine::ring::{Engine, Managed, Publish, Sink, Subscribe};
use crate::round::Round;
use crate::scenario::Plan;
use crate::sys::Pinned;

/// N threads of the harness, each waiting as its engine waits.
pub fn threads<E: Engine<u64>, const LOSSY: bool>(plan: &Plan) -> Result<Round, String> {
    let (publisher, subscribers) = E::open(plan.capacity, plan.receivers);
    let (sender, notes) = Notes::open(plan.receivers);
    let readers: Vec<_> = subscribers
        .into_iter()
        .map(|mut subscriber| {
            let mut consumer = Consumer::<u64, LOSSY>::new(sender.clone());
            let alone = plan.receivers == 1;
            thread::spawn(move || {
                // Two threads have a core each; more threads are left to the scheduler.
                let _pinned = alone.then(|| Pinned::to(1));
                while consumer.phase() < 2 {
                    subscriber.step(&mut consumer);
                }
            })
        })
        .collect();
    drop(sender);
    let round = publish::<_, LOSSY>(publisher, &notes, plan)?;
    for reader in readers {
        reader.join().map_err(|_| "a consumer panicked")?;
    }
    Ok(round)
}

/// N threads of the engine.
pub fn managed<M: Managed<u64>>(plan: &Plan) -> Result<Round, String> {
    let (sender, notes) = Notes::open(plan.receivers);
    let handlers = (0..plan.receivers)
        .map(|_| {
            let mut consumer = Consumer::<u64, false>::new(sender.clone());
            move |message: &u64| consumer.message(message)
        })
        .collect();
    drop(sender);
    publish::<_, false>(M::start(plan.capacity, handlers), &notes, plan)
}

fn publish<P: Publish<u64>, const LOSSY: bool>(
    mut publisher: P,
    notes: &Notes,
    plan: &Plan,
) -> Result<Round, String> {
    let _pinned = (plan.receivers == 1).then(|| Pinned::to(0));
    let mut stream = Stream::<u64>::new(plan.seed);
    // One lap is enough to start every thread; more would cost the engines that wait badly seconds a round.
    let warm = warm_up(plan.capacity).min(plan.operations / 4 + 1);
    stream.pour(&mut publisher, warm);
    publisher.publish(&u64::MAX);
    let sum = stream.sum();
    notes.collect(warm, (!LOSSY).then_some(sum))?;
    let clock = Clock::start();
    let sent = stream.pour_plan(&mut publisher, plan);
    publisher.publish(&u64::MAX);
    let sum = stream.sum();
    let summary = notes.collect(sent, (!LOSSY).then_some(sum))?;
    let spent = clock.stop_at(summary.end);
    let mut round = Round::new(spent, sent);
    round.delivered = summary.received as f64 / (sent * plan.receivers as u64) as f64;
    Ok(round)
}
