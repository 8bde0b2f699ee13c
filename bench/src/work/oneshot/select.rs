//! The shape of a loop that waits for its work or for the end: in each turn it makes a wait for the end, polls it once
//! and drops it. All workers listen to one channel, on which nothing is said until they are done.

use std::hint::black_box;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use super::{first, hear};
use crate::clock::{Clock, Spent};
use crate::engine::oneshot::Await;
use crate::engine::runtime::Runtime;
use crate::round::{Round, verify};
use crate::scenario::Plan;
use crate::sys::{Pinned, cores, waker};
use crate::value::Value;

/// Turns of the loop before the clock starts.
const WARM: u64 = 64;
/// A task lets others run after so many turns.
const STRETCH: u64 = 64;

/// How long a task waits for one on another worker.
const PATIENCE: Duration = Duration::from_millis(5);

/// What one worker did.
struct Worked {
    begin: Instant,
    end: Instant,
    pending: u64,
}

/// So many turns of the loop.
#[inline(always)]
fn turns<E: Await<T>, T: Value>(
    listener: &mut E::Listener,
    context: &mut Context,
    count: u64,
) -> u64 {
    let mut pending = 0;
    for _ in 0..count {
        let mut wait = pin!(E::wait(black_box(listener)));
        pending += u64::from(Pin::as_mut(&mut wait).poll(context).is_pending());
    }
    pending
}

/// Sums up what the workers did.
fn round(plan: &Plan, worked: &[Worked], clock: Clock, turns: u64) -> Result<Round, String> {
    let pending: u64 = worked.iter().map(|worked| worked.pending).sum();
    let total = turns * plan.receivers as u64;
    verify("waits that were pending", pending, total)?;
    let begin = worked.iter().map(|worked| worked.begin).min();
    let end = worked.iter().map(|worked| worked.end).max();
    let usage = clock.stop().usage;
    let wall = end.zip(begin).map(|(end, begin)| end - begin);
    let wall = wall.ok_or("no worker")?;
    Ok(Round::new(Spent { wall, usage }, total))
}

/// Workers are threads, with the cheapest waker.
pub fn threads<E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (mut announcer, source) = E::open();
    let mut listeners = Vec::new();
    E::listeners(&mut announcer, &source, plan.receivers, &mut listeners);
    let turns = plan.operations / plan.receivers as u64;
    let (start, done) = (
        &Barrier::new(plan.receivers + 1),
        &Barrier::new(plan.receivers + 1),
    );
    thread::scope(|scope| {
        let start_one = |(place, mut listener)| {
            scope.spawn(move || {
                // Spread over the cores, so that those which can run at once do.
                let _pinned = (plan.receivers > 1).then(|| Pinned::to(place % cores()));
                let worked = work::<E, T>(&mut listener, turns, start);
                done.wait();
                (worked, smol::block_on(hear::<E, T>(listener)))
            })
        };
        let workers: Vec<_> = listeners.into_iter().enumerate().map(start_one).collect();
        start.wait();
        let clock = Clock::start();
        done.wait();
        let _rest = E::announce(announcer, T::make(first(plan)));
        let (mut worked, mut sum) = (Vec::new(), 0u64);
        for worker in workers {
            let (one, heard) = worker.join().map_err(|_| "a worker panicked")?;
            worked.push(one);
            sum = sum.wrapping_add(heard);
        }
        let right = T::expected(first(plan)).wrapping_mul(plan.receivers as u64);
        verify("checksum of what was heard", sum, right)?;
        round(plan, &worked, clock, turns)
    })
}

fn work<E: Await<T>, T: Value>(listener: &mut E::Listener, count: u64, start: &Barrier) -> Worked {
    let waker = waker::counting(1);
    let mut context = Context::from_waker(&waker);
    turns::<E, T>(listener, &mut context, WARM);
    start.wait();
    let begin = Instant::now();
    let pending = turns::<E, T>(listener, &mut context, count);
    Worked {
        begin,
        end: Instant::now(),
        pending,
    }
}

/// Workers are tasks, with the runtime's wakers; each lets others run now and then.
pub fn tasks<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let stretches = plan.operations / plan.receivers as u64 / STRETCH;
    let (count, number) = (plan.receivers, first(plan));
    let clock = Clock::start();
    let (worked, sum) = R::block_on(async {
        let (mut announcer, source) = E::open();
        let (met, done) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let mut tasks = Vec::with_capacity(count);
        for _ in 0..count {
            let listener = E::listener(&mut announcer, &source);
            let (met, done) = (Arc::clone(&met), Arc::clone(&done));
            tasks.push(R::spawn(async move {
                meet(&met, count.min(cores()));
                let (listener, worked) = stretch::<E, T>(listener, stretches.max(1)).await;
                done.fetch_add(1, Ordering::AcqRel);
                (worked, hear::<E, T>(listener).await)
            }));
        }
        while done.load(Ordering::Acquire) < count as u64 {
            R::pause().await;
        }
        let _rest = E::announce(announcer, T::make(number));
        let (mut worked, mut sum) = (Vec::new(), 0u64);
        for task in tasks {
            let (one, heard) = task.await;
            worked.push(one);
            sum = sum.wrapping_add(heard);
        }
        drop(source);
        (worked, sum)
    });
    let right = T::expected(number).wrapping_mul(count as u64);
    verify("checksum of what was heard", sum, right)?;
    round(plan, &worked, clock, stretches.max(1) * STRETCH)
}

/// Holds the first tasks until there is one on each worker, or for a few milliseconds if there is not.
fn meet(met: &AtomicU64, wanted: usize) {
    let begin = Instant::now();
    met.fetch_add(1, Ordering::AcqRel);
    while met.load(Ordering::Acquire) < wanted as u64 && begin.elapsed() < PATIENCE {
        thread::yield_now();
    }
}

async fn stretch<E: Await<T>, T: Value>(
    mut listener: E::Listener,
    stretches: u64,
) -> (E::Listener, Worked) {
    let begin = Instant::now();
    let mut pending = 0;
    for _ in 0..stretches {
        std::future::poll_fn(|context| {
            pending += turns::<E, T>(&mut listener, context, STRETCH);
            Poll::Ready(())
        })
        .await;
        step_aside().await;
    }
    let worked = Worked {
        begin,
        end: Instant::now(),
        pending,
    };
    (listener, worked)
}

/// Lets other tasks run, on any runtime.
async fn step_aside() {
    let mut stepped = false;
    std::future::poll_fn(|context| {
        if stepped {
            return Poll::Ready(());
        }
        stepped = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
