//! One channel, at most one listener: what each call costs.

use std::hint::black_box;

use super::{first, measure};
use crate::engine::oneshot::{AskAnnounced, AskClosed, Once, Read};
use crate::round::Round;
use crate::scenario::Plan;
use crate::value::Value;

/// Makes a channel and drops both ends.
pub fn create<E: Once<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    measure(
        plan,
        |_| 0,
        |_| {
            black_box(&E::open());
            0
        },
    )
}

/// Makes a listener of a channel that is there, and drops it.
pub fn listener<E: Once<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (mut announcer, source) = E::open();
    let round = measure(
        plan,
        |_| 0,
        |_| {
            black_box(&E::listener(&mut announcer, black_box(&source)));
            0
        },
    )?;
    Ok(round.with("bytes per handle", size_of::<E::Listener>() as f64))
}

/// Makes a channel and announces; nobody listens, nobody can any more.
pub fn unheard<E: Once<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    measure(
        plan,
        |_| 0,
        |number| {
            let (announcer, source) = E::open();
            drop(source);
            black_box(&E::announce(announcer, T::make(number)));
            0
        },
    )
}

/// Looks at a value that is there.
pub fn hit<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let number = first(plan);
    let (mut announcer, source) = E::open();
    let mut listener = E::listener(&mut announcer, &source);
    let _rest = E::announce(announcer, T::make(number));
    measure(
        plan,
        |_| T::expected(number),
        |_| E::read(black_box(&mut listener), Value::digest).unwrap_or(0),
    )
}

/// Looks for a value that is not there.
pub fn miss<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (mut announcer, source) = E::open();
    let mut listener = E::listener(&mut announcer, &source);
    measure(
        plan,
        |_| 1,
        |_| u64::from(E::read(black_box(&mut listener), Value::digest).is_none()),
    )
}

/// Asks whether the value is there, and it is not.
pub fn before<E: AskAnnounced<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (mut announcer, source) = E::open();
    let listener = E::listener(&mut announcer, &source);
    measure(
        plan,
        |_| 1,
        |_| u64::from(!E::is_announced(black_box(&source), black_box(&listener))),
    )
}

/// Asks whether the value is there, and it is.
pub fn after<E: AskAnnounced<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (mut announcer, source) = E::open();
    let listener = E::listener(&mut announcer, &source);
    let _rest = E::announce(announcer, T::make(first(plan)));
    measure(
        plan,
        |_| 1,
        |_| u64::from(E::is_announced(black_box(&source), black_box(&listener))),
    )
}

/// Asks whether the announcer went without a value, and it is there.
pub fn alive<E: AskClosed<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (mut announcer, source) = E::open();
    let listener = E::listener(&mut announcer, &source);
    measure(
        plan,
        |_| 1,
        |_| u64::from(!E::is_closed(black_box(&listener))),
    )
}

/// Asks whether the announcer went without a value, and it did.
pub fn dropped<E: AskClosed<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let (mut announcer, source) = E::open();
    let listener = E::listener(&mut announcer, &source);
    drop(announcer);
    measure(
        plan,
        |_| 1,
        |_| u64::from(E::is_closed(black_box(&listener))),
    )
}

/// Makes a channel, announces, drops all; nobody listens, but somebody could.
pub fn announce<E: Once<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    measure(
        plan,
        |_| 0,
        |number| {
            let (announcer, source) = E::open();
            let rest = E::announce(announcer, T::make(number));
            black_box((&source, &rest));
            0
        },
    )
}

/// The same with a listener.
pub fn announce_to_one<E: Once<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    measure(
        plan,
        |_| 0,
        |number| {
            let (mut announcer, source) = E::open();
            let listener = E::listener(&mut announcer, &source);
            let rest = E::announce(announcer, T::make(number));
            black_box((&source, &rest, &listener));
            0
        },
    )
}

/// The same, and the listener reads.
pub fn read_by_one<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    measure(plan, T::expected, |number| {
        let (mut announcer, source) = E::open();
        let mut listener = E::listener(&mut announcer, &source);
        let rest = E::announce(announcer, T::make(number));
        black_box((&source, &rest));
        E::read(black_box(&mut listener), Value::digest).unwrap_or(0)
    })
}
