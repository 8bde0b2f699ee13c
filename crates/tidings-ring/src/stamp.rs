//! The word before each slot: which message the slot holds, and whether it is being replaced.
//!
//! | bits  | meaning                                              |
//! |-------|------------------------------------------------------|
//! | 1..64 | the low 63 bits of a sequence                        |
//! | 0     | 1 = that message is being written, 0 = it is all there |
//!
//! A slot that was never written carries the stamp of the lap before the first one, so "not yet"
//! has one form only, and no sequence is set apart as a mark. Two sequences that share a stamp lie
//! 2^63 apart and never meet in a ring.

use core::fmt;
use tidings_core::Sequence;

/// See the module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    const WRITING: u64 = 1;

    /// The slot holds message `sequence`.
    #[inline]
    pub(crate) const fn published(sequence: Sequence) -> Self {
        Self(sequence.get() << 1)
    }

    /// Message `sequence` is being written into the slot.
    #[inline]
    pub(crate) const fn writing(sequence: Sequence) -> Self {
        Self(sequence.get() << 1 | Self::WRITING)
    }

    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Whether a subscriber of `sequence` has something to act on: the message, or its loss.
    #[inline]
    pub(crate) const fn concerns(self, sequence: Sequence) -> bool {
        let ahead = self.ahead_of(sequence);
        ahead > 0 || (ahead == 0 && self.0 & Self::WRITING == 0)
    }

    /// Messages by which the slot is ahead of `sequence`; negative when it is behind.
    #[inline]
    pub(crate) const fn ahead_of(self, sequence: Sequence) -> i64 {
        ((self.0 & !Self::WRITING).wrapping_sub(sequence.get() << 1) as i64) >> 1
    }
}

impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.0 & Self::WRITING == 0 {
            "published"
        } else {
            "writing"
        };
        write!(f, "{state}({})", self.0 >> 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [u64; 6] = [0, 1, 7, (1 << 63) - 1, 1 << 63, u64::MAX];

    #[test]
    fn a_reader_acts_on_its_message_and_on_newer_ones_only() {
        for n in EDGES.map(Sequence::new) {
            assert!(!Stamp::published(n.before(3)).concerns(n));
            assert!(!Stamp::writing(n.before(3)).concerns(n));
            assert!(!Stamp::writing(n).concerns(n));
            assert!(Stamp::published(n).concerns(n));
            assert!(Stamp::writing(n.after(3)).concerns(n));
            assert!(Stamp::published(n.after(3)).concerns(n));
        }
    }

    #[test]
    fn distance_is_signed_and_right_across_the_wrap() {
        for n in EDGES.map(Sequence::new) {
            assert_eq!(Stamp::writing(n.after(5)).ahead_of(n), 5);
            assert_eq!(Stamp::published(n.before(5)).ahead_of(n), -5);
        }
    }
}
