//! What a slot of an in-place ring holds in a graph: a word a stage, so that each stage finds what the ones before it made.
//! Handlers share the slot and only look at it, so the words are atomic; the ring orders them.

use std::sync::atomic::{AtomicU64, Ordering};

/// The words.
#[derive(Default)]
pub struct Cells([AtomicU64; 4]);

impl Cells {
    /// What was written to that word.
    #[inline(always)]
    pub fn get(&self, word: usize) -> u64 {
        // ORDERING: Relaxed: the ring hands the slot from stage to stage.
        self.0[word].load(Ordering::Relaxed)
    }

    /// Writes that word.
    #[inline(always)]
    pub fn set(&self, word: usize, value: u64) {
        // ORDERING: as in `get`.
        self.0[word].store(value, Ordering::Relaxed);
    }
}
