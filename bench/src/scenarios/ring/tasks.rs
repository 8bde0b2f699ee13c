//! Fan-out to tasks: in bursts that everybody gets, and in one flow; on tokio with a worker a core, and on one thread.

use super::plan::plan;
use crate::engines::ring::{async_broadcast, flume, tidings, tokio};
use crate::engines::runtimes::{Tokio, TokioCurrent};
use crate::scenario::{Contract, Scenario, Waiting};
use crate::work::ring::tasks::{bursts, flow};

pub fn scenarios() -> Vec<Scenario> {
    let mut all = Vec::new();
    all.extend([1, 10, 100].map(fan_out));
    all.extend([1, 10, 100].map(fan_out_on_one_thread));
    all.extend([1, 10, 100].map(gating));
    all.push(lossy());
    all
}

/// A turn of about as many deliveries with many subscribers as with few.
fn scenario(name: String, operation: &'static str, subscribers: usize) -> Scenario {
    let operations = (120_000 / (subscribers as u64 + 1)).max(2048) / 512 * 512;
    Scenario::new(name, operation, plan(1024, subscribers, operations))
        .under(Contract::Lossless, Waiting::Own)
        .among("task(s)")
}

/// The workload and its engines, on a runtime.
macro_rules! in_bursts {
    ($scenario:expr, $runtime:ident) => {
        $scenario
            .row(
                "tidings",
                "publish_async, recv_async",
                bursts::<$runtime, tidings::Lossless, false>,
            )
            .row(
                "tidings-read",
                "publish_async, read_batch",
                bursts::<$runtime, tidings::TaskBatches, false>,
            )
            .row(
                "tidings-lossy",
                "publish, recv_async",
                bursts::<$runtime, tidings::Lossy, true>,
            )
            .row(
                "tokio",
                "broadcast, lossy",
                bursts::<$runtime, tokio::Broadcast, true>,
            )
            .row(
                "async-broadcast",
                "broadcast_direct, recv_direct",
                bursts::<$runtime, async_broadcast::Broadcast, false>,
            )
            .row(
                "flume×N",
                "send_async, recv_async",
                bursts::<$runtime, flume::Queues, false>,
            )
            .beats("tokio", 0.7)
            .beats("async-broadcast", 0.4)
    };
}

fn fan_out(subscribers: usize) -> Scenario {
    let operation = "one message to every task, bursts of 512";
    let name = format!("async-fan-out-{subscribers}");
    in_bursts!(scenario(name, operation, subscribers), Tokio)
}

fn fan_out_on_one_thread(subscribers: usize) -> Scenario {
    let operation = "one message to every task, bursts of 512, current-thread runtime";
    let name = format!("async-current-{subscribers}");
    in_bursts!(scenario(name, operation, subscribers), TokioCurrent)
}

/// Without a pause: a full ring holds the publisher back.
fn gating(subscribers: usize) -> Scenario {
    let operation = "one message to every task, without a pause";
    scenario(
        format!("async-gating-{subscribers}"),
        operation,
        subscribers,
    )
    .row(
        "tidings",
        "publish_async, recv_async",
        flow::<Tokio, tidings::Lossless, false>,
    )
    .row(
        "tidings-read",
        "publish_async, read_batch",
        flow::<Tokio, tidings::TaskBatches, false>,
    )
    .row(
        "async-broadcast",
        "broadcast_direct, recv_direct",
        flow::<Tokio, async_broadcast::Broadcast, false>,
    )
    .row(
        "flume×N",
        "send_async, recv_async",
        flow::<Tokio, flume::Queues, false>,
    )
    .beats("async-broadcast", 0.4)
}

/// Without a pause and without holding back: both lose what their subscribers do not keep up with.
fn lossy() -> Scenario {
    let operation = "one message published, without a pause";
    scenario("async-lossy-10".into(), operation, 10)
        .under(Contract::Lossy, Waiting::Own)
        .row(
            "tidings",
            "publish, recv_async",
            flow::<Tokio, tidings::Lossy, true>,
        )
        .row("tokio", "broadcast", flow::<Tokio, tokio::Broadcast, true>)
}
