//! Waking everybody who waits, on one thread with the cheapest wakers: what the channel itself costs.
//!
//! Before the clock starts every wait has been polled and was pending, which is counted. Under the clock: announce, the
//! woken poll of every waiter, the drop of every wait. Small crowds are taken in batches of channels, so that the clock
//! is read once for a thousand waiters.

use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Parts, digest, each, first, open_many};
use crate::clock::{Clock, Spent};
use crate::engine::oneshot::Await;
use crate::round::{Round, verify};
use crate::scenario::Plan;
use crate::sys::pinned::Pinned;
use crate::sys::{alloc, waker};
use crate::value::Value;

/// Waiters of one batch, if one channel has fewer.
const BATCH: usize = 1000;

/// What a batch cost.
struct Batch {
    spent: Spent,
    announcer: Duration,
    allocations: u64,
    bytes: u64,
}

/// Announces to the plan's waiters until the last of them has the value and its wait is gone.
pub fn everybody<E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let channels = (BATCH / plan.receivers).clamp(1, plan.operations as usize);
    let batches = plan.operations.div_ceil(channels as u64);
    let (mut parts, mut announcer) = (Parts::default(), Duration::ZERO);
    let (mut allocations, mut bytes) = (0, 0);
    // The first one warms up.
    for number in 0..=batches {
        let done = batch::<E, T>(channels, plan.receivers, first(plan) + number)?;
        if number > 0 {
            parts.add(done.spent);
            announcer += done.announcer;
            allocations += done.allocations;
            bytes += done.bytes;
        }
    }
    let operations = batches * channels as u64;
    let per_wait = |count: u64| count as f64 / (operations * plan.receivers as u64) as f64;
    Ok(Round::new(parts.spent, operations)
        .with("announcer ns", each(announcer, operations))
        .with("allocations per wait", per_wait(allocations))
        .with("bytes per wait", per_wait(bytes)))
}

fn batch<E: Await<T>, T: Value>(
    channels: usize,
    count: usize,
    number: u64,
) -> Result<Batch, String> {
    let (announcers, _sources, mut listeners) = open_many::<E, T>(channels, count);
    let total = listeners.len();
    let wakers: Vec<Waker> = (0..total).map(waker::counting).collect();
    let mut waits = Pinned::new(listeners.iter_mut().map(|listener| E::wait(listener)));
    let (before, woken) = (alloc::tally(), waker::woken());
    let mut pending = 0;
    waits.poll_each(
        |place| Context::from_waker(&wakers[place]),
        |answer| pending += usize::from(answer.is_pending()),
    );
    let after = alloc::tally();
    verify("waits that were pending", pending, total)?;
    let (mut sum, mut rest) = (0u64, Vec::with_capacity(channels));
    let clock = Clock::start();
    for announcer in announcers {
        rest.push(E::announce(announcer, T::make(number)));
    }
    let announcer = clock.begin.elapsed();
    waits.poll_each(
        |place| Context::from_waker(&wakers[place]),
        |answer| {
            if let Poll::Ready(heard) = answer {
                sum = sum.wrapping_add(digest::<T>(&heard));
            }
        },
    );
    drop(waits);
    let spent = clock.stop();
    // One engine wakes a waiter of each channel twice.
    let missed = (total as u64).saturating_sub(waker::woken() - woken);
    verify("waiters that were not woken", missed, 0)?;
    let right = T::expected(number).wrapping_mul(total as u64);
    verify("checksum of what was heard", sum, right)?;
    Ok(Batch {
        spent,
        announcer,
        allocations: after.calls - before.calls,
        bytes: after.bytes - before.bytes,
    })
}

/// A second crowd of waiters on a channel whose first crowd has given up: what it allocates, and how long the waits take.
pub fn second_crowd<E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (mut announcer, source) = E::open();
    let mut listeners = Vec::new();
    E::listeners(&mut announcer, &source, plan.receivers, &mut listeners);
    let wakers: Vec<Waker> = (0..plan.receivers).map(waker::counting).collect();
    let (mut parts, mut counted) = (Parts::default(), [(0, 0); 2]);
    for crowd in &mut counted {
        let mut waits = Pinned::new(listeners.iter_mut().map(|listener| E::wait(listener)));
        let (before, mut pending) = (alloc::tally(), 0);
        let clock = Clock::start();
        waits.poll_each(
            |place| Context::from_waker(&wakers[place]),
            |answer| pending += usize::from(answer.is_pending()),
        );
        parts = Parts::default();
        parts.add(clock.stop());
        let after = alloc::tally();
        *crowd = (after.calls - before.calls, after.bytes - before.bytes);
        verify("waits that were pending", pending, plan.receivers)?;
    }
    let [first, second] = counted;
    Ok(Round::new(parts.spent, plan.receivers as u64)
        .with("allocations, first crowd", first.0 as f64)
        .with("bytes, first crowd", first.1 as f64)
        .with("allocations, second crowd", second.0 as f64))
}
