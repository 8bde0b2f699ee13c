//! Tasks of a runtime: spawned, announced to, joined, all under the clock. Spawning and joining cost more than any
//! channel, so each scenario has a floor: the same tasks without a channel.

use super::{Parts, check_sum, first, hear, warm_up};
use crate::clock::Clock;
use crate::engine::oneshot::{Await, Runtime};
use crate::engines::oneshot::multishot_by_ring;
use crate::round::Round;
use crate::scenario::Plan;
use crate::value::Value;

/// Who announces.
#[derive(Clone, Copy, PartialEq)]
enum From {
    /// The thread in `block_on`, which is no worker of the runtime.
    Outside,
    /// A task.
    Inside,
}

/// Where an operation begins.
#[derive(Clone, Copy, PartialEq)]
enum Begin {
    /// As soon as the one before has ended.
    AtOnce,
    /// Just after a tick of the runtime's timer, since a pause is rounded up to its ticks.
    AtATick,
}

const OUTSIDE: (From, Begin) = (From::Outside, Begin::AtOnce);
const INSIDE: (From, Begin) = (From::Inside, Begin::AtOnce);
const AT_A_TICK: (From, Begin) = (From::Outside, Begin::AtATick);

/// Takes the time of the plan's operations, one after the other.
fn turn<R: Runtime, F: Future<Output = u64> + Send + 'static>(
    plan: &Plan,
    (from, begin): (From, Begin),
    expected: impl Fn(u64) -> u64,
    operation: impl Fn(u64) -> F + Send + 'static,
) -> Result<Round, String> {
    let (start, warm, operations) = (first(plan), warm_up(plan), plan.operations);
    let turn = async move {
        for number in start..start + warm {
            operation(number).await;
        }
        let (mut parts, mut sum) = (Parts::default(), 0u64);
        let stretch = if begin == Begin::AtATick {
            1
        } else {
            operations
        };
        for from in (start..start + operations).step_by(stretch as usize) {
            if begin == Begin::AtATick {
                R::pause().await;
            }
            let clock = Clock::start();
            for number in from..from + stretch {
                sum = sum.wrapping_add(operation(number).await);
            }
            parts.add(clock.stop());
        }
        (parts.spent, sum)
    };
    let (spent, sum) = match from {
        From::Outside => R::block_on(turn),
        From::Inside => R::block_on(async { R::spawn(turn).await }),
    };
    check_sum(plan, sum, expected)?;
    Ok(Round::new(spent, operations))
}

/// Spawns so many listeners, announces, joins them.
async fn fan<R: Runtime, E: Await<T>, T: Value>(count: usize, number: u64, pause: bool) -> u64 {
    let (mut announcer, source) = E::open();
    let mut tasks = Vec::with_capacity(count);
    for _ in 0..count {
        let listener = E::listener(&mut announcer, &source);
        tasks.push(R::spawn(hear::<E, T>(listener)));
    }
    if pause {
        R::pause().await;
    }
    let _rest = E::announce(announcer, T::make(number));
    let mut sum = 0u64;
    for task in tasks {
        sum = sum.wrapping_add(task.await);
    }
    drop(source);
    sum
}

/// The same tasks, which wait for nothing.
async fn bare<R: Runtime>(count: usize, number: u64, pause: bool) -> u64 {
    let mut tasks = Vec::with_capacity(count);
    for _ in 0..count {
        tasks.push(R::spawn(std::future::ready(number)));
    }
    if pause {
        R::pause().await;
    }
    let mut sum = 0u64;
    for task in tasks {
        sum = sum.wrapping_add(task.await);
    }
    sum
}

/// Of all listeners of one announcement.
fn all<T: Value>(plan: &Plan) -> impl Fn(u64) -> u64 + use<T> {
    let count = plan.receivers as u64;
    move |number| T::expected(number).wrapping_mul(count)
}

fn all_bare(plan: &Plan) -> impl Fn(u64) -> u64 + use<> {
    let count = plan.receivers as u64;
    move |number| number.wrapping_mul(count)
}

/// The plan's listeners, announced to from outside.
pub fn fan_out<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, OUTSIDE, all::<T>(plan), move |number| {
        fan::<R, E, T>(count, number, false)
    })
}

/// Its floor.
pub fn fan_out_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, OUTSIDE, all_bare(plan), move |number| {
        bare::<R>(count, number, false)
    })
}

/// The plan's listeners, announced to by a task.
pub fn fan_out_inside<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, INSIDE, all::<T>(plan), move |number| {
        fan::<R, E, T>(count, number, false)
    })
}

/// Its floor.
pub fn fan_out_inside_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, INSIDE, all_bare(plan), move |number| {
        bare::<R>(count, number, false)
    })
}

/// The plan's listeners, announced to after a millisecond, when all of them wait.
pub fn after_a_pause<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, AT_A_TICK, all::<T>(plan), move |number| {
        fan::<R, E, T>(count, number, true)
    })
}

/// Its floor: the millisecond.
pub fn after_a_pause_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, AT_A_TICK, all_bare(plan), move |number| {
        bare::<R>(count, number, true)
    })
}

/// The plan's tasks at once, each with a channel of its own, a listener task on it, an announcement and a join.
pub fn concurrent<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, OUTSIDE, all::<T>(plan), move |number| async move {
        let mut tasks = Vec::with_capacity(count);
        for _ in 0..count {
            tasks.push(R::spawn(fan::<R, E, T>(1, number, false)));
        }
        let mut sum = 0u64;
        for task in tasks {
            sum = sum.wrapping_add(task.await);
        }
        sum
    })
}

/// Its floor.
pub fn concurrent_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, OUTSIDE, all_bare(plan), move |number| async move {
        let mut tasks = Vec::with_capacity(count);
        for _ in 0..count {
            tasks.push(R::spawn(bare::<R>(1, number, false)));
        }
        let mut sum = 0u64;
        for task in tasks {
            sum = sum.wrapping_add(task.await);
        }
        sum
    })
}

/// Ten values one after the other, each by a channel of its own.
pub fn multishot<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let ten = |number| T::expected(number).wrapping_mul(10);
    turn::<R, _>(plan, OUTSIDE, ten, move |number| async move {
        let mut sum = 0u64;
        for _ in 0..10 {
            sum = sum.wrapping_add(fan::<R, E, T>(1, number, false).await);
        }
        sum
    })
}

/// Ten values through one ring.
pub fn multishot_ring<R: Runtime, T: Value>(plan: &Plan) -> Result<Round, String> {
    let ten = |number| T::expected(number).wrapping_mul(10);
    turn::<R, _>(plan, OUTSIDE, ten, multishot_by_ring::<T>)
}

/// The floor of both: ten tasks, one after the other.
pub fn multishot_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let ten = |number: u64| number.wrapping_mul(10);
    turn::<R, _>(plan, OUTSIDE, ten, move |number| async move {
        let mut sum = 0u64;
        for _ in 0..10 {
            sum = sum.wrapping_add(bare::<R>(1, number, false).await);
        }
        sum
    })
}
