//! The word before each slot: which message the slot holds, and whether it is being replaced.
//!
//! | bits  | meaning                                                                                   |
//! |-------|-------------------------------------------------------------------------------------------|
//! | 2..64 | the low 62 bits of a sequence                                                             |
//! | 0..2  | 0 = that message is all there, 1 = it is being written, 2 = it was claimed and given up |
//!
//! A slot that was never written carries the stamp of the lap before the first one, so "not yet"
//! has one form only, and no sequence is set apart as a mark. Two sequences that share a stamp lie
//! 2^62 apart and never meet in a ring. A message that was given up is a tombstone: subscribers pass over it.

use core::fmt;
use tidings_core::Sequence;

/// See the module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    const WRITING: u64 = 1;
    const ABORTED: u64 = 2;
    const STATE: u64 = 3;
    const STATE_BITS: u32 = 2;

    /// The slot holds message `sequence`.
    #[inline]
    pub(crate) const fn published(sequence: Sequence) -> Self {
        Self(sequence.get() << Self::STATE_BITS)
    }

    /// Message `sequence` is being written into the slot.
    #[inline]
    pub(crate) const fn writing(sequence: Sequence) -> Self {
        Self(sequence.get() << Self::STATE_BITS | Self::WRITING)
    }

    /// Message `sequence` was claimed, and there is none.
    #[inline]
    pub(crate) const fn aborted(sequence: Sequence) -> Self {
        Self(sequence.get() << Self::STATE_BITS | Self::ABORTED)
    }

    #[inline]
    pub(crate) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Whether a subscriber of `sequence` has something to act on: the message, its loss, or a tombstone.
    #[inline]
    pub(crate) const fn concerns(self, sequence: Sequence) -> bool {
        let ahead = self.ahead_of(sequence);
        ahead > 0 || (ahead == 0 && !self.is_writing())
    }

    /// Whether message `sequence`, or its tombstone, is what the slot holds, and nobody writes it.
    #[inline]
    pub(crate) const fn is_settled(self, sequence: Sequence) -> bool {
        self.amiss(sequence) == 0
    }

    /// What keeps [`is_settled`](Self::is_settled) from being true; 0 when it is.
    #[inline]
    pub(crate) const fn amiss(self, sequence: Sequence) -> u64 {
        (self.0 ^ sequence.get() << Self::STATE_BITS) & !Self::ABORTED
    }

    #[inline]
    const fn is_writing(self) -> bool {
        self.0 & Self::STATE == Self::WRITING
    }

    /// Messages by which the slot is ahead of `sequence`; negative when it is behind.
    #[inline]
    pub(crate) const fn ahead_of(self, sequence: Sequence) -> i64 {
        let stamped = self.0 & !Self::STATE;
        (stamped.wrapping_sub(sequence.get() << Self::STATE_BITS) as i64) >> Self::STATE_BITS
    }
}

impl fmt::Debug for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.0 & Self::STATE {
            Self::WRITING => "writing",
            Self::ABORTED => "aborted",
            _ => "published",
        };
        write!(f, "{state}({})", self.0 >> Self::STATE_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [u64; 7] = [0, 1, 7, (1 << 62) - 1, 1 << 62, 1 << 63, u64::MAX];

    #[test]
    fn a_reader_acts_on_its_message_and_on_newer_ones_only() {
        for n in EDGES.map(Sequence::new) {
            assert!(!Stamp::published(n.before(3)).concerns(n));
            assert!(!Stamp::writing(n.before(3)).concerns(n));
            assert!(!Stamp::writing(n).concerns(n));
            assert!(Stamp::published(n).concerns(n));
            assert!(Stamp::aborted(n).concerns(n));
            assert!(!Stamp::aborted(n.before(3)).concerns(n));
            assert!(Stamp::writing(n.after(3)).concerns(n));
            assert!(Stamp::published(n.after(3)).concerns(n));
        }
    }

    #[test]
    fn distance_is_signed_and_right_across_the_wrap() {
        for n in EDGES.map(Sequence::new) {
            assert_eq!(Stamp::writing(n.after(5)).ahead_of(n), 5);
            assert_eq!(Stamp::published(n.before(5)).ahead_of(n), -5);
            assert_eq!(Stamp::aborted(n.before(5)).ahead_of(n), -5);
        }
    }
}
