//! More threads than cores: one publisher, gating subscribers on threads and tasks; then an idle second.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, JoinHandle, Thread};
use std::time::Duration;

use super::Stream;
use crate::clock::Clock;
use crate::consumer::{Consumer, Note, Notes};
use crate::engine::ring::{AwaitEach, Engine, Publish, Subscribe};
use crate::round::Round;
use crate::scenario::Plan;

/// Subscribers that are tasks, each on a thread that does nothing else.
const TASKS: usize = 2;
/// Messages before the clock starts.
const WARM: u64 = 64;

/// The plan's subscribers are threads but for the last two, which are tasks.
pub fn oversubscribed<E: Engine<u64, Subscriber: AwaitEach<u64>>>(
    plan: &Plan,
) -> Result<Round, String> {
    let (mut publisher, subscribers) = E::open(plan.capacity, plan.receivers);
    let (sender, notes) = Notes::open(plan.receivers);
    let readers = start_readers(subscribers, plan.receivers - TASKS, &sender);
    drop(sender);
    let mut stream = Stream::<u64>::new(plan.seed);
    stream.pour(&mut publisher, WARM);
    publisher.publish(&u64::MAX);
    notes.collect(WARM, Some(stream.sum()))?;
    let clock = Clock::start();
    let sent = stream.pour_plan(&mut publisher, plan);
    publisher.publish(&u64::MAX);
    let sum = stream.sum();
    let summary = notes.collect(sent, Some(sum))?;
    let spent = clock.stop_at(summary.end);
    let idle = idle_cores(Duration::from_secs(1).min(Duration::from_millis(plan.seconds * 200)));
    publisher.publish(&u64::MAX);
    notes.collect(0, Some(0))?;
    for reader in readers {
        reader.join().map_err(|_| "a consumer panicked")?;
    }
    Ok(Round::new(spent, sent)
        .with("messages", sent as f64)
        .with("idle CPU %", idle * 100.0))
}

/// CPU seconds per second while everybody waits for a message that does not come.
fn idle_cores(long: Duration) -> f64 {
    // What was running when the last message arrived comes to rest first.
    thread::sleep(Duration::from_millis(50));
    let clock = Clock::start();
    thread::sleep(long);
    let spent = clock.stop();
    spent.usage.cpu.as_secs_f64() / spent.wall.as_secs_f64()
}

fn start_readers<S: AwaitEach<u64>>(
    subscribers: Vec<S>,
    threads: usize,
    sender: &Sender<Note>,
) -> Vec<JoinHandle<()>> {
    let start = |(number, mut subscriber): (usize, S)| {
        let mut consumer = Consumer::<u64, false>::new(sender.clone());
        if number < threads {
            thread::spawn(move || {
                while consumer.phase() < 3 {
                    Subscribe::step(&mut subscriber, &mut consumer);
                }
            })
        } else {
            thread::spawn(move || {
                block_on(async move {
                    while consumer.phase() < 3 {
                        subscriber.next(&mut consumer).await;
                    }
                });
            })
        }
    };
    subscribers.into_iter().enumerate().map(start).collect()
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// The smallest executor there is: one task, one thread, parked while there is nothing to do.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}
