//! Many listeners or many channels, one thread, nobody waits: everything is made, used and dropped under the clock.

use std::hint::black_box;

use super::measure;
use crate::engine::oneshot::{Once, Read};
use crate::round::Round;
use crate::scenario::Plan;
use crate::value::Value;

/// Makes a channel and the plan's listeners and drops them.
pub fn create<E: Once<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    measure(
        plan,
        |_| 0,
        |_| {
            let (mut announcer, source) = E::open();
            let mut listeners = Vec::with_capacity(plan.receivers);
            E::listeners(&mut announcer, &source, plan.receivers, &mut listeners);
            black_box((&announcer, &source, &listeners));
            0
        },
    )
}

/// Makes a channel and the plan's listeners, announces, drops all.
pub fn announce<E: Once<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    measure(
        plan,
        |_| 0,
        |number| {
            let (mut announcer, source) = E::open();
            let mut listeners = Vec::with_capacity(plan.receivers);
            E::listeners(&mut announcer, &source, plan.receivers, &mut listeners);
            let rest = E::announce(announcer, T::make(number));
            black_box((&rest, &source, &listeners));
            0
        },
    )
}

/// The same, and each listener reads.
pub fn read<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers as u64;
    measure(
        plan,
        |number| T::expected(number).wrapping_mul(count),
        |number| {
            let (mut announcer, source) = E::open();
            let mut listeners = Vec::with_capacity(plan.receivers);
            E::listeners(&mut announcer, &source, plan.receivers, &mut listeners);
            let rest = E::announce(announcer, T::make(number));
            black_box((&rest, &source));
            listeners.iter_mut().fold(0, |sum: u64, listener| {
                sum.wrapping_add(E::read(listener, Value::digest).unwrap_or(0))
            })
        },
    )
}

/// The same, but the vector of listeners grows as it must, and each listener is used up when it has read.
pub fn consume<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let count = plan.receivers as u64;
    measure(
        plan,
        |number| T::expected(number).wrapping_mul(count),
        |number| {
            let (mut announcer, source) = E::open();
            let mut listeners = Vec::new();
            E::listeners(&mut announcer, &source, plan.receivers, &mut listeners);
            let rest = E::announce(announcer, T::make(number));
            black_box((&rest, &source));
            listeners.into_iter().fold(0, |sum: u64, mut listener| {
                sum.wrapping_add(E::read(&mut listener, Value::digest).unwrap_or(0))
            })
        },
    )
}

/// So many channels, so many listeners each; all announce, then every so-and-so-many-th listener reads.
#[derive(Clone, Copy)]
struct Mesh {
    channels: usize,
    listeners: usize,
    every: usize,
}

impl Mesh {
    fn readers(self) -> u64 {
        (self.channels * self.listeners).div_ceil(self.every) as u64
    }

    fn run<E: Read<T>, T: Value>(self, plan: &Plan) -> Result<Round, String> {
        let readers = self.readers();
        measure(
            plan,
            |number| T::expected(number).wrapping_mul(readers),
            |number| self.once::<E, T>(number),
        )
    }

    fn once<E: Read<T>, T: Value>(self, number: u64) -> u64 {
        let mut listeners = Vec::with_capacity(self.channels * self.listeners);
        let channels: Vec<_> = (0..self.channels)
            .map(|_| {
                let (mut announcer, source) = E::open();
                E::listeners(&mut announcer, &source, self.listeners, &mut listeners);
                (announcer, source)
            })
            .collect();
        let rest: Vec<_> = channels
            .into_iter()
            .map(|(announcer, source)| (E::announce(announcer, T::make(number)), source))
            .collect();
        black_box(&rest);
        let readers = listeners.iter_mut().step_by(self.every);
        readers.fold(0, |sum: u64, listener| {
            sum.wrapping_add(E::read(listener, Value::digest).unwrap_or(0))
        })
    }
}

/// As many channels as listeners on each; all announce, all read.
pub fn square<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let mesh = Mesh {
        channels: plan.receivers,
        listeners: plan.receivers,
        every: 1,
    };
    mesh.run::<E, T>(plan)
}

/// Ten listeners on each of the plan's channels; one in a thousand reads.
pub fn tens<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let mesh = Mesh {
        channels: plan.receivers,
        listeners: 10,
        every: 1000,
    };
    mesh.run::<E, T>(plan)
}

/// One channel; one listener in a thousand reads.
pub fn glance<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    let mesh = Mesh {
        channels: 1,
        listeners: plan.receivers,
        every: 1000,
    };
    mesh.run::<E, T>(plan)
}

/// A root without a listener, then the plan's channels with one each.
pub fn tree<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    line::<E, T>(plan, 1, plan.receivers)
}

/// The plan's channels with a listener each, the last without.
pub fn chain<E: Read<T>, T: Value>(plan: &Plan) -> Result<Round, String> {
    line::<E, T>(plan, 1, plan.receivers - 1)
}

/// Channels without a listener and channels with one; all announce, then all read.
fn line<E: Read<T>, T: Value>(plan: &Plan, bare: usize, heard: usize) -> Result<Round, String> {
    measure(
        plan,
        |number| T::expected(number).wrapping_mul(heard as u64),
        |number| {
            let mut listeners = Vec::with_capacity(heard);
            let mut channels = Vec::with_capacity(bare + heard);
            for place in 0..bare + heard {
                let (mut announcer, source) = E::open();
                if place >= bare {
                    listeners.push(E::listener(&mut announcer, &source));
                }
                channels.push((announcer, source));
            }
            let announce = |(announcer, source)| (E::announce(announcer, T::make(number)), source);
            let rest: Vec<_> = channels.into_iter().map(announce).collect();
            black_box(&rest);
            listeners.iter_mut().fold(0, |sum: u64, listener| {
                sum.wrapping_add(E::read(listener, Value::digest).unwrap_or(0))
            })
        },
    )
}
