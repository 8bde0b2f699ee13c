//! The in-place ring: edit one field or rewrite the whole value, same thread.

use std::hint::black_box;

use super::warm_up;
use crate::clock::Clock;
use crate::engine::{Edit, InPlace, Look};
use crate::message::{Message, Source, Words, expected};
use crate::round::{Round, verify};
use crate::scenario::Plan;

/// Edits the first word only; the rest of the slot keeps its old value.
pub fn one_field<E: InPlace<Words<W>>, const W: usize>(plan: &Plan) -> Result<Round, String> {
    let (mut publisher, mut subscriber) = E::open(plan.capacity);
    let mut next = black_box(plan.seed);
    let (mut received, mut sum) = (0u64, 0u64);
    let mut turn = |count: u64| {
        for _ in 0..count {
            publisher.publish(|slot| slot[0] = next);
            next += 1;
            if let Some(word) = subscriber.look(|slot| slot[0]) {
                received += 1;
                sum = sum.wrapping_add(word);
            }
        }
    };
    let warm = warm_up(plan.capacity);
    turn(warm);
    let clock = Clock::start();
    turn(plan.operations);
    let spent = clock.stop();
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
    let mut source = <Words<W> as Message>::Source::new(plan.seed);
    let (mut received, mut sum) = (0u64, 0u64);
    let mut turn = |count: u64| {
        for _ in 0..count {
            publisher.publish(|slot| source.next(|message| *slot = *message));
            if let Some(digest) = subscriber.look(Message::digest) {
                received += 1;
                sum = sum.wrapping_add(digest);
            }
        }
    };
    let warm = warm_up(plan.capacity);
    turn(warm);
    let clock = Clock::start();
    turn(plan.operations);
    let spent = clock.stop();
    verify("received", received, warm + plan.operations)?;
    verify("checksum", sum, expected::<Words<W>>(plan.seed, received))?;
    Ok(Round::new(spent, plan.operations))
}
