//! Payloads that tell whether they are whole, and values that count how many are alive.
#![allow(dead_code, reason = "shared by binaries that each use some of it")]

use bytemuck::NoUninit;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// `W` words, each of which follows from the number of the message.
#[derive(Clone, Copy, NoUninit)]
#[repr(transparent)]
pub struct Checked<const W: usize>([u64; W]);

impl<const W: usize> Checked<W> {
    pub fn new(number: u64) -> Self {
        Self(std::array::from_fn(|n| Self::word(number, n)))
    }

    /// The number; fails when the words are of different messages.
    #[track_caller]
    pub fn number(&self) -> u64 {
        let number = self.0[0];
        let torn = self
            .0
            .iter()
            .enumerate()
            .position(|(n, word)| *word != Self::word(number, n));
        assert_eq!(torn, None, "word of another message, in message {number}");
        number
    }

    fn word(number: u64, n: usize) -> u64 {
        number.wrapping_add((n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }
}

/// Counts the values made from it that are alive.
#[derive(Clone, Default)]
pub struct Census(Arc<AtomicUsize>);

impl Census {
    pub fn alive(&self) -> usize {
        self.0.load(SeqCst)
    }

    pub fn member(&self) -> Member {
        self.0.fetch_add(1, SeqCst);
        Member(self.clone())
    }
}

/// Alive until it is dropped; a second drop would be noticed by the count.
pub struct Member(Census);

impl Drop for Member {
    fn drop(&mut self) {
        let before = self.0.0.fetch_sub(1, SeqCst);
        assert_ne!(before, 0, "dropped twice");
    }
}
