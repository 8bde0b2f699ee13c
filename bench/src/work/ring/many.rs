//! Several publisher threads and several consumer threads; every consumer sees every message.
//!
//! The publisher that is done last publishes the marker, so every message was published before it. The time begins when
//! the first publisher does and ends when the last consumer has the marker.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::{Stream, warm_up};
use crate::clock::Clock;
use crate::consumer::{Notes, OfMany};
use crate::engine::ring::{Engine, Managed, Publish, Sink, Subscribe};
use crate::message::END;
use crate::round::Round;
use crate::scenario::Plan;

/// The plan's subscribers are threads of the harness, each waiting as its engine waits.
pub fn threads<E: Engine<u64, Publisher: Clone>, const LOSSY: bool>(
    plan: &Plan,
) -> Result<Round, String> {
    let (publisher, subscribers) = E::open(plan.capacity, plan.receivers);
    let (sender, notes) = Notes::open(plan.receivers);
    let read = |mut subscriber: E::Subscriber| {
        let mut sink = OfMany::<LOSSY>::new(sender.clone());
        thread::spawn(move || {
            while sink.phase() < 2 {
                subscriber.step(&mut sink);
            }
        })
    };
    let readers: Vec<_> = subscribers.into_iter().map(read).collect();
    drop(sender);
    let round = publish::<_, LOSSY>(publisher, &notes, plan)?;
    join(readers)?;
    Ok(round)
}

/// The plan's subscribers are threads of the engine.
pub fn managed<M: Managed<u64, Publisher: Clone>>(plan: &Plan) -> Result<Round, String> {
    let (sender, notes) = Notes::open(plan.receivers);
    let handlers = (0..plan.receivers)
        .map(|_| {
            let mut sink = OfMany::<false>::new(sender.clone());
            move |message: &u64| sink.message(message)
        })
        .collect();
    drop(sender);
    publish::<_, false>(M::start(plan.capacity, handlers), &notes, plan)
}

fn publish<P: Publish<u64> + Clone, const LOSSY: bool>(
    publisher: P,
    notes: &Notes,
    plan: &Plan,
) -> Result<Round, String> {
    let (report, reports) = channel();
    let crew = Arc::new(Crew::new(plan.publishers));
    let writers: Vec<_> = (0..plan.publishers)
        .map(|number| {
            let (publisher, report) = (publisher.clone(), report.clone());
            let (crew, plan) = (Arc::clone(&crew), *plan);
            thread::spawn(move || write(publisher, number, &crew, &plan, &report))
        })
        .collect();
    drop((publisher, report));
    let warm = Written::of_all(&reports, plan.publishers)?;
    notes.collect(warm.sent, (!LOSSY).then_some(warm.sum))?;
    let mut clock = Clock::start();
    crew.start.wait();
    let written = Written::of_all(&reports, plan.publishers)?;
    let summary = notes.collect(written.sent, (!LOSSY).then_some(written.sum))?;
    clock.begin = written.begin;
    let spent = clock.stop_at(summary.end);
    join(writers)?;
    let mut round = Round::new(spent, written.sent);
    let wanted = (written.sent * plan.receivers as u64).max(1);
    round.delivered = summary.received as f64 / wanted as f64;
    let delivered_ns = spent.wall.as_nanos() as f64 / summary.received.max(1) as f64;
    Ok(if LOSSY {
        round.with("ns per delivered", delivered_ns)
    } else {
        round
    })
}

fn join(threads: Vec<JoinHandle<()>>) -> Result<(), String> {
    threads
        .into_iter()
        .try_for_each(|thread| thread.join())
        .map_err(|_| "a thread panicked".into())
}

/// What publishers share, once a phase.
struct Crew {
    publishers: usize,
    done: AtomicUsize,
    start: Barrier,
}

impl Crew {
    fn new(publishers: usize) -> Self {
        Self {
            publishers,
            done: AtomicUsize::new(0),
            start: Barrier::new(publishers + 1),
        }
    }

    /// One publisher has published all of its messages; the last one publishes the marker.
    fn done(&self, publisher: &mut impl Publish<u64>) {
        publisher.flush();
        // ORDERING: AcqRel, so that the marker comes after the messages of all.
        if self.done.fetch_add(1, Ordering::AcqRel) + 1 == self.publishers {
            self.done.store(0, Ordering::Relaxed);
            publisher.publish(&END);
            publisher.flush();
        }
    }
}

/// What one publisher, or all of them, published in a phase.
struct Written {
    begin: Instant,
    sent: u64,
    sum: u64,
}

impl Written {
    fn of_all(reports: &Receiver<Self>, publishers: usize) -> Result<Self, String> {
        let gone = |_| "a publisher ended early".to_string();
        let mut all = reports.recv().map_err(gone)?;
        for _ in 1..publishers {
            let one = reports.recv().map_err(gone)?;
            all.begin = all.begin.min(one.begin);
            all.sent += one.sent;
            all.sum = all.sum.wrapping_add(one.sum);
        }
        Ok(all)
    }
}

fn write(
    mut publisher: impl Publish<u64>,
    number: usize,
    crew: &Crew,
    plan: &Plan,
    report: &Sender<Written>,
) {
    let share = |count: u64| count / crew.publishers as u64;
    let warm = warm_up(plan.capacity).min(plan.operations / 4);
    let plan = Plan {
        operations: share(plan.operations),
        ..*plan
    };
    let mut stream = Stream::<u64>::new(OfMany::<true>::seed(plan.seed, number));
    let tell = |begin, sent, sum| {
        // The main thread hangs up only after it has failed for another reason.
        let _ = report.send(Written { begin, sent, sum });
    };
    let begin = Instant::now();
    stream.pour(&mut publisher, share(warm));
    crew.done(&mut publisher);
    tell(begin, share(warm), stream.sum());
    crew.start.wait();
    let begin = Instant::now();
    let sent = stream.pour_plan(&mut publisher, &plan);
    crew.done(&mut publisher);
    tell(begin, sent, stream.sum());
}
