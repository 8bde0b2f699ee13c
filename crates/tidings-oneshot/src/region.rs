//! The one allocation of a channel, and who owns how much of it.
//!
//! ```text
//! States    `counts`: counts.rs · `weaks`: weak listeners, plus one for all handles that are not weak
//!           `watch`: null, or the latch on which the announcer waits for the end of the hearers
//! Join      J1 count + 1, Relaxed: who joins has a handle that keeps the region; for weak listeners see region/weak.rs
//! Leave     R1 counts exactly this handle? (Acquire) it ends alone   R2 count − 1, AcqRel   R3 no handle left? end
//! Take      T1 a word that counts this handle, and perhaps an announcer in its sweep and a watch, gets TAKEN, Acquire
//!           T2 the value is moved out   T3 the handle leaves
//! End       E1 drop the board, the value only if it was not TAKEN   E2 WEAK? weaks − 1, AcqRel; not the last? leave the
//!           memory to the last weak one   E3 free   E4 drop the watch
//! Watch     A1, A2 of region/watch.rs   A3 who brings the hearers to 0 and saw WATCH has that unit: it opens the latch, then
//!           gives it back
//! I1        the memory is there while counts has a handle or weaks is not 0; the board while counts has a handle
//! I2        R1: a word without flags that is this handle alone means that nobody else can reach the region: others are made
//!           from handles, weak ones leave WEAK behind, and a taken value TAKEN
//! I3        hearers fall to 0 once (counts.rs I1), so the WATCH of A2 has one taker
//! I4        an announcer keeps its handle until its sweep is over, and the taker of A3 the WATCH: nothing that is
//!           used is freed
//! I5        after T1 nobody reads the value: there is no other hearer, none is made (weak ones look at TAKEN), the only announcer
//!           touches the latch alone once the value is announced, and shared ones, which can read, are not there
//! Pairs     R2→R1, R2→R3, R2→T1: what was done through a handle is over before the end; R2→`counts`: and before whoever
//!           finds that nobody can hear goes on; A1, A2→A3 publish the watch
//! Progress  wait-free, but E1, which runs the destructor of the value
//! Source    strong and weak counts after the standard library's Arc; R1 after its `get_mut`
//! ```
#![allow(unsafe_code)] // memory that its handles own together

use crate::board::Board;
use crate::cell::Cell;
use crate::counts::Counts;
use crate::state::CloseCause;
use alloc::boxed::Box;
use core::marker::PhantomData;
use core::mem::{self, MaybeUninit};
use core::ops::Deref;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::ptr::{self, NonNull};
use tidings_core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use tidings_core::sync::{mutant, ordering};
use tidings_core::wait::Latch;

pub(crate) mod bulk;
mod watch;
pub(crate) mod weak;

/// See the file's header. The words that handles write come first, the state and the value, which all read, last.
#[repr(C)]
pub(crate) struct Region<T> {
    counts: AtomicU64,
    weaks: AtomicU32,
    watch: AtomicPtr<Latch>,
    board: Board<T>,
}

/// What a handle may do, and what it counts as.
pub(crate) trait Role {
    /// One such handle, in the word.
    const UNIT: u64;
}

/// A listener, or a guard.
pub(crate) enum Listening {}
/// A factory of listeners.
pub(crate) enum Making {}
/// The only announcer.
pub(crate) enum Announcing {}
/// All announcers of which the first wins, together.
pub(crate) enum Sharing {}
/// The watch, until the hearers are gone.
enum Watching {}

impl Role for Listening {
    const UNIT: u64 = Counts::LISTENER;
}
impl Role for Making {
    const UNIT: u64 = Counts::ANNOUNCEMENT;
}
impl Role for Announcing {
    const UNIT: u64 = Counts::ANNOUNCER;
}
impl Role for Sharing {
    const UNIT: u64 = Counts::SHARED;
}
impl Role for Watching {
    const UNIT: u64 = Counts::WATCH;
}

/// A handle that keeps the channel.
pub(crate) struct Strong<T, R: Role> {
    region: NonNull<Region<T>>,
    role: PhantomData<(Region<T>, R)>,
}

const _: () = assert!(size_of::<Strong<[u64; 99], Listening>>() <= 8);

// SAFETY: like an Arc: a handle reaches the value from any thread (Sync), and may be the one that drops it (Send).
unsafe impl<T: Send + Sync, R: Role> Send for Strong<T, R> {}
// SAFETY: as above; a shared handle can be cloned.
unsafe impl<T: Send + Sync, R: Role> Sync for Strong<T, R> {}
// A pointer: moving it moves no value.
impl<T, R: Role> Unpin for Strong<T, R> {}
impl<T: RefUnwindSafe, R: Role> UnwindSafe for Strong<T, R> {}
impl<T: RefUnwindSafe, R: Role> RefUnwindSafe for Strong<T, R> {}

/// What every refusal of a handle says.
const TOO_MANY: &str = "too many handles of one channel";

/// A new channel.
pub(crate) fn create<T>() -> (Strong<T, Announcing>, Strong<T, Making>) {
    let mut memory = Box::<Region<T>>::new_uninit();
    // SAFETY: the pointer is to memory for a region.
    unsafe { Region::init(memory.as_mut_ptr()) };
    // SAFETY: all fields are initialised.
    let region = NonNull::from(Box::leak(unsafe { memory.assume_init() }));
    (Strong::adopt(region), Strong::adopt(region))
}

impl<T, R: Role> Strong<T, R> {
    /// The handle of a unit that was counted before.
    #[inline(always)]
    const fn adopt(region: NonNull<Region<T>>) -> Self {
        Self {
            region,
            role: PhantomData,
        }
    }

    #[inline(always)]
    const fn region(&self) -> &Region<T> {
        // SAFETY: by I1 this handle keeps the memory.
        unsafe { self.region.as_ref() }
    }

    /// J1: another handle, of a role that this one may make.
    #[inline]
    fn join<O: Role>(&self) -> Strong<T, O> {
        self.region().add(O::UNIT);
        Strong::adopt(self.region)
    }

    #[inline]
    pub(crate) fn listener_count(&self) -> usize {
        self.region().counts().listeners() as usize
    }

    /// Whether anybody can hear, or make somebody who can.
    #[inline]
    pub(crate) fn is_heard(&self) -> bool {
        self.region().counts().is_heard()
    }

    /// R1: whether nobody else can reach the channel, now or later.
    #[inline(always)]
    fn is_alone(&self) -> bool {
        // ORDERING: Acquire pairs with R2 of the others: what they did is over.
        self.region()
            .counts
            .load(ordering("region R1", Ordering::Acquire))
            == R::UNIT
    }

    /// T1 to T3: the value, when nobody else can reach it and it was announced.
    pub(crate) fn into_inner(self) -> Result<T, Self> {
        // ORDERING: Relaxed; a guess that T1 confirms.
        let mut counts = Counts::new(self.region().counts.load(Ordering::Relaxed));
        loop {
            if !self.is_announced() || !counts.is_last(R::UNIT) {
                return Err(self);
            }
            // ORDERING: Acquire pairs with the R2 of all others. Relaxed on failure: the word is looked at again.
            match self.region().counts.compare_exchange_weak(
                counts.bits(),
                counts.bits() | Counts::TAKEN,
                ordering("region T1", Ordering::Acquire),
                Ordering::Relaxed,
            ) {
                Ok(_) => break,
                // An announcer has left meanwhile, or a handle has come.
                Err(now) => counts = Counts::new(now),
            }
        }
        // SAFETY: by I5 nobody reads the value any more, and the end of the region sees TAKEN.
        Ok(unsafe { self.cell.take() })
    }
}

impl<T> Region<T> {
    /// Makes a region where `place` points to, field by field: room for a large value must not travel over the stack.
    ///
    /// # Safety
    /// `place` points to memory for a region that is the caller's.
    #[inline]
    unsafe fn init(place: *mut Self) {
        // SAFETY: the caller's duty, here and below.
        let counts = unsafe { &raw mut (*place).counts };
        // SAFETY: above.
        let weaks = unsafe { &raw mut (*place).weaks };
        // SAFETY: above.
        let watch = unsafe { &raw mut (*place).watch };
        // SAFETY: above.
        let cell = unsafe { &raw mut (*place).board.cell };
        // SAFETY: above.
        unsafe { counts.write(AtomicU64::new(Counts::NEW)) };
        // SAFETY: above.
        unsafe { weaks.write(AtomicU32::new(1)) };
        // SAFETY: above.
        unsafe { watch.write(AtomicPtr::new(ptr::null_mut())) };
        // SAFETY: above.
        unsafe { Cell::init(cell) };
    }

    #[inline(always)]
    fn counts(&self) -> Counts {
        // ORDERING: Acquire pairs with R2: who finds that nobody can hear sees what those who could have done.
        Counts::new(self.counts.load(Ordering::Acquire))
    }

    /// J1 of one handle.
    ///
    /// # Panics
    /// When there are too many of its kind already.
    #[inline]
    fn add(&self, unit: u64) {
        // ORDERING: Relaxed; a handle that exists keeps the region, the new one reaches other threads by other means.
        let before = Counts::new(self.counts.fetch_add(unit, Ordering::Relaxed));
        if before.is_full_of(unit) {
            self.refuse(unit);
        }
    }

    #[cold]
    fn refuse(&self, unit: u64) -> ! {
        // ORDERING: Relaxed; takes back what nobody has used.
        self.counts.fetch_sub(unit, Ordering::Relaxed);
        panic!("{TOO_MANY}");
    }

    /// E1 to E4.
    ///
    /// # Safety
    /// The caller took the last handle out of `counts`, or is alone, and has acquired what the others did.
    #[cold]
    #[inline(never)]
    unsafe fn end(region: NonNull<Self>, counts: Counts) {
        let _memory = Memory::new(region, counts);
        // SAFETY: by I1 and the caller's duty the board is nobody else's.
        let cell = unsafe { &raw mut (*region.as_ptr()).board.cell };
        if counts.has(Counts::TAKEN) {
            // SAFETY: as above; it is ended once.
            unsafe { Cell::end_taken(cell) };
        } else {
            // SAFETY: as above; it is dropped once.
            unsafe { ptr::drop_in_place(cell) };
        }
    }

    /// E2: gives up a unit of `weaks`, and frees the memory with the last one.
    ///
    /// # Safety
    /// The unit is the caller's.
    unsafe fn leave_memory(region: NonNull<Self>) {
        // SAFETY: by I1 the unit keeps the memory.
        let weaks = unsafe { &(*region.as_ptr()).weaks };
        // ORDERING: AcqRel; Release ends what this side did with the memory, Acquire takes over that of the others.
        if weaks.fetch_sub(1, ordering("region E2", Ordering::AcqRel)) == 1 {
            // SAFETY: the last unit is gone.
            unsafe { Self::free(region) };
        }
    }

    /// E3. The box frees the memory and drops nothing, which was done before.
    ///
    /// # Safety
    /// Nobody else can reach the region.
    unsafe fn free(region: NonNull<Self>) {
        // SAFETY: the memory came from a box.
        drop(unsafe { Box::from_raw(region.as_ptr().cast::<MaybeUninit<Self>>()) });
    }
}

/// Frees the memory of a region whose value is gone, or whose value's destructor panics.
struct Memory<T> {
    region: NonNull<Region<T>>,
    counts: Counts,
}

impl<T> Memory<T> {
    const fn new(region: NonNull<Region<T>>, counts: Counts) -> Self {
        Self { region, counts }
    }
}

impl<T> Drop for Memory<T> {
    fn drop(&mut self) {
        // SAFETY: only the end of a region makes this, so the memory is there.
        let watch = unsafe { &mut (*self.region.as_ptr()).watch };
        // ORDERING: Relaxed; the end has acquired everything.
        let watch = watch.load(Ordering::Relaxed);
        // Dropped last, because the wakers of leaked futures may panic.
        // SAFETY: A1 put a box there, and by I4 nobody uses it any more.
        let _watch = (!watch.is_null()).then(|| unsafe { Box::from_raw(watch) });
        if self.counts.has(Counts::WEAK) {
            // SAFETY: the unit of all handles together is given up.
            unsafe { Region::leave_memory(self.region) };
        } else {
            // SAFETY: by I2 there was never a weak handle.
            unsafe { Region::free(self.region) };
        }
    }
}

impl<T, R: Role> Drop for Strong<T, R> {
    #[inline]
    fn drop(&mut self) {
        if self.is_alone() {
            // SAFETY: by I2.
            return unsafe { Region::end(self.region, Counts::new(R::UNIT)) };
        }
        // SAFETY: the handle's own unit.
        unsafe { leave(self.region, R::UNIT) };
    }
}

/// R2, R3: gives `units` back.
///
/// # Safety
/// The caller owns them.
#[inline]
unsafe fn leave<T>(region: NonNull<Region<T>>, units: u64) {
    // SAFETY: the units keep the region until they are given back.
    let counts = unsafe { &region.as_ref().counts };
    // ORDERING: AcqRel. Release ends what was done through the handle, Acquire takes over what the others did, for the one
    // who ends the region, or takes the watch.
    let before = Counts::new(counts.fetch_sub(units, ordering("region R2", Ordering::AcqRel)));
    let after = Counts::new(before.bits() - units);
    if after.handles() == 0 || (mutant("region R3") && !after.is_heard()) {
        // SAFETY: R3.
        unsafe { Region::end(region, after) };
    } else if before.is_heard() && !after.is_heard() && after.has(Counts::WATCH) {
        abandon(region);
    }
}

/// A3.
#[cold]
fn abandon<T>(region: NonNull<Region<T>>) {
    // Given back at the end, also when a waker panics.
    let unit = Strong::<T, Watching>::adopt(region);
    // ORDERING: Acquire pairs with A1.
    let watch = unit.region().watch.load(Ordering::Acquire);
    let _unit = Some(unit).filter(|_| !mutant("region A3"));
    // SAFETY: WATCH was set after A1, and by I4 the unit keeps the latch.
    if let Some(latch) = unsafe { watch.as_ref() } {
        latch.open(ABANDONED);
    }
}

/// The only code of a watch.
const ABANDONED: u32 = 2;

impl<T> Clone for Strong<T, Listening> {
    #[inline]
    fn clone(&self) -> Self {
        self.join()
    }
}

impl<T> Clone for Strong<T, Making> {
    #[inline]
    fn clone(&self) -> Self {
        self.join()
    }
}

impl<T, R: Role> Deref for Strong<T, R> {
    type Target = Board<T>;

    #[inline(always)]
    fn deref(&self) -> &Board<T> {
        &self.region().board
    }
}

impl<T> Strong<T, Making> {
    #[inline]
    pub(crate) fn listener(&self) -> Strong<T, Listening> {
        self.join()
    }
}

impl<T> Strong<T, Announcing> {
    #[inline]
    pub(crate) fn announce(self, value: T) {
        // SAFETY: there is one handle of this role a channel, and it is used up here.
        unsafe { self.cell.announce(value) };
    }

    /// Takes itself out of `place` when the value is built; a panic of `build` leaves it there.
    pub(crate) fn announce_in_place(
        place: &mut Option<Self>,
        build: impl FnOnce(&mut MaybeUninit<T>) -> &mut T,
    ) {
        if let Some(announcer) = place {
            // SAFETY: as in `announce`.
            unsafe { announcer.cell.build(build) };
        }
        if let Some(announcer) = place.take() {
            // SAFETY: as in `announce`, and the value was built.
            unsafe { announcer.cell.announce_built() };
        }
    }

    /// Becomes the handle of all announcers of which the first wins; they can read, so they keep the value.
    pub(crate) fn share(self) -> Strong<T, Sharing> {
        // ORDERING: Relaxed; as J1, for one kind of handle instead of another.
        let counts = &self.region().counts;
        counts.fetch_add(Counts::SHARED - Counts::ANNOUNCER, Ordering::Relaxed);
        let region = self.region;
        mem::forget(self);
        Strong::adopt(region)
    }

    /// Closes; nothing to tell anybody when nobody else is there.
    #[inline]
    pub(crate) fn close(self, cause: CloseCause) {
        if !self.is_alone() {
            // SAFETY: as in `announce`.
            unsafe { self.cell.close(cause) };
        }
    }
}
