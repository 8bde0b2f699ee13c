//! The in-place ring: edit one field or rewrite the whole value, same thread.

use std::hint::black_box;

use super::{Tally, warm_up};
use crate::clock::Clock;
use crate::engine::ring::{Edit, InPlace, Look, Sink};
use crate::message::{Message, Prepared, Source, Words, expected};
use crate::round::{Round, verify};
use crate::scenario::Plan;

/// Edits the first word only; the rest of the slot keeps its old value.
pub fn one_field<E: InPlace<Words<W>>, const W: usize>(plan: &Plan) -> Result<Round, String> {
    let (mut publisher, mut subscriber) = E::open(plan.capacity);
    let mut turn = |from: u64, count: u64| {
        let mut tally = Tally::default();
        for next in from..from + count {
            publisher.publish(|slot| slot[0] = next);
            if let Some(word) = subscriber.look(|slot| slot[0]) {
                tally.message(&word);
            }
        }
        tally
    };
    let (warm, seed) = (warm_up(plan.capacity), black_box(plan.seed));
    let before = turn(seed, warm);
    let clock = Clock::start();
    let tally = turn(seed + warm, plan.operations);
    let spent = clock.stop();
    let Tally { received, sum } = tally.and(before);
    let total = warm + plan.operations;
    verify("received", received, total)?;
    verify(
        "checksum",
        sum,
        (plan.seed..plan.seed + total).fold(0, u64::wrapping_add),
    )?;
    Ok(Round::new(spent, plan.operations))
}

/// Writes every word of the slot.
pub fn rewrite<E: InPlace<Words<W>>, const W: usize>(plan: &Plan) -> Result<Round, String> {
    let (mut publisher, mut subscriber) = E::open(plan.capacity);
    let mut turn = |mut source: Prepared<W>, count: u64| {
        let (mut received, mut sum) = (0, 0u64);
        for _ in 0..count {
            publisher.publish(|slot| *slot = *source.next());
            if let Some(digest) = subscriber.look(Message::digest) {
                received += 1;
                sum = sum.wrapping_add(digest);
            }
        }
        (source, Tally { received, sum })
    };
    let warm = warm_up(plan.capacity);
    let (source, before) = turn(Prepared::new(plan.seed), warm);
    let clock = Clock::start();
    let (_, tally) = turn(source, plan.operations);
    let spent = clock.stop();
    let Tally { received, sum } = tally.and(before);
    verify("received", received, warm + plan.operations)?;
    verify("checksum", sum, expected::<Words<W>>(plan.seed, received))?;
    Ok(Round::new(spent, plan.operations))
}
