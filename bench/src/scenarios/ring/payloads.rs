//! Payload sizes: copied on one thread, copied across threads, edited in place.

use super::plan::plan;
use crate::engines::ring::{disruptor, photon, tidings};
use crate::message::Words;
use crate::scenario::{Contract, Plan, Scenario, Waiting};
use crate::work::ring::{event, live, same_thread};

/// Operations of a turn, so that small and large payloads take about as long.
fn operations(bytes: usize, most: u64) -> u64 {
    (most * 64 / (64 + bytes as u64)).max(2_000)
}

macro_rules! each_size {
    ($of:ident: $($words:literal)*) => { [$($of::<$words>()),*] };
}

pub fn scenarios() -> Vec<Scenario> {
    let copied = each_size!(copied: 1 2 4 8 16 32 64 128 256 512);
    let across = each_size!(across: 1 2 4 8 16 32 64 128 256 512);
    let one_field = each_size!(one_field: 1 8 128 512);
    let rewritten = each_size!(rewritten: 1 8 128 512);
    copied
        .into_iter()
        .chain(across)
        .chain(one_field)
        .chain(rewritten)
        .collect()
}

/// By value and by reference. Up to 64 bytes `tidings` is the plain form, above it the one meant for large messages.
fn copied<const W: usize>() -> Scenario {
    let bytes = W * 8;
    let plan = plan(4096, 1, operations(bytes, 200_000));
    let operation = "publish + try_recv, 1 subscriber";
    let (value, reference) = if bytes > 64 {
        ("tidings-value", "tidings")
    } else {
        ("tidings", "tidings-from")
    };
    let by_value = same_thread::roundtrip::<tidings::Lossy, Words<W>>;
    let by_reference = same_thread::roundtrip::<tidings::ByReference, Words<W>>;
    let mut ours = [
        (value, "publish, try_recv", by_value as fn(&Plan) -> _),
        (reference, "publish_from, try_recv_into", by_reference),
    ];
    // Ours first, as every table has it.
    ours.sort_by_key(|(name, ..)| *name != "tidings");
    let scenario = Scenario::new(format!("payload-{bytes}"), operation, plan)
        .sends(format!("{bytes} B"))
        .row(ours[0].0, ours[0].1, ours[0].2)
        .row(ours[1].0, ours[1].1, ours[1].2)
        .row(
            "photon-ring",
            "publish, try_recv",
            same_thread::roundtrip::<photon::Lossy, Words<W>>,
        )
        .row(
            "photon-ring",
            "batches of one",
            same_thread::roundtrip::<photon::BatchesOfOne, Words<W>>,
        );
    if bytes == 1024 || bytes == 4096 {
        scenario.beats("photon-ring", 0.6)
    } else {
        scenario
    }
}

fn across<const W: usize>() -> Scenario {
    let bytes = W * 8;
    let plan = plan(4096, 1, operations(bytes, 20_000));
    let operation = "publish, receive on another thread, acknowledge";
    Scenario::new(format!("across-{bytes}"), operation, plan)
        .under(Contract::Lossy, Waiting::Spin)
        .sends(format!("{bytes} B"))
        .row(
            "tidings",
            "publish, try_recv",
            live::there_and_back::<tidings::Lossy, Words<W>>,
        )
        .row(
            "tidings-from",
            "publish_from, try_recv_into",
            live::there_and_back::<tidings::ByReference, Words<W>>,
        )
        .row(
            "photon-ring",
            "publish, try_recv",
            live::there_and_back::<photon::Lossy, Words<W>>,
        )
        .row(
            "disruptor",
            "BusySpin",
            live::there_and_back_managed::<disruptor::SpinningOne, Words<W>>,
        )
}

fn one_field<const W: usize>() -> Scenario {
    let bytes = W * 8;
    Scenario::new(
        format!("in-place-field-{bytes}"),
        "edit one field in place + look",
        plan(1024, 1, 200_000),
    )
    .under(Contract::Lossless, Waiting::Nobody)
    .sends(format!("{bytes} B"))
    .row(
        "tidings",
        "event_channel",
        event::one_field::<tidings::Event, W>,
    )
    .row(
        "photon-ring",
        "event_channel",
        event::one_field::<photon::Event, W>,
    )
    .row(
        "disruptor",
        "event poller",
        event::one_field::<disruptor::InPlacePoller, W>,
    )
    .beats("photon-ring", 1.0)
}

/// From a line on this measures how fast memory is copied, the same for everybody, so only the small one has a target.
fn rewritten<const W: usize>() -> Scenario {
    let bytes = W * 8;
    let scenario = Scenario::new(
        format!("in-place-full-{bytes}"),
        "rewrite the value + look",
        plan(1024, 1, operations(bytes, 200_000)),
    )
    .under(Contract::Lossless, Waiting::Nobody)
    .sends(format!("{bytes} B"))
    .row(
        "tidings",
        "event_channel",
        event::rewrite::<tidings::Event, W>,
    )
    .row(
        "photon-ring",
        "event_channel",
        event::rewrite::<photon::Event, W>,
    )
    .row(
        "disruptor",
        "event poller",
        event::rewrite::<disruptor::InPlacePoller, W>,
    )
    .row(
        "tidings-copy",
        "channel_bounded",
        same_thread::roundtrip::<tidings::Lossless, Words<W>>,
    )
    .row(
        "photon-ring-copy",
        "channel_bounded",
        same_thread::roundtrip::<photon::Lossless, Words<W>>,
    );
    if bytes == 8 {
        scenario.beats("photon-ring", 1.0)
    } else {
        scenario
    }
}
