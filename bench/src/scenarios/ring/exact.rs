//! Costs that no machine hides: allocations and system calls per message, counted, not timed.

use super::plan::plan;
use crate::engines::ring::gathered::Gathered;
use crate::engines::ring::{async_broadcast, bus, crossbeam, flume, photon, tidings, tokio};
use crate::scenario::{Contract, Scenario, Waiting};
use crate::work::ring::steady::{self, two_threads as pair};

pub fn scenarios() -> Vec<Scenario> {
    vec![
        one_thread(),
        one_thread_gating(),
        two_threads(),
        many_publishers(),
    ]
}

fn exactly_none(scenario: Scenario, ours: &'static str) -> Scenario {
    scenario
        .counts(ours, "allocations per message", 0.0)
        .counts(ours, "system calls per message", 0.0)
}

fn one_thread() -> Scenario {
    let scenario = Scenario::new(
        "steady-lossy",
        "publish + try_recv by each of 4, counted",
        plan(4096, 4, 200_000),
    )
    .rounds(2)
    .row("tidings", "channel", steady::one_thread::<tidings::Lossy>)
    .row(
        "photon-ring",
        "channel",
        steady::one_thread::<photon::Lossy>,
    )
    .row("tokio", "broadcast", steady::one_thread::<tokio::Broadcast>);
    exactly_none(scenario, "tidings")
}

fn one_thread_gating() -> Scenario {
    let scenario = Scenario::new(
        "steady-gating",
        "publish + try_recv by each of 4, counted",
        plan(4096, 4, 200_000),
    )
    .under(Contract::Lossless, Waiting::Nobody)
    .rounds(2)
    .row(
        "tidings",
        "channel_bounded",
        steady::one_thread::<tidings::Lossless>,
    )
    .row(
        "photon-ring",
        "channel_bounded",
        steady::one_thread::<photon::Lossless>,
    )
    .row(
        "crossbeam×N",
        "bounded",
        steady::one_thread::<crossbeam::Queues>,
    )
    .row("flume×N", "bounded", steady::one_thread::<flume::Queues>)
    .row("bus", "broadcast", steady::one_thread::<bus::Broadcast>)
    .row(
        "async-broadcast",
        "broadcast",
        steady::one_thread::<async_broadcast::Broadcast>,
    );
    exactly_none(scenario, "tidings")
}

fn two_threads() -> Scenario {
    let scenario = Scenario::new(
        "steady-threads",
        "one message to another thread, counted",
        plan(4096, 1, 200_000),
    )
    .under(Contract::Lossless, Waiting::Own)
    .rounds(2)
    .row(
        "tidings",
        "recv, BusySpin",
        pair::<tidings::LosslessBy<{ tidings::SPIN }>>,
    )
    .row(
        "tidings-batch",
        "read_batch, BusySpin",
        pair::<tidings::Batched<{ tidings::SPIN }>>,
    )
    .row(
        "tidings-default",
        "recv",
        pair::<tidings::LosslessBy<{ tidings::DEFAULT }>>,
    )
    .row("photon-ring", "recv", pair::<photon::Lossless>)
    .row("crossbeam×N", "recv", pair::<crossbeam::Queues>)
    .row("flume×N", "recv", pair::<flume::Queues>)
    .row("bus", "recv", pair::<bus::Broadcast>)
    .row(
        "async-broadcast",
        "recv_blocking",
        pair::<async_broadcast::Broadcast>,
    );
    exactly_none(exactly_none(scenario, "tidings"), "tidings-batch")
}

/// Rings of many publishers: on one thread, and from a publisher's thread to a subscriber's.
fn many_publishers() -> Scenario {
    let scenario = Scenario::new(
        "steady-mpmc",
        "one message of a ring of many publishers, counted",
        plan(4096, 1, 200_000),
    )
    .under(Contract::Lossless, Waiting::Own)
    .rounds(2)
    .row(
        "tidings",
        "channel_mpmc, lossy, one thread",
        steady::one_thread::<tidings::LossyMany>,
    )
    .row(
        "tidings-gating",
        "channel_mpmc_bounded, one thread",
        steady::one_thread::<tidings::ManyBy<{ tidings::DEFAULT }>>,
    )
    .row(
        "tidings-threads",
        "channel_mpmc_bounded, recv, BusySpin",
        pair::<tidings::ManyBy<{ tidings::SPIN }>>,
    )
    .row(
        "tidings-batch",
        "publish_batch, read_batch, BusySpin",
        pair::<Gathered<tidings::ManyBatched<{ tidings::SPIN }>>>,
    )
    .row(
        "photon-ring",
        "channel_mpmc, lossy, one thread",
        steady::one_thread::<photon::LossyMany>,
    )
    .row(
        "tokio",
        "broadcast, lossy, one thread",
        steady::one_thread::<tokio::Broadcast>,
    )
    .row("crossbeam×N", "recv", pair::<crossbeam::Queues>)
    .row("flume×N", "recv", pair::<flume::Queues>);
    let ours = [
        "tidings",
        "tidings-gating",
        "tidings-threads",
        "tidings-batch",
    ];
    ours.into_iter().fold(scenario, exactly_none)
}
