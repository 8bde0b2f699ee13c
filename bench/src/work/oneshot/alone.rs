//! The announcement alone: channels and idle listeners are there before, and go after, the clock.

use super::{Parts, first, open_many};
use crate::clock::{Clock, Spent};
use crate::engine::oneshot::Read;
use crate::round::{Round, verify};
use crate::scenario::Plan;
use crate::value::Value;

/// Channels of a batch have so many listeners together. They are four at least, so that four announcements share
/// what reading the clock costs.
const BATCH: usize = 20_000;

/// Announces to listeners that are there but do not wait.
pub fn announce<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let most = plan.operations.min(200) as usize;
    let channels = (BATCH / plan.receivers.max(1)).clamp(4, most.max(4));
    let batches = plan.operations.div_ceil(channels as u64);
    let mut parts = Parts::default();
    // The first one warms up.
    for number in 0..=batches {
        let spent = batch::<E, T>(channels, plan.receivers, first(plan) + number)?;
        if number > 0 {
            parts.add(spent);
        }
    }
    Ok(Round::new(parts.spent, batches * channels as u64))
}

fn batch<E: Read<T>, T: Value>(
    channels: usize,
    count: usize,
    number: u64,
) -> Result<Spent, String> {
    let (announcers, _sources, mut listeners) = open_many::<E, T>(channels, count);
    let mut rest = Vec::with_capacity(channels);
    let clock = Clock::start();
    for announcer in announcers {
        rest.push(E::announce(announcer, T::make(number)));
    }
    let spent = clock.stop();
    let sum = listeners.iter_mut().fold(0, |sum: u64, listener| {
        sum.wrapping_add(E::read(listener, Value::digest).unwrap_or(0))
    });
    let right = T::expected(number).wrapping_mul(listeners.len() as u64);
    verify("checksum of what was heard", sum, right)?;
    Ok(spent)
}
