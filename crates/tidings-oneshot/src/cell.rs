//! One value behind a latch.
//!
//! ```text
//! States    the latch: shut, reserved, or open with a code of state.rs
//! Announce  A1 the right to: the only announcer, or the reservation of the latch   A2 write the value   A3 open with
//!           ANNOUNCED (Release)
//! Read      G1 open with ANNOUNCED? (Acquire)   G2 a reference to the value
//! I1        the value is written once, by who has the right, before A3
//! I2        who saw ANNOUNCED may read the value until it is taken or the cell ends; nobody writes to it after A3, and the
//!           announcer does not touch it any more
//! Pairs     A3↔G1, inside the latch
//! Progress  as the latch: reading is wait-free
//! ```
#![allow(unsafe_code)] // the value is there when the latch says so

use crate::error::AnnounceError;
use crate::state::{CloseCause, State};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr;
use tidings_core::sync::cell::UnsafeCell;
use tidings_core::sync::mutant;
use tidings_core::wait::Latch;

/// The state, and right behind it the value, so that a small one shares its line.
#[repr(C)]
pub(crate) struct Cell<T> {
    latch: Latch,
    value: UnsafeCell<MaybeUninit<T>>,
}

// SAFETY: a cell owns its value, which moves with it, or to the thread that takes it out.
unsafe impl<T: Send> Send for Cell<T> {}
// SAFETY: a shared cell hands out `&T` on any thread (Sync), and takes a value from one thread that another drops (Send).
unsafe impl<T: Send + Sync> Sync for Cell<T> {}

// What a panic can interrupt here is a user's code only, around which the cell is whole.
impl<T: UnwindSafe> UnwindSafe for Cell<T> {}
impl<T: RefUnwindSafe> RefUnwindSafe for Cell<T> {}

impl<T> Cell<T> {
    #[cfg(not(any(loom, shuttle)))]
    pub(crate) const fn new() -> Self {
        Self {
            latch: Latch::new(),
            value: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    #[cfg(any(loom, shuttle))]
    pub(crate) fn new() -> Self {
        Self {
            latch: Latch::new(),
            value: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    /// Makes a cell where `place` points to, without moving room for a value through the stack.
    ///
    /// # Safety
    /// `place` points to memory for a cell that is the caller's.
    pub(crate) unsafe fn init(place: *mut Self) {
        // SAFETY: the caller's duty; the value's room may stay uninitialised.
        let latch = unsafe { &raw mut (*place).latch };
        // SAFETY: as above.
        unsafe { latch.write(Latch::new()) };
        #[cfg(any(loom, shuttle))]
        {
            // SAFETY: as above; a model's cell has more in it than the value.
            let value = unsafe { &raw mut (*place).value };
            // SAFETY: as above.
            unsafe { value.write(UnsafeCell::new(MaybeUninit::uninit())) };
        }
    }

    #[inline(always)]
    pub(crate) const fn latch(&self) -> &Latch {
        &self.latch
    }

    #[inline]
    pub(crate) fn state(&self) -> State {
        State::from_code(self.latch.code())
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&T> {
        if self.latch.code() != Some(State::ANNOUNCED) {
            return None;
        }
        // SAFETY: G1 held, so by I1 the value was written and by I2 it stays.
        Some(self.value.with(|value| unsafe { &*value.cast::<T>() }))
    }

    /// Writes the value and opens, for the only announcer.
    ///
    /// # Safety
    /// Nobody else announces or closes this cell, and it was neither announced nor closed before.
    #[inline]
    pub(crate) unsafe fn announce(&self, value: T) {
        // SAFETY: by the caller's duty this is A1, so nobody else looks at or writes to the value (I1).
        self.value
            .with_mut(|place| unsafe { place.cast::<T>().write(value) });
        // SAFETY: the caller's duty.
        unsafe { self.latch.open_reserved(State::ANNOUNCED) };
    }

    /// Lets `build` make the value where it stays.
    ///
    /// # Safety
    /// As for [`announce`](Self::announce).
    ///
    /// # Panics
    /// When `build` does, or returns another place than it was given; the cell is pending then.
    pub(crate) unsafe fn build(&self, build: impl FnOnce(&mut MaybeUninit<T>) -> &mut T) {
        const {
            assert!(
                size_of::<T>() > 0,
                "a zero-sized value has no place to be built in"
            );
        }
        self.value.with_mut(|place| {
            // SAFETY: as in `announce`.
            let built = ptr::from_mut(build(unsafe { &mut *place }));
            assert!(
                ptr::eq(built, place.cast()),
                "the value was built somewhere else"
            );
        });
    }

    /// Opens, for the only announcer.
    ///
    /// # Safety
    /// As for [`announce`](Self::announce), and [`build`](Self::build) has returned.
    pub(crate) unsafe fn announce_built(&self) {
        // SAFETY: the caller's duty.
        unsafe { self.latch.open_reserved(State::ANNOUNCED) };
    }

    /// Closes, for the only announcer.
    ///
    /// # Safety
    /// As for [`announce`](Self::announce).
    #[inline]
    pub(crate) unsafe fn close(&self, cause: CloseCause) {
        // SAFETY: the caller's duty.
        unsafe { self.latch.open_reserved(State::closed(cause)) };
    }

    /// Announces unless somebody has announced, reserved or closed before.
    pub(crate) fn announce_first(&self, value: T) -> Result<(), AnnounceError<T>> {
        if !self.latch.reserve() && !mutant("cell A1") {
            return Err(AnnounceError::AlreadyAnnounced(value));
        }
        // SAFETY: the reservation is A1.
        unsafe { self.announce(value) };
        Ok(())
    }

    /// Closes unless somebody has announced, reserved or closed before; whether it did.
    pub(crate) fn close_first(&self, cause: CloseCause) -> bool {
        self.latch.open(State::closed(cause))
    }

    /// The value, if it was announced.
    pub(crate) fn into_inner(self) -> Option<T> {
        if self.state() != State::Announced {
            return None;
        }
        let mut cell = ManuallyDrop::new(self);
        // SAFETY: announced, and nobody else has it.
        let value = unsafe { cell.take() };
        // SAFETY: taken, and not used again.
        unsafe { Self::end_taken(&raw mut *cell) };
        Some(value)
    }

    /// Moves the value out.
    ///
    /// # Safety
    /// The cell was announced, nobody else reads the value, now or later, and the cell ends by [`end_taken`](Self::end_taken).
    pub(crate) unsafe fn take(&self) -> T {
        // SAFETY: announced, so by I1 the value is there; by the caller's duty it is moved out once and read no more.
        self.value
            .with_mut(|value| unsafe { value.cast::<T>().read() })
    }

    /// Ends a cell whose value was taken.
    ///
    /// # Safety
    /// `this` points to such a cell, which is the caller's and is not used any more.
    pub(crate) unsafe fn end_taken(this: *mut Self) {
        // SAFETY: the caller's duty.
        let latch = unsafe { &raw mut (*this).latch };
        // SAFETY: nobody drops the cell as a whole.
        unsafe { ptr::drop_in_place(latch) };
    }
}

impl<T> Drop for Cell<T> {
    fn drop(&mut self) {
        if self.latch.code() == Some(State::ANNOUNCED) {
            // SAFETY: by I1 the value is there, and the exclusive borrow shows that nobody reads it.
            self.value
                .with_mut(|value| unsafe { ptr::drop_in_place(value.cast::<T>()) });
        }
    }
}
