//! Seats for the wakers of a few tasks, under one word.
//!
//! ```text
//! States    word.rs
//! Claim     C1 exchange the word for one with CLAIMED of a free seat, Acquire   C2 CLOSED? the latch is open
//! Register  R1 write the waker into the seat   R2 set REGISTERED, AcqRel   R3 CLOSED? take the waker back, the latch is open
//! Leave     L1 copy the waker's bits   L2 clear REGISTERED and CLAIMED in one step, Release   L3 CLOSED? forget the copy,
//!           else drop it
//! Close     K1 set CLOSED, AcqRel   K2 the wakers of the seats that were registered then are the closer's
//! I1        a seat is written only between C1 and L2 by its claimer, and never when C1 saw CLOSED
//! I2        a registered waker has one owner: the claimer until K1 or L2, whichever is first in the word; then who did that
//! I3        between R2 and L2 nobody writes to the seat, so L1 may copy while the closer reads
//! Pairs     R2→K1 publishes the waker; L2→C1 ends the reads of the former claimer before the next one writes;
//!           K1→C1, K1→R2 publish what was stored before the closing (the state of the latch)
//! Arithmetic: who adds a bit knows that it is not set (a seat's by I1, CLOSED because a group is closed once), who subtracts
//!           one that it is; processors return the old word of an addition in one instruction, of a bitwise change in a loop
//! Progress  claim lock-free (a failure means that another change succeeded), the rest wait-free
//! Source    none: one bit a right, handed over by read-modify-writes of one word
//! ```
#![allow(
    unsafe_code,
    reason = "seats are written and read by the rights of I1 to I3"
)]

use super::word::Word;
use crate::sync::atomic::{AtomicU32, Ordering};
use crate::sync::cell::UnsafeCell;
use crate::sync::{mutant, ordering};
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::task::Waker;

pub(super) type Seat = UnsafeCell<MaybeUninit<Waker>>;

/// `N` seats, at most [`Word::MOST_SEATS`].
#[repr(C)]
pub(super) struct Group<const N: usize> {
    word: AtomicU32,
    seats: [Seat; N],
}

// SAFETY: by I1 to I3 a seat has one writer, who shares it with nobody, and wakers may be used from every thread.
unsafe impl<const N: usize> Sync for Group<N> {}

/// What came of looking for a seat.
pub(super) enum Claim {
    Seat(Place),
    Full,
    Closed,
}

/// A claimed seat.
#[derive(Debug)]
pub(super) struct Place {
    word: NonNull<AtomicU32>,
    seat: NonNull<Seat>,
    /// The CLAIMED bit of the seat; as wide as the pointers, because a place is moved about word by word.
    bit: usize,
}

impl<const N: usize> Group<N> {
    #[cfg(not(any(loom, shuttle)))]
    pub(super) const fn new() -> Self {
        Self {
            word: AtomicU32::new(0),
            seats: [const { UnsafeCell::new(MaybeUninit::uninit()) }; N],
        }
    }

    #[cfg(any(loom, shuttle))]
    pub(super) fn new() -> Self {
        Self {
            word: AtomicU32::new(0),
            seats: core::array::from_fn(|_| UnsafeCell::new(MaybeUninit::uninit())),
        }
    }

    /// The word as it is now.
    #[inline]
    pub(super) fn word(&self) -> Word {
        // ORDERING: Acquire; who sees CLOSED sees what was stored before K1.
        Word::new(self.word.load(Ordering::Acquire))
    }

    /// Sets a bit that belongs to no seat; returns the word before.
    pub(super) fn mark(&self, bit: u32) -> Word {
        // ORDERING: Acquire as in `word`; the marks themselves (THREADS, GROWN) publish nothing.
        Word::new(self.word.fetch_or(bit, Ordering::Acquire))
    }

    /// C1, C2.
    #[inline]
    pub(super) fn claim(&self) -> Claim {
        const { assert!(N <= Word::MOST_SEATS) };
        let mut word = self.word();
        loop {
            if word.has(Word::CLOSED) && !mutant("group C2") {
                return Claim::Closed;
            }
            let Some(bit) = word.free(N) else {
                return Claim::Full;
            };
            match self.claim_bit(word, bit) {
                Ok(()) => return Claim::Seat(self.place(bit)),
                Err(now) => word = now,
            }
        }
    }

    #[inline(always)]
    fn claim_bit(&self, word: Word, bit: u32) -> Result<(), Word> {
        // ORDERING: Acquire pairs with L2 (I1), also on failure with K1, because CLOSED may be met.
        self.word
            .compare_exchange(
                word.bits(),
                word.bits() | bit,
                ordering("group C1", Ordering::Acquire),
                ordering("group C1", Ordering::Acquire),
            )
            .map(drop)
            .map_err(Word::new)
    }

    fn place(&self, bit: u32) -> Place {
        Place {
            word: NonNull::from(&self.word),
            seat: NonNull::from(&self.seats[bit.trailing_zeros() as usize]),
            bit: bit as usize,
        }
    }

    /// K1; returns the word before, whose wakers are the caller's to [`take`].
    ///
    /// # Safety
    /// The group is closed once.
    pub(super) unsafe fn close(&self) -> Word {
        // ORDERING: AcqRel. Acquire pairs with R2, to read the wakers; Release publishes the state of the latch to whoever
        // meets CLOSED.
        Word::new(
            self.word
                .fetch_add(Word::CLOSED, ordering("group K1", Ordering::AcqRel)),
        )
    }

    /// All seats, for K2.
    pub(super) const fn seats(&self) -> &[Seat] {
        &self.seats
    }
}

/// K2: the waker of one seat.
///
/// # Safety
/// The caller has closed the seat's group, the word before had this seat registered, and each seat is taken once.
#[inline]
pub(super) unsafe fn take(seat: &Seat) -> Waker {
    // SAFETY: by I2 the waker is the caller's, and by I1 nobody writes to the seat any more.
    seat.with(|seat| unsafe { seat.cast::<Waker>().read() })
}

impl Place {
    /// CLAIMED and REGISTERED of the seat.
    #[inline(always)]
    const fn bits(&self) -> (u32, u32) {
        let claimed = self.bit as u32;
        (claimed, Word::registered(claimed))
    }

    /// Whether the seat holds a waker for the same task.
    ///
    /// # Safety
    /// The seat is registered by the caller and its group is alive.
    #[inline]
    pub(super) unsafe fn holds(&self, waker: &Waker) -> bool {
        // SAFETY: the caller's duty.
        let seat = unsafe { self.seat.as_ref() };
        // SAFETY: by I3 the seat holds the bits of the waker that R1 wrote, also when the closer has taken it; comparing
        // looks at these two words only.
        seat.with(|seat| unsafe { &*seat.cast::<Waker>() }.will_wake(waker))
    }

    /// R1 to R3; gives the waker back when the latch is open.
    ///
    /// # Safety
    /// The seat was claimed by the caller, is not registered, and its group is alive.
    #[inline]
    pub(super) unsafe fn register(&self, waker: Waker) -> Result<(), Waker> {
        // SAFETY: the caller's duty.
        let word = unsafe { self.word.as_ref() };
        // SAFETY: the caller's duty.
        let seat = unsafe { self.seat.as_ref() };
        // SAFETY: by I1 the seat is the caller's alone.
        seat.with_mut(|seat| unsafe { seat.cast::<Waker>().write(waker) }); // R1
        // ORDERING: R2 AcqRel. Release publishes R1 to K1; Acquire takes over what precedes K1 when CLOSED is seen.
        let before =
            Word::new(word.fetch_add(self.bits().1, ordering("group R2", Ordering::AcqRel)));
        if before.has(Word::CLOSED) && !mutant("group R3") {
            // SAFETY: the closer saw the seat unregistered, so by I2 the waker is still the caller's.
            return Err(seat.with(|seat| unsafe { seat.cast::<Waker>().read() }));
        }
        Ok(())
    }

    /// L1 to L3: gives the seat back, and drops the waker unless a closer has it.
    ///
    /// # Safety
    /// The seat was registered by the caller and its group is alive; the place is not used again.
    #[inline]
    pub(super) unsafe fn leave(self) {
        // SAFETY: the caller's duty.
        let word = unsafe { self.word.as_ref() };
        // SAFETY: the caller's duty.
        let seat = unsafe { self.seat.as_ref() };
        // SAFETY: by I3 the bits are there and nobody writes to them.
        let waker = seat.with(|seat| unsafe { seat.read() }); // L1
        let (claimed, registered) = self.bits();
        // ORDERING: L2 Release ends L1 before the next claimer writes; what comes back is the caller's own waker.
        let before = Word::new(word.fetch_sub(
            claimed | registered,
            ordering("group L2", Ordering::Release),
        ));
        if !before.has(Word::CLOSED) || mutant("group L3") {
            // SAFETY: by I2 the waker became the caller's again with L2.
            drop(unsafe { waker.assume_init() });
        }
    }
}
