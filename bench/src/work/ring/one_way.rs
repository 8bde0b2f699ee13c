//! One way: the publisher stamps the time into the message, the consumer takes the difference on arrival.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::clock::Clock;
use crate::engine::ring::{Engine, Managed, Publish, Sink, Subscribe};
use crate::message::{END, Words};
use crate::round::{Round, verify};
use crate::scenario::Plan;
use crate::stats::percentile;
use crate::sys::{self, Pinned};

/// Messages before the samples.
const WARM: u64 = 10_000;

/// What the consumer found: place in the stream, messages skipped, ages.
type Found = (u64, u64, Vec<u64>);

/// Collects the ages of messages.
struct Ages {
    /// Place in the stream: received and skipped.
    next: u64,
    skipped: u64,
    in_order: bool,
    ages: Vec<u64>,
    phase: usize,
    sender: Sender<Found>,
}

impl Ages {
    fn new(plan: &Plan, sender: Sender<Found>) -> Self {
        let ages = Vec::with_capacity((WARM.max(plan.operations)) as usize);
        Self {
            next: 0,
            skipped: 0,
            in_order: true,
            ages,
            phase: 0,
            sender,
        }
    }

    /// A marker: warm-up or samples are over.
    #[cold]
    fn mark(&mut self) {
        self.phase += 1;
        let place = if self.in_order { self.next } else { END };
        // The main thread hangs up only after it has failed for another reason.
        let _ = self.sender.send((place, self.skipped, self.ages.clone()));
        self.ages.clear();
    }
}

impl Sink<Words<2>> for Ages {
    #[inline(always)]
    fn message(&mut self, message: &Words<2>) {
        let now = sys::ticks();
        if message[0] == END {
            return self.mark();
        }
        if self.ages.len() < self.ages.capacity() {
            self.ages.push(now.saturating_sub(message[1]));
        }
        self.in_order &= message[0] == self.next;
        self.next = message[0] + 1;
    }

    fn skipped(&mut self, skipped: u64) {
        self.next += skipped;
        self.skipped += skipped;
    }
}

/// A thread of the harness polls.
pub fn polled<E: Engine<Words<2>>>(plan: &Plan) -> Result<Round, String> {
    let (publisher, mut subscribers) = E::open(plan.capacity, 1);
    let mut subscriber = subscribers.pop().ok_or("no subscriber")?;
    let (sender, receiver) = channel();
    let mut ages = Ages::new(plan, sender);
    let reader = thread::spawn(move || {
        let _pinned = Pinned::to(1);
        while ages.phase < 2 {
            subscriber.sweep(&mut ages);
            std::hint::spin_loop();
        }
    });
    let round = publish(publisher, &receiver, plan)?;
    reader.join().map_err(|_| "the consumer panicked")?;
    Ok(round)
}

/// A thread of the engine polls.
pub fn managed<M: Managed<Words<2>>>(plan: &Plan) -> Result<Round, String> {
    let (sender, receiver) = channel();
    let mut ages = Ages::new(plan, sender);
    let publisher = M::start(
        plan.capacity,
        vec![move |message: &Words<2>| ages.message(message)],
    );
    publish(publisher, &receiver, plan)
}

fn publish(
    mut publisher: impl Publish<Words<2>>,
    receiver: &Receiver<Found>,
    plan: &Plan,
) -> Result<Round, String> {
    let rate = sys::ticks_per_ns();
    let _pinned = Pinned::to(0);
    let mut phase = |from: u64, until: u64| {
        for i in from..until {
            publisher.publish(&[i, sys::ticks()]);
            for _ in 0..32 {
                std::hint::spin_loop();
            }
        }
        publisher.publish(&[END; 2]);
        receiver.recv().map_err(|_| "the consumer ended early")
    };
    let (_, before, _) = phase(0, WARM)?;
    let clock = Clock::start();
    let (place, skipped, mut ages) = phase(WARM, WARM + plan.operations)?;
    let spent = clock.stop();
    verify(
        "received and skipped, in order",
        place,
        WARM + plan.operations,
    )?;
    verify(
        "samples",
        ages.len() as u64 + skipped - before,
        plan.operations,
    )?;
    let mut round = Round::new(spent, plan.operations);
    round.delivered = ages.len() as f64 / plan.operations as f64;
    Ok(with_percentiles(round, &mut ages, rate))
}

/// The row's number is the median age; the rest of the distribution stands beside it.
fn with_percentiles(mut round: Round, ages: &mut [u64], rate: f64) -> Round {
    ages.sort_unstable();
    let at = |part: f64| percentile(ages, part) as f64 / rate;
    round.ns = at(0.5);
    round
        .with("p1 ns", at(0.01))
        .with("p99 ns", at(0.99))
        .with("p99.9 ns", at(0.999))
}
