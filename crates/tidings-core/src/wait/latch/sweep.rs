//! Taking all wakers of a latch that was closed, one by one.
//!
//! A waker that panics ends [`Sweep::wake_all`]; the destructor then wakes the others, so nobody sleeps because of it.
#![allow(unsafe_code, reason = "what was closed is taken, each waker once")]

use super::group::{Group, Seat, take};
use super::table::{Groups, Tables};
use super::word::Word;
use crate::wait::quiet::wake_quietly;
use core::task::Waker;

/// The wakers that were registered when each group was closed; a group is closed when the sweep comes to it.
pub(super) struct Sweep<'a> {
    /// The seats of the group that was closed last.
    seats: &'a [Seat],
    /// Which of them hold a waker that is still to be taken, seat n as bit n.
    wakers: u32,
    /// The groups to come.
    groups: Groups<'a>,
}

impl<'a> Sweep<'a> {
    /// `word` is what closing `near` returned.
    ///
    /// # Safety
    /// The caller has closed `near`, and makes one sweep of the latch.
    pub(super) unsafe fn new(near: &'a Group<2>, word: Word, tables: &'a Tables) -> Self {
        Self {
            seats: near.seats(),
            wakers: word.wakers(),
            groups: if word.has(Word::GROWN) {
                tables.seal()
            } else {
                Groups::none()
            },
        }
    }

    /// Wakes all; the first panic of a waker goes on when the others were woken. While the thread unwinds already there is no way
    /// for a second panic to go, so it is discarded.
    pub(super) fn wake_all(mut self) {
        #[cfg(feature = "std")]
        if std::thread::panicking() {
            return drop(self);
        }
        self.by_ref().for_each(Waker::wake);
    }
}

impl Iterator for Sweep<'_> {
    type Item = Waker;

    #[inline]
    fn next(&mut self) -> Option<Waker> {
        loop {
            if let Some(seat) = take_lowest(&mut self.wakers) {
                // SAFETY: closed, registered, and each bit is taken once.
                return Some(unsafe { take(&self.seats[seat]) });
            }
            let group = self.groups.next()?;
            // SAFETY: only the opener of a latch sweeps, once, and comes by each group once.
            self.wakers = unsafe { group.close() }.wakers();
            self.seats = group.seats();
        }
    }
}

/// The number of the lowest bit that is set, which is cleared.
#[inline]
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
