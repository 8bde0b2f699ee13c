//! Taking all wakers of a latch that was closed, one by one.
//!
//! A waker that panics ends [`Sweep::wake_all`]; the destructor then wakes the others, so nobody sleeps because of it.
#![allow(unsafe_code, reason = "what was closed is taken, each waker once")]

use super::group::Group;
use super::table::{FarGroup, Groups, Tables};
use super::word::Word;
use crate::wait::quiet::wake_quietly;
use core::task::Waker;

/// The wakers that were registered when each group was closed; a group is closed when the sweep comes to it.
pub(super) struct Sweep<'a> {
    near: &'a Group<2>,
    near_wakers: u32,
    far: Option<&'a FarGroup>,
    far_wakers: u32,
    groups: Groups<'a>,
}

impl<'a> Sweep<'a> {
    /// `word` is what closing `near` returned.
    pub(super) fn new(near: &'a Group<2>, word: Word, tables: &'a Tables) -> Self {
        Self {
            near,
            near_wakers: word.wakers(),
            far: None,
            far_wakers: 0,
            groups: if word.has(Word::GROWN) {
                tables.seal()
            } else {
                Groups::none()
            },
        }
    }

    pub(super) fn wake_all(mut self) {
        self.by_ref().for_each(Waker::wake);
    }
}

impl Iterator for Sweep<'_> {
    type Item = Waker;

    fn next(&mut self) -> Option<Waker> {
        if let Some(seat) = take_lowest(&mut self.near_wakers) {
            // SAFETY: closed, registered, and each bit is taken once.
            return Some(unsafe { self.near.take(seat) });
        }
        loop {
            if let (Some(group), Some(seat)) = (self.far, take_lowest(&mut self.far_wakers)) {
                // SAFETY: as above.
                return Some(unsafe { group.take(seat) });
            }
            let group = self.groups.next()?;
            self.far_wakers = group.close().wakers();
            self.far = Some(group);
        }
    }
}

/// The number of the lowest bit that is set, which is cleared.
fn take_lowest(bits: &mut u32) -> Option<usize> {
    if *bits == 0 {
        return None;
    }
    let lowest = bits.trailing_zeros() as usize;
    *bits &= *bits - 1;
    Some(lowest)
}

impl Drop for Sweep<'_> {
    /// Goes on after a waker has panicked.
    fn drop(&mut self) {
        self.for_each(wake_quietly);
    }
}
