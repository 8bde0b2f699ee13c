//! What a stage of a graph does with a message: it mixes its number with a buffer of its own, word after word.

use std::hint::black_box;

use crate::message::END;

/// The work of one stage.
pub struct Stage {
    buffer: Box<[u64]>,
}

impl Stage {
    /// The stage of that number, which reads so many words a message. A word takes four or five cycles, since each
    /// waits for the last.
    pub fn new(number: usize, words: usize) -> Self {
        let word = |word: usize| (number as u64 + 1) << 32 | word as u64;
        Self {
            buffer: black_box((0..words).map(word).collect()),
        }
    }

    /// What it makes of a value. Markers are not worked on.
    #[inline(always)]
    pub fn run(&self, value: u64) -> u64 {
        if value == END {
            return value;
        }
        // FNV-1a over words (G. Fowler, L. C. Noll, K.-P. Vo, 1991): any mixing does, it only has to take its time.
        let mix = |sum: u64, word: &u64| (sum ^ word).wrapping_mul(0x100_0000_01b3);
        self.buffer.iter().fold(value, mix)
    }
}

/// What the last stage of a diamond starts from: what both branches made.
#[inline(always)]
pub fn join(left: u64, right: u64) -> u64 {
    if left == END {
        return left;
    }
    left.wrapping_add(right.rotate_left(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_differ_and_let_markers_through() {
        let stages = [Stage::new(0, 4), Stage::new(1, 4)];
        assert_ne!(stages[0].run(7), stages[1].run(7));
        assert_eq!(stages[0].run(END), END);
    }
}
