//! "Market data": four topics, a publisher thread and a subscriber thread on each, lossy, 24-byte quotes.
//! What was skipped is counted as skipped and never as received.

use std::sync::{Arc, Barrier};
use std::thread;

use super::Stream;
use crate::clock::Clock;
use crate::consumer::{Consumer, Note, Notes};
use crate::engine::ring::{Engine, Publish, Subscribe};
use crate::message::{Plain, Words};
use crate::round::Round;
use crate::scenario::Plan;

/// Topics.
const TOPICS: usize = 4;
/// Messages of each topic before the clock starts.
const WARM: u64 = 1000;

/// Eight threads; the plan's operations are the quotes of all topics together.
pub fn quotes<E: Engine<Words<3>>>(plan: &Plan) -> Result<Round, String> {
    let (sender, notes) = Notes::open(TOPICS);
    let start = Arc::new(Barrier::new(TOPICS + 1));
    let each = plan.operations / TOPICS as u64;
    let threads: Vec<_> = (0..TOPICS)
        .flat_map(|topic| topic_threads::<E>(plan, topic, each, sender.clone(), &start))
        .collect();
    drop(sender);
    notes.collect(WARM, None)?;
    let clock = Clock::start();
    start.wait();
    let summary = notes.collect(each, None)?;
    let spent = clock.stop_at(summary.end);
    for thread in threads {
        thread.join().map_err(|_| "a thread panicked")?;
    }
    let published = each * TOPICS as u64;
    let mut round = Round::new(spent, published);
    round.delivered = summary.received as f64 / published as f64;
    let delivered_ns = spent.wall.as_nanos() as f64 / summary.received.max(1) as f64;
    Ok(round.with("ns per delivered", delivered_ns))
}

fn topic_threads<E: Engine<Words<3>>>(
    plan: &Plan,
    topic: usize,
    each: u64,
    sender: std::sync::mpsc::Sender<Note>,
    start: &Arc<Barrier>,
) -> [thread::JoinHandle<()>; 2] {
    let (mut publisher, mut subscribers) = E::open(plan.capacity, 1);
    let subscriber = subscribers.pop();
    let mut consumer = Consumer::<Words<3>, true>::new(sender);
    let reader = thread::spawn(move || {
        // A missing subscriber is seen as a consumer that ended early.
        if let Some(mut subscriber) = subscriber {
            while consumer.phase() < 2 {
                subscriber.step(&mut consumer);
            }
        }
    });
    let (seed, start) = (plan.seed + topic as u64, Arc::clone(start));
    let writer = thread::spawn(move || {
        let mut stream = Stream::<Words<3>>::new(seed);
        stream.pour(&mut publisher, WARM);
        publisher.publish(&Words::<3>::marker());
        start.wait();
        stream.pour(&mut publisher, each);
        publisher.publish(&Words::<3>::marker());
    });
    [reader, writer]
}
