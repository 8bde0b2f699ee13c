//! Messages that own or share memory: each is a clone of one of a few prepared values. A clone of a `String` is a string of
//! its own, as somebody makes it who sends text; a clone of an `Arc` is what somebody sends who shares.

use std::hint::black_box;
use std::sync::Arc;

use super::{Message, Source, Words};

/// How many different values there are.
const POOL: u64 = 64;

/// A value that can be made from a number.
pub trait Make {
    /// The value of that number.
    fn make(number: u64) -> Self;
}

/// Values of a pool, in turn.
pub struct Pooled<T> {
    pool: Vec<T>,
    next: usize,
}

impl<T: Make + Send + 'static> Source<T> for Pooled<T> {
    fn new(seed: u64) -> Self {
        let pool = (0..POOL).map(|number| T::make(seed << 16 | number));
        Self {
            pool: black_box(pool.collect()),
            next: 0,
        }
    }

    #[inline(always)]
    fn next(&mut self) -> &T {
        let message = &self.pool[self.next];
        self.next = (self.next + 1) % POOL as usize;
        message
    }
}

impl<const W: usize> Make for Arc<Words<W>> {
    fn make(number: u64) -> Self {
        Self::new(std::array::from_fn(|word| {
            number.wrapping_mul(word as u64 + 1)
        }))
    }
}

impl<const W: usize> Message for Arc<Words<W>> {
    type Source = Pooled<Self>;

    #[inline(always)]
    fn digest(&self) -> u64 {
        Words::digest(self)
    }
}

impl Make for String {
    fn make(number: u64) -> Self {
        format!("reading of sensor {number:016x}")
    }
}

impl Message for String {
    type Source = Pooled<Self>;

    #[inline(always)]
    fn digest(&self) -> u64 {
        let bytes = black_box(self).as_bytes();
        bytes
            .last_chunk()
            .map_or(0, |last| u64::from_le_bytes(*last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::expected;

    #[test]
    fn values_differ_in_a_pool_and_from_round_to_round() {
        fn differ<T: Message>() -> bool {
            expected::<T>(1, 10) != expected::<T>(1, 11)
                && expected::<T>(1, 64) != expected::<T>(2, 64)
        }
        assert!(differ::<String>() && differ::<Arc<Words<8>>>());
    }
}
