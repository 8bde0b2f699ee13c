//! Costs across threads: a live consumer, latency, fan-out, and more threads than cores.

use super::plan::plan;
use crate::engines::ring::{
    async_broadcast, bus, crossbeam, disruptor, flume, photon, tidings, tokio,
};
use crate::scenario::{Contract, Scenario, Waiting};
use crate::work::ring::fan_out::{self, threads};
use crate::work::ring::idle::oversubscribed as crowd;
use crate::work::ring::live::there_and_back_on_one_core as on_one_core;
use crate::work::ring::{live, market, one_way};

pub fn scenarios() -> Vec<Scenario> {
    let mut all = vec![
        live_lossy(),
        live_bounded(),
        there_and_back(4096),
        there_and_back(256),
        one_core(),
        one_way(4096),
        one_way(256),
    ];
    all.push(sharing(threads_1("threads-1", 100_000)));
    all.push(threads_1("threads-1-long", 10_000_000).rounds(10));
    all.extend([2, 4, 8].map(threads_many));
    all.extend([market(), oversubscribed()]);
    all
}

fn live_lossy() -> Scenario {
    Scenario::new(
        "live-lossy",
        "publish while a thread polls",
        plan(4096, 1, 200_000),
    )
    .under(Contract::Lossy, Waiting::Spin)
    .row("tidings", "channel", live::publish::<tidings::Lossy, true>)
    .row(
        "photon-ring",
        "channel",
        live::publish::<photon::Lossy, true>,
    )
}

fn live_bounded() -> Scenario {
    Scenario::new(
        "live-bounded",
        "publish while a thread polls",
        plan(4096, 1, 200_000),
    )
    .under(Contract::Lossless, Waiting::Spin)
    .row(
        "tidings",
        "read_batch, BusySpin",
        live::publish::<OursSpin, false>,
    )
    .row(
        "tidings-recv",
        "try_recv, BusySpin",
        live::publish::<OursRecvSpin, false>,
    )
    .row(
        "tidings-default",
        "read_batch",
        live::publish::<Ours, false>,
    )
    .row(
        "photon-ring",
        "try_recv",
        live::publish::<photon::Lossless, false>,
    )
    .row(
        "photon-ring",
        "recv_batch",
        live::publish::<photon::Batched, false>,
    )
    .row(
        "disruptor",
        "BusySpin",
        live::publish_managed::<disruptor::SpinningOne>,
    )
    .beats("photon-ring", 0.6)
}

fn there_and_back(capacity: usize) -> Scenario {
    let operation = "publish, receive on another thread, acknowledge";
    let name = if capacity == 4096 {
        "cross-thread"
    } else {
        "cross-thread-256"
    };
    let scenario = Scenario::new(name, operation, plan(capacity, 1, 20_000))
        .under(Contract::Lossy, Waiting::Spin)
        .row(
            "tidings",
            "channel",
            live::there_and_back::<tidings::Lossy, u64>,
        )
        .row(
            "photon-ring",
            "channel",
            live::there_and_back::<photon::Lossy, u64>,
        )
        .row(
            "disruptor",
            "BusySpin, lossless",
            live::there_and_back_managed::<disruptor::SpinningOne, u64>,
        );
    if capacity == 4096 {
        scenario.beats("photon-ring", 1.05)
    } else {
        scenario
    }
}

/// The pair of threads that shares a core. Spinning engines take a time slice a turn, so a turn ends after a second.
fn one_core() -> Scenario {
    let operation = "publish, receive on another thread of the same core, acknowledge";
    let mut plan = plan(4096, 1, 5_000);
    plan.seconds = 1;
    Scenario::new("one-core", operation, plan)
        .under(Contract::Lossless, Waiting::Own)
        .rounds(3)
        .row("tidings", "recv", on_one_core::<OursRecv>)
        .row("photon-ring", "recv", on_one_core::<photon::Lossless>)
        .row(
            "photon-ring+yield",
            "try_, harness yields",
            on_one_core::<photon::Yielding>,
        )
        .row(
            "disruptor+yield",
            "event poller, harness yields",
            on_one_core::<disruptor::Polled>,
        )
        .row("crossbeam×N", "recv", on_one_core::<crossbeam::Queues>)
        .row("flume×N", "recv", on_one_core::<flume::Queues>)
        .row("bus", "recv", on_one_core::<bus::Broadcast>)
        .row(
            "async-broadcast",
            "recv_blocking",
            on_one_core::<async_broadcast::Broadcast>,
        )
}

fn one_way(capacity: usize) -> Scenario {
    let name = if capacity == 4096 {
        "one-way"
    } else {
        "one-way-256"
    };
    Scenario::new(
        name,
        "age of a message on arrival, median",
        plan(capacity, 1, 50_000),
    )
    .under(Contract::Lossy, Waiting::Spin)
    .sends("16 B: number, time stamp")
    .rounds(20)
    .row("tidings", "channel", one_way::polled::<tidings::Lossy>)
    .row("photon-ring", "channel", one_way::polled::<photon::Lossy>)
    .row(
        "disruptor",
        "BusySpin, lossless",
        one_way::managed::<disruptor::SpinningOne>,
    )
}

/// Read in batches, spinning.
type OursSpin = tidings::Batched<{ tidings::SPIN }>;
/// Read in batches, the default way of waiting.
type Ours = tidings::Batched<{ tidings::DEFAULT }>;
/// Received one by one, the default way of waiting.
type OursRecv = tidings::LosslessBy<{ tidings::DEFAULT }>;

/// Received one by one, spinning.
type OursRecvSpin = tidings::LosslessBy<{ tidings::SPIN }>;

/// One to one: everybody spins on a core of its own.
fn threads_1(name: &'static str, operations: u64) -> Scenario {
    let branchless = fan_out::managed::<disruptor::SpinningOne>;
    Scenario::new(name, "one message to the thread", plan(8192, 1, operations))
        .under(Contract::Lossless, Waiting::Spin)
        .row(
            "tidings",
            "read_batch, BusySpin",
            threads::<OursSpin, false>,
        )
        .row("tidings-default", "read_batch", threads::<Ours, false>)
        .row("tidings-recv", "recv", threads::<OursRecv, false>)
        .row("disruptor", "BusySpin, branchless publisher", branchless)
        .row("photon-ring", "recv", threads::<photon::Lossless, false>)
        .row(
            "photon-ring",
            "recv_batch",
            threads::<photon::Batched, false>,
        )
        .beats("disruptor", 1.0)
}

/// One to many: more threads than cores, everybody waits in its own way.
fn threads_many(subscribers: usize) -> Scenario {
    let name = format!("threads-{subscribers}");
    let scenario = Scenario::new(
        name,
        "one message to every thread",
        plan(8192, subscribers, 100_000),
    )
    .under(Contract::Lossless, Waiting::Own)
    .rounds(10)
    .row("tidings", "read_batch", threads::<Ours, false>)
    .row(
        "tidings-spin",
        "read_batch, BusySpin",
        threads::<OursSpin, false>,
    )
    .row("tidings-recv", "recv", threads::<OursRecv, false>)
    .row(
        "tidings-managed",
        "Consumer",
        fan_out::managed::<tidings::Consumers>,
    )
    .row(
        "disruptor",
        "BusySpin",
        fan_out::managed::<disruptor::Spinning>,
    )
    .row("photon-ring", "recv", threads::<photon::Lossless, false>);
    let scenario = sharing(scenario);
    if subscribers == 2 {
        scenario.beats("disruptor", 0.2)
    } else {
        scenario
    }
}

/// Adds the rivals that share cores.
fn sharing(scenario: Scenario) -> Scenario {
    scenario
        .row(
            "photon-ring+yield",
            "try_, harness yields",
            threads::<photon::Yielding, false>,
        )
        .row(
            "disruptor+yield",
            "event poller, harness yields",
            threads::<disruptor::Polled, false>,
        )
        .row("crossbeam×N", "recv", threads::<crossbeam::Queues, false>)
        .row("flume×N", "recv", threads::<flume::Queues, false>)
        .row("bus", "recv", threads::<bus::Broadcast, false>)
        .row(
            "async-broadcast",
            "recv_blocking",
            threads::<async_broadcast::Broadcast, false>,
        )
        .row(
            "tokio",
            "blocking_recv, lossy",
            threads::<tokio::Broadcast, true>,
        )
}

fn market() -> Scenario {
    Scenario::new(
        "market",
        "one quote published; 4 topics, a publisher and a subscriber thread each",
        plan(1024, 1, 2_000_000),
    )
    .under(Contract::Lossy, Waiting::Own)
    .sends("24 B: price, volume, time")
    .rounds(5)
    .row("tidings", "recv", market::quotes::<tidings::Lossy>)
    .row("photon-ring", "recv", market::quotes::<photon::Lossy>)
    .row("tokio", "blocking_recv", market::quotes::<tokio::Broadcast>)
}

/// The rivals that spin need minutes for what this plan asks; each turn stops after a few seconds and the cost of a
/// message is compared.
fn oversubscribed() -> Scenario {
    let mut plan = plan(64, 10, 200_000);
    plan.seconds = 5;
    let scenario = Scenario::new(
        "oversubscribed",
        "one message to 8 gating threads and 2 tasks",
        plan,
    )
    .under(Contract::Lossless, Waiting::Own)
    .rounds(3)
    .row("tidings", "recv, recv_async, default", crowd::<OursRecv>);
    photon_strategies(scenario)
        .row(
            "photon-ring+yield",
            "try_, harness yields",
            crowd::<photon::Yielding>,
        )
        .row("flume×N", "recv, recv_async", crowd::<flume::Queues>)
        .row(
            "async-broadcast",
            "recv_blocking, recv",
            crowd::<async_broadcast::Broadcast>,
        )
        .beats("photon-ring", 0.1)
        .bounds("tidings", "idle CPU %", 2.0)
}

/// Each strategy that the crate has.
fn photon_strategies(scenario: Scenario) -> Scenario {
    scenario
        .row(
            "photon-ring",
            "BusySpin + async",
            crowd::<photon::LosslessBy<0>>,
        )
        .row(
            "photon-ring",
            "YieldSpin + async",
            crowd::<photon::LosslessBy<1>>,
        )
        .row(
            "photon-ring",
            "BackoffSpin + async",
            crowd::<photon::LosslessBy<2>>,
        )
        .row(
            "photon-ring",
            "Adaptive + async",
            crowd::<photon::LosslessBy<3>>,
        )
        .row(
            "photon-ring",
            "MonitorWaitFallback + async",
            crowd::<photon::LosslessBy<4>>,
        )
}
