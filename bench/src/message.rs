//! What is sent: words that differ from message to message, and the checksum over them.
//!
//! Every message carries its place in the stream in its first word, so a reader can prove count and order;
//! `END` in that word is a marker between the phases of a run and never a message.

mod heap;

use std::hint::black_box;

/// The first word of a marker.
pub const END: u64 = u64::MAX;

/// What the harness can make and sum.
pub trait Message: Clone + Send + Sync + std::fmt::Debug + 'static {
    /// Makes the messages of one run.
    type Source: Source<Self>;
    /// A number that depends on several words of the message.
    fn digest(&self) -> u64;
}

/// A message of plain words, the first of which says which one it is.
pub trait Plain: Message + photon_ring::Pod + bytemuck::NoUninit {
    /// The first word.
    fn key(&self) -> u64;
    /// A message that is a marker.
    fn marker() -> Self;
    /// A message that fills a buffer before it is written to.
    fn blank() -> Self;
}

/// A stream of messages, the same for every engine of a round.
pub trait Source<T>: Send + 'static {
    /// A stream that `seed` (the number of the round) makes different from the last one.
    fn new(seed: u64) -> Self;
    /// Makes the next message and shows it where it lies: the harness copies nothing.
    fn next(&mut self) -> &T;
}

/// The sum of the digests of the first `count` messages of `seed`.
pub fn expected<T: Message>(seed: u64, count: u64) -> u64 {
    let mut source = T::Source::new(seed);
    (0..count).fold(0, |sum: u64, _| sum.wrapping_add(source.next().digest()))
}

/// Where the seed stands in a counting message.
pub const SEED_SHIFT: u32 = 40;

/// A counter: the cheapest stream that still changes with every message. It holds the last one.
pub struct Counting(u64);

impl Source<u64> for Counting {
    fn new(seed: u64) -> Self {
        Self(black_box((seed << SEED_SHIFT).wrapping_sub(1)))
    }

    #[inline(always)]
    fn next(&mut self) -> &u64 {
        self.0 = self.0.wrapping_add(1);
        &self.0
    }
}

impl Message for u64 {
    type Source = Counting;

    #[inline(always)]
    fn digest(&self) -> u64 {
        *self
    }
}

impl Plain for u64 {
    #[inline(always)]
    fn key(&self) -> u64 {
        *self
    }

    fn marker() -> Self {
        END
    }

    fn blank() -> Self {
        0
    }
}

/// How many different contents the words behind the first one take in turn.
const POOL: usize = 4;

/// A message of `W` words: one of a few prepared contents, stamped at both ends.
pub type Words<const W: usize> = [u64; W];

/// The stream of `Words`.
pub struct Prepared<const W: usize> {
    pool: Box<[Words<W>; POOL]>,
    next: u64,
}

impl<const W: usize> Source<Words<W>> for Prepared<W> {
    fn new(seed: u64) -> Self {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut pool = Box::new([[0; W]; POOL]);
        for word in pool.iter_mut().flatten() {
            // xorshift64 (G. Marsaglia, Xorshift RNGs, 2003): any mixing does, it only has to vary.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *word = state;
        }
        Self {
            pool: black_box(pool),
            next: 0,
        }
    }

    #[inline(always)]
    fn next(&mut self) -> &Words<W> {
        let words = &mut self.pool[self.next as usize % POOL];
        words[W - 1] = self.next ^ 0x5555;
        words[0] = self.next;
        self.next += 1;
        words
    }
}

impl<const W: usize> Message for Words<W> {
    type Source = Prepared<W>;

    /// Three words make the number; the rest must be there too, which `black_box` sees to.
    #[inline(always)]
    fn digest(&self) -> u64 {
        let words = black_box(self);
        words[0]
            .wrapping_add(words[W / 2].rotate_left(7))
            .wrapping_add(words[W - 1].rotate_left(23))
    }
}

impl<const W: usize> Plain for Words<W> {
    #[inline(always)]
    fn key(&self) -> u64 {
        self[0]
    }

    fn marker() -> Self {
        [END; W]
    }

    fn blank() -> Self {
        [0; W]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_differ_from_message_to_message() {
        let mut source = Prepared::<4>::new(3);
        let first = *source.next();
        assert_ne!(first[1], source.next()[1]);
        assert_eq!(first.key(), 0);
    }

    #[test]
    fn expected_sums_the_same_stream_again() {
        let mut source = <Words<8> as Message>::Source::new(9);
        let sum = (0..10).fold(0, |sum: u64, _| sum.wrapping_add(source.next().digest()));
        assert_eq!(expected::<Words<8>>(9, 10), sum);
        assert_ne!(expected::<Words<8>>(8, 10), sum);
    }
}
