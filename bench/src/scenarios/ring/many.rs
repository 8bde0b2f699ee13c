//! Many publishers: on one thread, from two handles, from threads, lossy and lossless.

use super::plan::plan;
use crate::engines::ring::alternating::Alternating;
use crate::engines::ring::gathered::Gathered;
use crate::engines::ring::{async_broadcast, crossbeam, disruptor, flume, photon, tidings, tokio};
use crate::scenario::{Contract, Scenario, Waiting};
use crate::work::ring::live::{there_and_back, there_and_back_managed};
use crate::work::ring::many::{managed, threads};
use crate::work::ring::same_thread::roundtrip;

pub fn scenarios() -> Vec<Scenario> {
    vec![
        one_thread(),
        two_handles(),
        two_threads(),
        gating(2, 1),
        gating(2, 2),
        gating(4, 2),
    ]
}

/// The default way of waiting.
type Ours = tidings::ManyBy<{ tidings::DEFAULT }>;
/// Read in batches.
type OursBatched = tidings::ManyBatched<{ tidings::DEFAULT }>;
/// Read in batches, spinning.
type OursSpin = tidings::ManyBatched<{ tidings::SPIN }>;

fn one_thread() -> Scenario {
    Scenario::new(
        "mpmc-1p1s",
        "publish + try_recv, 1 subscriber",
        plan(4096, 1, 300_000),
    )
    .row(
        "tidings",
        "channel_mpmc",
        roundtrip::<tidings::LossyMany, u64>,
    )
    .row(
        "tidings-gating",
        "channel_mpmc_bounded",
        roundtrip::<Ours, u64>,
    )
    .row(
        "tidings-single",
        "channel, one publisher",
        roundtrip::<tidings::Lossy, u64>,
    )
    .row(
        "photon-ring",
        "channel_mpmc",
        roundtrip::<photon::LossyMany, u64>,
    )
    .row(
        "disruptor",
        "event poller, lossless",
        roundtrip::<disruptor::PolledMany, u64>,
    )
    .row("tokio", "broadcast", roundtrip::<tokio::Broadcast, u64>)
    .row(
        "crossbeam×N",
        "bounded, lossless",
        roundtrip::<crossbeam::Queues, u64>,
    )
    .beats("photon-ring", 0.7)
}

/// The rival's own benchmark.
fn two_handles() -> Scenario {
    let operation = "publish by one of two handles in turn, receive on another thread, acknowledge";
    Scenario::new("mpmc-2p1s", operation, plan(4096, 1, 20_000))
        .under(Contract::Lossy, Waiting::Spin)
        .row(
            "tidings",
            "channel_mpmc",
            there_and_back::<Alternating<tidings::LossyMany>, u64>,
        )
        .row(
            "photon-ring",
            "channel_mpmc",
            there_and_back::<Alternating<photon::LossyMany>, u64>,
        )
        .row(
            "disruptor",
            "BusySpin, lossless",
            there_and_back_managed::<Alternating<disruptor::SpinningMany>, u64>,
        )
        .beats("photon-ring", 0.9)
}

/// Publishers that never wait; the subscriber loses what it cannot keep up with.
fn two_threads() -> Scenario {
    let mut plan = plan(4096, 1, 200_000);
    plan.publishers = 2;
    Scenario::new(
        "mpmc-2p1s-threads",
        "one message published by a thread of two, while a thread receives",
        plan,
    )
    .under(Contract::Lossy, Waiting::Own)
    .row("tidings", "recv", threads::<tidings::LossyMany, true>)
    .row("photon-ring", "recv", threads::<photon::LossyMany, true>)
    .row("tokio", "blocking_recv", threads::<tokio::Broadcast, true>)
}

/// More threads than cores in all of them. Engines that only spin need long: their turns end after a second and the cost of
/// a message is compared.
fn gating(publishers: usize, subscribers: usize) -> Scenario {
    let mut plan = plan(8192, subscribers, 500_000);
    (plan.publishers, plan.seconds) = (publishers, 1);
    let scenario = Scenario::new(
        format!("gating-mpmc-{publishers}p{subscribers}s"),
        "one message from a thread of several to every thread",
        plan,
    )
    .under(Contract::Lossless, Waiting::Own)
    .rounds(12)
    .row("tidings", "recv", threads::<Ours, false>)
    .row("tidings-read", "read_batch", threads::<OursBatched, false>)
    .row(
        "tidings-spin",
        "read_batch, BusySpin",
        threads::<OursSpin, false>,
    )
    .row(
        "tidings-batch",
        "publish_batch of 64, read_batch",
        threads::<Gathered<OursBatched>, false>,
    )
    .row(
        "tidings-managed",
        "Consumer",
        managed::<tidings::ConsumersOfMany>,
    )
    .row("disruptor", "BusySpin", managed::<disruptor::SpinningMany>)
    .row(
        "disruptor-batch",
        "BusySpin, batch_publish of 64",
        managed::<Gathered<disruptor::SpinningMany>>,
    );
    let scenario = sharing(scenario);
    if publishers == subscribers {
        scenario
    } else {
        scenario.beats("disruptor", 0.8).beats("crossbeam×N", 0.5)
    }
}

/// Adds the rivals that share cores.
fn sharing(scenario: Scenario) -> Scenario {
    scenario
        .row(
            "disruptor+yield",
            "event poller, harness yields",
            threads::<disruptor::PolledMany, false>,
        )
        .row("crossbeam×N", "recv", threads::<crossbeam::Queues, false>)
        .row("flume×N", "recv", threads::<flume::Queues, false>)
        .row(
            "async-broadcast",
            "recv_blocking",
            threads::<async_broadcast::Broadcast, false>,
        )
}
