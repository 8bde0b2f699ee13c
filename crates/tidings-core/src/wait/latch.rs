//! A latch: shut until it is opened, once, for any number of threads and tasks.
//!
//! ```text
//! States    `state`: 0 shut · 1 reserved, somebody is about to open · otherwise open, with the code that the opener chose
//!           the word of the first group (word.rs): who waits; the tables (table.rs): the seats of more than two tasks
//! Open      O1 state := code, Release   O2 close the first group   O3 THREADS? wake all of them in one call
//!           O4 wake the first group's tasks   O5 GROWN? seal the tables, close each group, wake its tasks
//! Task      T1 open? done   T2 claim a seat and register (group.rs): the first group's, or one in a table; CLOSED? done
//!           T3 return Pending; dropped or polled with another waker: leave the seat
//! Thread    H1 set THREADS in the first group; CLOSED? done   H2 sleep while `state` is shut
//! I1        of O2 and H1, of a group's closing and a registration in it: one is first in the word, and the second sees it
//! I2        who meets CLOSED, or the seal, sees O1
//! I3        a thread whose H1 preceded O2 is woken by O3, or finds `state` changed when it goes to sleep (O1 precedes O3)
//! I4        wakers are woken by the opener with nothing held; whatever they do to the latch meets CLOSED
//! Pairs     O1↔T1 publishes what the opener did before; for the rest see group.rs and table.rs
//! Progress  open: wait-free but for the seal, which only growth can hold up, plus a system call when threads sleep;
//!           poll and cancel lock-free; waiting threads block on purpose
//! Source    none for the whole; see the parts
//! ```
//!
//! Beside [`Event`](super::Event), which can be notified again and again, what makes a latch cheap is that it ends: no fence
//! pairs with another one, every hand-over is one read-modify-write of a word that both sides change.
#![allow(unsafe_code, reason = "a key points into the latch that armed it")]

use super::block::Blocker;
use crate::sync::atomic::{AtomicU32, Ordering};
use crate::sync::{mutant, ordering};
use core::fmt;
use core::future::Future;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::pin::Pin;
use core::task::{Context, Poll};
use group::{Claim, Group, Place};
use sweep::Sweep;
use table::Tables;
use word::Word;

mod group;
mod sweep;
mod table;
mod word;

/// `state` of a latch that is shut.
const SHUT: u32 = 0;
/// `state` of a latch that somebody is about to open.
const RESERVED: u32 = 1;

/// Is opened once, with a code that says how; threads and tasks wait for it.
///
/// Two tasks find room in the latch itself, more of them in tables that are added as needed and reused.
///
/// # Progress and cost
/// A look is one load. [`open`](Self::open) takes no lock, and makes one system call when threads sleep, however many. A
/// task's first poll is two read-modify-writes and a clone of its waker, a further one two loads, leaving is one and the
/// drop of the waker. A latch that is open costs who comes later a load.
///
/// # Memory ordering
/// What the opener did before opening is seen by whoever saw the latch open.
///
/// # Panics
/// Panics of wakers pass through the opener after everybody else was woken; the first one goes on. While the opener's thread
/// unwinds already they are discarded (without `std` they end the program).
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "std")] {
/// use tidings_core::wait::{Deadline, Latch, WaitStrategy};
///
/// let latch = Latch::new();
/// std::thread::scope(|scope| {
///     scope.spawn(|| latch.open(7));
///     let code = latch.wait(&WaitStrategy::default(), Deadline::NEVER);
///     assert_eq!(code, Some(7));
/// });
/// # }
/// ```
#[repr(C)]
pub struct Latch {
    near: Group<2>,
    far: Tables,
    blocker: Blocker,
    /// Keeps `state`, which everybody reads, off the lines that waiters write.
    _apart: u64,
    state: AtomicU32,
}

#[cfg(all(
    target_pointer_width = "64",
    not(any(loom, shuttle)),
    any(not(feature = "std"), all(target_os = "linux", not(tidings_portable)))
))]
const _: () = assert!(core::mem::offset_of!(Latch, state) == 64 && size_of::<Latch>() == 72);

impl Latch {
    /// Shut.
    #[cfg(not(any(loom, shuttle)))]
    #[must_use]
    pub const fn new() -> Self {
        Self {
            near: Group::new(),
            far: Tables::new(),
            blocker: Blocker::new(),
            _apart: 0,
            state: AtomicU32::new(SHUT),
        }
    }

    /// Shut.
    #[cfg(any(loom, shuttle))]
    #[must_use]
    pub fn new() -> Self {
        Self {
            near: Group::new(),
            far: Tables::new(),
            blocker: Blocker::new(),
            _apart: 0,
            state: AtomicU32::new(SHUT),
        }
    }

    /// The code with which it was opened; `None` while it is not.
    #[inline(always)]
    #[must_use]
    pub fn code(&self) -> Option<u32> {
        let state = self.state();
        (state > RESERVED).then_some(state)
    }

    #[inline(always)]
    fn state(&self) -> u32 {
        // ORDERING: Acquire pairs with O1; the caller may read what the opener wrote before.
        self.state.load(Ordering::Acquire)
    }

    /// Opens it with `code` and wakes everybody; `false` when somebody has opened or reserved it before.
    ///
    /// # Panics
    /// When `code` is 0 or 1, which stand for a latch that is not open.
    pub fn open(&self, code: u32) -> bool {
        let won = self.change(SHUT, checked(code));
        if won {
            // SAFETY: only one caller changes a shut latch.
            unsafe { self.wake_all() };
        }
        won
    }

    /// For the crates of this workspace: takes the right to open it; `false` when somebody has opened or reserved it before.
    /// Whoever has the right must use it ([`open_reserved`](Self::open_reserved)), or everybody waits for ever.
    #[doc(hidden)]
    #[must_use]
    pub fn reserve(&self) -> bool {
        self.change(SHUT, RESERVED)
    }

    fn change(&self, from: u32, to: u32) -> bool {
        // ORDERING: Release is O1 when this opens, and a reservation has nothing to publish; Relaxed on failure: who wants to
        // know what the winner did looks at the state.
        self.state
            .compare_exchange(
                from,
                to,
                ordering("latch O1", Ordering::Release),
                Ordering::Relaxed,
            )
            .is_ok()
    }

    /// For the crates of this workspace: opens it with `code` and wakes everybody, for the one caller who may.
    ///
    /// # Safety
    /// The caller holds the reservation, or nobody else can open or reserve this latch; it was not opened before.
    ///
    /// # Panics
    /// When `code` is 0 or 1.
    #[doc(hidden)]
    #[inline]
    pub unsafe fn open_reserved(&self, code: u32) {
        // ORDERING: O1 Release publishes what the caller did before.
        self.state
            .store(checked(code), ordering("latch O1", Ordering::Release));
        // SAFETY: the caller's duty.
        unsafe { self.wake_all() };
    }

    /// O2 to O5.
    ///
    /// # Safety
    /// The caller has opened the latch, which is done once.
    #[inline]
    unsafe fn wake_all(&self) {
        // SAFETY: the caller's duty.
        let word = unsafe { self.near.close() }; // O2
        if word.has(Word::THREADS | Word::GROWN) || word.wakers() != 0 {
            // SAFETY: closed just now.
            unsafe { self.wake_waiters(word) };
        }
    }

    /// O3 to O5.
    ///
    /// # Safety
    /// The caller has closed the first group, whose word was `word`.
    #[cold]
    #[inline(never)]
    unsafe fn wake_waiters(&self, word: Word) {
        // SAFETY: the caller's duty. The wakers are the sweep's from here on: it wakes them even when something unwinds.
        let sweep = unsafe { Sweep::new(&self.near, word, &self.far) };
        if word.has(Word::THREADS) && !mutant("latch O3") {
            self.blocker.wake_all(&self.state); // O3
        }
        sweep.wake_all(); // O4, O5
    }

    /// Waits as a task until it is open; the future gives the code.
    ///
    /// # Cancel safety
    /// Dropping the future takes its waker back at once.
    pub fn opened(&self) -> Opened<'_> {
        Opened {
            latch: self,
            key: LatchKey::default(),
        }
    }

    /// For the crates of this workspace: one look by a task; it is woken when the latch opens later.
    ///
    /// # Safety
    /// A key that is armed was armed by this latch, which has not been moved since.
    #[doc(hidden)]
    #[inline]
    pub unsafe fn poll(&self, key: &mut LatchKey, cx: &mut Context<'_>) -> Poll<u32> {
        if let Some(code) = self.code() {
            // A waker that is still registered is the opener's to take.
            key.place = None;
            return Poll::Ready(code); // T1
        }
        // SAFETY: the caller's duty.
        unsafe { self.poll_shut(key, cx) }
    }

    /// T2, T3.
    ///
    /// # Safety
    /// As for [`poll`](Self::poll).
    unsafe fn poll_shut(&self, key: &mut LatchKey, cx: &mut Context<'_>) -> Poll<u32> {
        if let Some(place) = &key.place {
            // SAFETY: an armed key is registered, here, by the caller's duty.
            if unsafe { place.holds(cx.waker()) } {
                return Poll::Pending;
            }
        }
        // Runs the user's code, so before anything is claimed.
        let waker = cx.waker().clone();
        // SAFETY: the caller's duty.
        unsafe { self.cancel(key) };
        let waker = match self.claim(key) {
            // SAFETY: the seat was claimed just now, and lives as long as the latch.
            Claim::Seat(place) => match unsafe { place.register(waker) } {
                Ok(()) => {
                    key.place = Some(place);
                    return Poll::Pending;
                }
                Err(waker) => waker,
            },
            Claim::Full | Claim::Closed => waker,
        };
        drop(waker);
        // By I2 the state is there to be seen.
        Poll::Ready(self.state())
    }

    /// A seat for the owner of `key`; the first group's when there is no table yet.
    fn claim(&self, key: &LatchKey) -> Claim {
        if self.far.is_empty() {
            let near = self.near.claim();
            if !matches!(near, Claim::Full) {
                return near;
            }
        }
        self.far.claim(core::ptr::from_ref(key).addr(), &self.near)
    }

    /// For the crates of this workspace: takes the waker of `key` back, dropping it, unless the opener has it; the key is idle then.
    ///
    /// # Safety
    /// As for [`poll`](Self::poll).
    #[doc(hidden)]
    #[inline]
    pub unsafe fn cancel(&self, key: &mut LatchKey) {
        let Some(place) = key.place.take() else {
            return;
        };
        // Once it is open the waker is the opener's, so there is nothing to take back.
        if self.code().is_none() {
            // SAFETY: an armed key is registered, here, by the caller's duty.
            unsafe { place.leave() };
        }
    }
}

/// # Panics
/// When `code` does not stand for an open latch.
#[inline(always)]
const fn checked(code: u32) -> u32 {
    assert!(
        code > RESERVED,
        "the codes 0 and 1 stand for a latch that is not open"
    );
    code
}

#[cfg(feature = "std")]
mod threads {
    use super::{Latch, Ordering, RESERVED, Word};
    use crate::sync::mutant;
    use crate::wait::park::{Sleep, pass_time};
    use crate::wait::{Deadline, Strategy};

    impl Latch {
        /// Waits as a thread until it is open, and gives the code; `None` when the deadline passes first.
        ///
        /// # Progress and cost
        /// Blocks on purpose. Time is passed by `strategy`; then the thread sleeps, and costs nothing.
        #[inline]
        pub fn wait(&self, strategy: &(impl Strategy + ?Sized), deadline: Deadline) -> Option<u32> {
            self.code().or_else(|| {
                pass_time(
                    strategy,
                    deadline,
                    None,
                    &mut || self.code(),
                    |deadline, _| {
                        self.sleep(deadline);
                        Sleep::Over
                    },
                )
            })
        }

        /// H1, H2.
        #[cold]
        fn sleep(&self, deadline: Deadline) {
            if !self.near.word().has(Word::THREADS)
                && !mutant("latch H1")
                && self.near.mark(Word::THREADS).has(Word::CLOSED)
            {
                return;
            }
            let left = deadline.remaining();
            if left.is_some_and(|left| left.is_zero()) {
                return;
            }
            // ORDERING: Relaxed; the state is looked at again with Acquire before anything is read.
            let state = self.state.load(Ordering::Relaxed);
            if state <= RESERVED {
                self.blocker.wait(&self.state, state, left);
            }
        }
    }
}

// By I4 nothing is half-changed while a waker runs, so no panic leaves anything broken to be seen.
impl UnwindSafe for Latch {}
impl RefUnwindSafe for Latch {}

impl Default for Latch {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Latch {
    /// Drops the wakers of futures that were leaked; when one panics, the others are woken instead, which does no harm.
    fn drop(&mut self) {
        if self.near.word().has(Word::CLOSED) {
            return;
        }
        // SAFETY: it was not closed before, and nobody else has it any more.
        let word = unsafe { self.near.close() };
        // SAFETY: closed just now.
        unsafe { Sweep::new(&self.near, word, &self.far) }.for_each(drop);
    }
}

impl fmt::Debug for Latch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Latch")
            .field("code", &self.code())
            .field("waiters", &self.near.word())
            .finish_non_exhaustive()
    }
}

/// For the crates of this workspace: a task's claim on a seat of one latch; idle to begin with.
///
/// Dropping an armed key leaves its waker in the latch until that opens or ends.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct LatchKey {
    place: Option<Place>,
}

// SAFETY: the pointers in it are used only together with the latch, by its unsafe methods, and what they point to is
// synchronised by the group's word.
unsafe impl Send for LatchKey {}
// SAFETY: as above; a shared key allows nothing.
unsafe impl Sync for LatchKey {}

// As for the latch.
impl UnwindSafe for LatchKey {}
impl RefUnwindSafe for LatchKey {}

/// Waits for a latch; see [`Latch::opened`]. May be polled again after it was ready.
#[must_use = "futures do nothing unless polled"]
pub struct Opened<'a> {
    latch: &'a Latch,
    key: LatchKey,
}

impl Future for Opened<'_> {
    type Output = u32;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u32> {
        let Self { latch, key } = self.get_mut();
        // SAFETY: the key is used with this latch only, which the borrow keeps in place.
        unsafe { latch.poll(key, cx) }
    }
}

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        // SAFETY: as in `poll`.
        unsafe { self.latch.cancel(&mut self.key) };
    }
}

impl fmt::Debug for Opened<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Opened").field(&self.latch).finish()
    }
}
