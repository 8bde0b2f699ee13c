//! Values that are not plain data, on one thread: an `Arc` of 64 bytes, a `String`.

use std::sync::Arc;

use super::plan::plan;
use crate::engines::ring::{tidings, tokio};
use crate::message::{Message, Words};
use crate::scenario::Scenario;
use crate::work::ring::same_thread::{fan_out, roundtrip};

pub fn scenarios() -> Vec<Scenario> {
    let mut all = both::<Arc<Words<8>>>("values-arc", "Arc of 64 B");
    all.extend(both::<String>("values-string", "String of 34 B"));
    all
}

/// With one subscriber and with ten.
fn both<T: Message>(name: &str, payload: &'static str) -> Vec<Scenario> {
    let one = Scenario::new(
        name,
        "publish a clone + try_recv, 1 subscriber",
        plan(1024, 1, 50_000),
    )
    .sends(payload)
    .row(
        "tidings",
        "value_channel, try_recv",
        roundtrip::<tidings::Values, T>,
    )
    .row(
        "tidings-ref",
        "try_recv_ref",
        roundtrip::<tidings::ValuesLent, T>,
    )
    .row(
        "tokio",
        "broadcast, try_recv",
        roundtrip::<tokio::Broadcast, T>,
    )
    .beats("tokio", 0.7)
    .ratio("tidings-ref", "tokio", 0.7);
    let ten = Scenario::new(
        format!("{name}-fan-out-10"),
        "publish a clone + try_recv by each",
        plan(1024, 10, 10_000),
    )
    .sends(payload)
    .row(
        "tidings",
        "value_channel, try_recv",
        fan_out::<tidings::Values, T>,
    )
    .row(
        "tidings-ref",
        "try_recv_ref",
        fan_out::<tidings::ValuesLent, T>,
    )
    .row(
        "tokio",
        "broadcast, try_recv",
        fan_out::<tokio::Broadcast, T>,
    )
    .beats("tokio", 0.7)
    .ratio("tidings-ref", "tokio", 0.7);
    vec![one, ten]
}
