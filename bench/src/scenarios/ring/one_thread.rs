//! Costs on one thread.

use super::plan::plan;
use crate::engines::ring::{async_broadcast, bus, crossbeam, flume, photon, tidings, tokio};
use crate::message::Words;
use crate::scenario::Scenario;
use crate::work::ring::same_thread::{self as work, fan_out as fan};

pub fn scenarios() -> Vec<Scenario> {
    let mut all = vec![publish_only(), roundtrip()];
    all.extend([1, 2, 5, 10].map(fan_out));
    all.extend([1, 2, 4, 8, 16, 32].map(fan_out_scaling));
    all.extend([
        empty(),
        latest(),
        batch_drain(),
        batch_copy(),
        batch_single(),
        quote(),
    ]);
    all
}

fn publish_only() -> Scenario {
    Scenario::new(
        "publish-only",
        "publish, no subscriber",
        plan(4096, 0, 500_000),
    )
    .row("tidings", "channel", work::publish_only::<tidings::Lossy>)
    .row(
        "photon-ring",
        "channel",
        work::publish_only::<photon::Lossy>,
    )
    .beats("photon-ring", 0.8)
}

fn roundtrip() -> Scenario {
    Scenario::new(
        "roundtrip",
        "publish + try_recv, 1 subscriber",
        plan(4096, 1, 300_000),
    )
    .row("tidings", "channel", work::roundtrip::<tidings::Lossy, u64>)
    .row(
        "photon-ring",
        "channel",
        work::roundtrip::<photon::Lossy, u64>,
    )
    .row(
        "tidings-gating",
        "channel_bounded",
        work::roundtrip::<tidings::Lossless, u64>,
    )
    .row(
        "photon-ring-gating",
        "channel_bounded",
        work::roundtrip::<photon::Lossless, u64>,
    )
    .beats("photon-ring", 0.9)
}

fn fan_out(subscribers: usize) -> Scenario {
    let operations = 600_000 / (subscribers as u64 + 1);
    let scenario = Scenario::new(
        format!("fan-out-{subscribers}"),
        "publish + try_recv by each",
        plan(4096, subscribers, operations),
    )
    .row("tidings", "channel", work::fan_out::<tidings::Lossy, u64>)
    .row(
        "photon-ring",
        "channel",
        work::fan_out::<photon::Lossy, u64>,
    );
    if subscribers == 10 {
        scenario.beats("photon-ring", 0.8)
    } else {
        scenario
    }
}

fn fan_out_scaling(subscribers: usize) -> Scenario {
    let operations = 100_000 / (subscribers as u64 + 1);
    let plan = plan(4096, subscribers, operations);
    Scenario::new(
        format!("scaling-{subscribers}"),
        "publish + try_recv by each",
        plan,
    )
    .row("tidings", "channel, lossy", fan::<tidings::Lossy, u64>)
    .row(
        "tidings-gating",
        "channel_bounded, lossless",
        fan::<tidings::Lossless, u64>,
    )
    .row("photon-ring", "channel, lossy", fan::<photon::Lossy, u64>)
    .row("tokio", "broadcast, lossy", fan::<tokio::Broadcast, u64>)
    .row(
        "crossbeam×N",
        "bounded, lossless",
        fan::<crossbeam::Queues, u64>,
    )
    .row("flume×N", "bounded, lossless", fan::<flume::Queues, u64>)
    .row("bus", "broadcast, lossless", fan::<bus::Broadcast, u64>)
    .row(
        "async-broadcast",
        "blocking send, lossless",
        fan::<async_broadcast::Broadcast, u64>,
    )
}

fn empty() -> Scenario {
    Scenario::new(
        "try-recv-empty",
        "try_recv on an empty ring",
        plan(64, 1, 500_000),
    )
    .row("tidings", "channel", work::empty::<tidings::Lossy>)
    .row("photon-ring", "channel", work::empty::<photon::Lossy>)
    .row("tokio", "broadcast", work::empty::<tokio::Broadcast>)
    .row("crossbeam×N", "bounded", work::empty::<crossbeam::Queues>)
    .row("flume×N", "bounded", work::empty::<flume::Queues>)
    .row("bus", "broadcast", work::empty::<bus::Broadcast>)
    .row(
        "async-broadcast",
        "broadcast",
        work::empty::<async_broadcast::Broadcast>,
    )
}

fn latest() -> Scenario {
    Scenario::new("latest", "10 × publish + latest", plan(4096, 1, 40_000))
        .row("tidings", "channel", work::latest::<tidings::Lossy>)
        .row("photon-ring", "channel", work::latest::<photon::Lossy>)
}

fn batch_drain() -> Scenario {
    Scenario::new(
        "batch-64-drain",
        "publish_batch(64) + drain",
        plan(4096, 1, 8_000),
    )
    .row("tidings", "drain()", work::batch_drain::<tidings::Lossy>)
    .row("photon-ring", "drain()", work::batch_drain::<photon::Lossy>)
    .row(
        "photon-ring",
        "recv_batch",
        work::batch_copy::<photon::Lossy>,
    )
    .row(
        "photon-ring",
        "64 × try_recv",
        work::batch_single::<photon::Lossy>,
    )
    .beats("photon-ring", 0.6)
}

fn batch_copy() -> Scenario {
    Scenario::new(
        "batch-64-copy",
        "publish_batch(64) + recv_batch",
        plan(4096, 1, 8_000),
    )
    .row("tidings", "recv_batch", work::batch_copy::<tidings::Lossy>)
    .row(
        "photon-ring",
        "recv_batch",
        work::batch_copy::<photon::Lossy>,
    )
}

fn batch_single() -> Scenario {
    Scenario::new(
        "batch-64-single",
        "publish_batch(64) + 64 × try_recv",
        plan(4096, 1, 8_000),
    )
    .row(
        "tidings",
        "64 × try_recv",
        work::batch_single::<tidings::Lossy>,
    )
    .row(
        "photon-ring",
        "64 × try_recv",
        work::batch_single::<photon::Lossy>,
    )
}

fn quote() -> Scenario {
    Scenario::new(
        "struct-24",
        "publish + try_recv, 1 subscriber",
        plan(4096, 1, 300_000),
    )
    .sends("24 B: price, volume, time")
    .row(
        "tidings",
        "channel",
        work::roundtrip::<tidings::Lossy, Words<3>>,
    )
    .row(
        "photon-ring",
        "channel",
        work::roundtrip::<photon::Lossy, Words<3>>,
    )
}
