//! The word of a group of seats, decoded.
//!
//! ```text
//! bits 0…6    CLAIMED     the seat belongs to a waiter, who alone may write to it
//! bits 8…14   REGISTERED  the seat holds the waker of a waiter
//! bit 16      CLOSED      the latch is open: registered wakers belong to whoever set this; never cleared
//! bit 17      THREADS     a thread sleeps, or is about to (first group only); never cleared
//! bit 18      GROWN       there may be tables beyond the first group (first group only); never cleared
//! Pairs       none: a value; the word itself is group.rs's
//! Source      latch.rs
//! ```

use core::fmt;

/// A decoded copy of the word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Word(u32);

impl Word {
    pub(super) const CLOSED: u32 = 1 << 16;
    pub(super) const THREADS: u32 = 1 << 17;
    pub(super) const GROWN: u32 = 1 << 18;
    const REGISTERED_SHIFT: u32 = 8;
    const SEATS: u32 = 0x7f;

    /// Seats that a word has bits for.
    pub(super) const MOST_SEATS: usize = Self::SEATS.count_ones() as usize;

    #[inline(always)]
    pub(super) const fn new(bits: u32) -> Self {
        Self(bits)
    }

    #[inline(always)]
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(super) const fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    /// The bit that says that the seat is claimed, for the lowest free one of the first `seats`; `None` when all are taken.
    #[inline(always)]
    pub(super) const fn free(self, seats: usize) -> Option<u32> {
        let free = !self.0 & ((1 << seats) - 1);
        if free == 0 {
            return None;
        }
        Some(free & free.wrapping_neg())
    }

    /// The bit that says that this claimed seat is registered.
    #[inline(always)]
    pub(super) const fn registered(claim: u32) -> u32 {
        claim << Self::REGISTERED_SHIFT
    }

    /// The set of seats that hold a waker, seat n as bit n.
    #[inline(always)]
    pub(super) const fn wakers(self) -> u32 {
        (self.0 >> Self::REGISTERED_SHIFT) & Self::SEATS
    }
}

const _: () = assert!(Word::SEATS & (Word::SEATS << Word::REGISTERED_SHIFT) == 0);
const _: () = assert!((Word::SEATS << Word::REGISTERED_SHIFT) < Word::CLOSED);

impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Word")
            .field("claimed", &(self.0 & Self::SEATS).count_ones())
            .field("registered", &self.wakers().count_ones())
            .field("closed", &self.has(Self::CLOSED))
            .field("threads", &self.has(Self::THREADS))
            .field("grown", &self.has(Self::GROWN))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Word;
    use std::format;

    #[test]
    fn the_lowest_free_seat_is_taken_first() {
        assert_eq!(Word::new(0b0101).free(4), Some(0b0010));
        assert_eq!(Word::new(0b0111).free(4), Some(0b1000));
    }

    #[test]
    fn seats_beyond_the_group_are_not_free() {
        assert_eq!(Word::new(0b11).free(2), None);
        assert_eq!(Word::new(0x7f).free(Word::MOST_SEATS), None);
    }

    #[test]
    fn registered_seats_are_told_from_claimed_ones() {
        let word = Word::new(0b111 | Word::registered(0b100));
        assert_eq!(word.wakers(), 0b100);
    }

    #[test]
    fn debug_names_every_bit() {
        let text = format!("{:?}", Word::new(0b11 | Word::registered(1) | Word::GROWN));
        assert_eq!(
            text,
            "Word { claimed: 2, registered: 1, closed: false, threads: false, grown: true }"
        );
    }
}
