//! Tasks of a runtime: spawned, announced to, joined, all under the clock. Spawning and joining cost more than any
//! channel, so each scenario has a floor: the same tasks without a channel.

use std::time::{Duration, Instant};

use super::{check_sum, first, hear, warm_up};
use crate::clock::Clock;
use crate::engine::oneshot::Await;
use crate::engine::runtime::Runtime;
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

/// What one operation hears, and how long it paused.
type Heard = (u64, Duration);

/// Takes the time of the plan's operations, one after the other. Pauses are not in it.
fn turn<R: Runtime, F: Future<Output = Heard> + Send + 'static>(
    plan: &Plan,
    from: From,
    expected: impl Fn(u64) -> u64,
    operation: impl Fn(u64) -> F + Send + 'static,
) -> Result<Round, String> {
    let (start, warm, operations) = (first(plan), warm_up(plan), plan.operations);
    let turn = async move {
        for number in start..start + warm {
            operation(number).await;
        }
        let clock = Clock::start();
        let (mut sum, mut paused) = (0u64, Duration::ZERO);
        for number in start..start + operations {
            let (heard, pause) = operation(number).await;
            sum = sum.wrapping_add(heard);
            paused += pause;
        }
        let mut spent = clock.stop();
        spent.wall = spent.wall.saturating_sub(paused);
        (spent, sum)
    };
    let (spent, sum) = match from {
        From::Outside => R::block_on(turn),
        From::Inside => R::block_on(async { R::spawn(turn).await }),
    };
    check_sum(plan, sum, expected)?;
    Ok(Round::new(spent, operations))
}

/// Pauses if it should, and tells how long that took.
async fn pause<R: Runtime>(wanted: bool) -> Duration {
    if !wanted {
        return Duration::ZERO;
    }
    let begin = Instant::now();
    R::pause().await;
    begin.elapsed()
}

/// Spawns so many listeners, announces, joins them.
async fn fan<R: Runtime, E: Await<T>, T: Value>(count: usize, number: u64, wanted: bool) -> Heard {
    let (mut announcer, source) = E::open();
    let mut tasks = Vec::with_capacity(count);
    for _ in 0..count {
        let listener = E::listener(&mut announcer, &source);
        tasks.push(R::spawn(hear::<E, T>(listener)));
    }
    let paused = pause::<R>(wanted).await;
    let _rest = E::announce(announcer, T::make(number));
    let mut sum = 0u64;
    for task in tasks {
        sum = sum.wrapping_add(task.await);
    }
    drop(source);
    (sum, paused)
}

/// The same tasks, which wait for nothing.
async fn bare<R: Runtime>(count: usize, number: u64, wanted: bool) -> Heard {
    let mut tasks = Vec::with_capacity(count);
    for _ in 0..count {
        tasks.push(R::spawn(std::future::ready(number)));
    }
    let paused = pause::<R>(wanted).await;
    let mut sum = 0u64;
    for task in tasks {
        sum = sum.wrapping_add(task.await);
    }
    (sum, paused)
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
    turn::<R, _>(plan, From::Outside, all::<T>(plan), move |number| {
        fan::<R, E, T>(count, number, false)
    })
}

/// Its floor.
pub fn fan_out_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, From::Outside, all_bare(plan), move |number| {
        bare::<R>(count, number, false)
    })
}

/// The plan's listeners, announced to by a task.
pub fn fan_out_inside<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, From::Inside, all::<T>(plan), move |number| {
        fan::<R, E, T>(count, number, false)
    })
}

/// Its floor.
pub fn fan_out_inside_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, From::Inside, all_bare(plan), move |number| {
        bare::<R>(count, number, false)
    })
}

/// The plan's listeners, announced to after a millisecond, when all of them wait.
pub fn after_a_pause<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, From::Outside, all::<T>(plan), move |number| {
        fan::<R, E, T>(count, number, true)
    })
}

/// Its floor: the tasks have ended when the pause is over.
pub fn after_a_pause_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(plan, From::Outside, all_bare(plan), move |number| {
        bare::<R>(count, number, true)
    })
}

/// The plan's tasks at once, each with a channel of its own, a listener task on it, an announcement and a join.
pub fn concurrent<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(
        plan,
        From::Outside,
        all::<T>(plan),
        move |number| async move {
            let mut tasks = Vec::with_capacity(count);
            for _ in 0..count {
                tasks.push(R::spawn(fan::<R, E, T>(1, number, false)));
            }
            let mut sum = 0u64;
            for task in tasks {
                sum = sum.wrapping_add(task.await.0);
            }
            (sum, Duration::ZERO)
        },
    )
}

/// Its floor.
pub fn concurrent_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers;
    turn::<R, _>(
        plan,
        From::Outside,
        all_bare(plan),
        move |number| async move {
            let mut tasks = Vec::with_capacity(count);
            for _ in 0..count {
                tasks.push(R::spawn(bare::<R>(1, number, false)));
            }
            let mut sum = 0u64;
            for task in tasks {
                sum = sum.wrapping_add(task.await.0);
            }
            (sum, Duration::ZERO)
        },
    )
}

/// Ten values one after the other, each by a channel of its own.
pub fn multishot<R: Runtime, E: Await<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let ten = |number| T::expected(number).wrapping_mul(10);
    turn::<R, _>(plan, From::Outside, ten, move |number| async move {
        let mut sum = 0u64;
        for _ in 0..10 {
            sum = sum.wrapping_add(fan::<R, E, T>(1, number, false).await.0);
        }
        (sum, Duration::ZERO)
    })
}

/// Ten values through one ring.
pub fn multishot_ring<R: Runtime, T: Value>(plan: &Plan) -> Result<Round, String> {
    let ten = |number| T::expected(number).wrapping_mul(10);
    turn::<R, _>(plan, From::Outside, ten, |number| async move {
        (multishot_by_ring::<T>(number).await, Duration::ZERO)
    })
}

/// The floor of both: ten tasks, one after the other.
pub fn multishot_floor<R: Runtime>(plan: &Plan) -> Result<Round, String> {
    let ten = |number: u64| number.wrapping_mul(10);
    turn::<R, _>(plan, From::Outside, ten, move |number| async move {
        let mut sum = 0u64;
        for _ in 0..10 {
            sum = sum.wrapping_add(bare::<R>(1, number, false).await.0);
        }
        (sum, Duration::ZERO)
    })
}
