//! Seats beyond the first group: tables of groups, each table twice as large as the one before it.
//!
//! ```text
//! States    `newest`: null · a table, which leads to the older ones · the same pointer with its low bit set: sealed
//! Grow      the first time: G1 set GROWN in the first group   G2 CLOSED? the latch is open
//!           then: G3 exchange `newest` for a table that leads to it, AcqRel; sealed? the latch is open
//! Seal      S1 (the closer saw GROWN in the first group) set the low bit, AcqRel; no table is added after that
//! I1        a closer that does not see GROWN closed the first group before any G1, whose maker then sees CLOSED
//! I2        a table that was added is seen by S1 (G3 before S1 in `newest`), one that was not is never used
//! I3        tables live as long as the latch
//! Search    Q1 in the table of the last search, a group that depends on where the waiter's key lies, so that a task finds the
//!           seat of its last wait again, in its own cache   Q2 in that table, from where the last search ended, round to
//!           there: first comers sit, and are woken, in their order   Q3 the other tables likewise; when all groups
//!           were seen full, a table is added. So all tables together hold, the first one apart, fewer than three times as
//!           many seats as were taken at once, or were taken and left while one search went by
//! Pairs     G3→S1, G3→the loads of `newest`: the table is published before its pointer
//! Progress  lock-free: an exchange fails only because another one succeeded; a search looks at no group more than four times
//! Source    the spreading of Q1: multiplicative hashing, D. E. Knuth, The Art of Computer Programming, vol. 3, 6.4
//! ```
#![allow(
    unsafe_code,
    reason = "tables are reached through a pointer that carries the seal"
)]

use super::group::{Claim, Group};
use super::word::Word;
use crate::CachePadded;
use crate::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use crate::sync::{mutant, ordering};
use alloc::boxed::Box;
use core::ptr;

/// A group as the tables hold it: with its word, two cache lines of the usual size.
pub(super) type FarGroup = Group<{ Word::MOST_SEATS }>;

/// Groups in the first table; a power of two.
const FIRST_GROUPS: usize = if cfg!(any(loom, shuttle)) { 1 } else { 4 };

const _: () = assert!(FIRST_GROUPS.is_power_of_two());

/// Low bit of `newest`.
const SEALED: usize = 1;

/// A table and, behind it, the older ones.
pub(super) struct Table {
    groups: Box<[CachePadded<FarGroup>]>,
    /// So many of the groups have been used; a hint, which may fall back.
    opened: AtomicUsize,
    /// Where the last search ended; a hint.
    cursor: AtomicUsize,
    older: *mut Table,
}

const _: () = assert!(align_of::<Table>() > SEALED);

/// All tables of a latch.
pub(super) struct Tables {
    newest: AtomicPtr<Table>,
    /// Where the last search ended; a hint, null at first.
    current: AtomicPtr<Table>,
}

impl Table {
    fn new(older: *mut Self, groups: usize) -> Box<Self> {
        Box::new(Self {
            groups: (0..groups)
                .map(|_| CachePadded::new(Group::new()))
                .collect(),
            opened: AtomicUsize::new(FIRST_GROUPS),
            cursor: AtomicUsize::new(0),
            older,
        })
    }

    /// Q1, Q2.
    fn claim(&self, key: usize) -> Claim {
        // ORDERING: Relaxed, here and below; the groups are there, the numbers are hints.
        let opened = self.opened.load(Ordering::Relaxed);
        match self.groups[spread(key, opened)].claim() {
            Claim::Full => {}
            found => return found,
        }
        // ORDERING: Relaxed; see above.
        let cursor = self.cursor.load(Ordering::Relaxed);
        for step in 0..self.groups.len() {
            let index = (cursor + step) & (self.groups.len() - 1);
            match self.groups[index].claim() {
                Claim::Full => {}
                found => {
                    if step > 0 {
                        self.advance(index, opened);
                    }
                    return found;
                }
            }
        }
        Claim::Full
    }

    fn advance(&self, index: usize, opened: usize) {
        // ORDERING: Relaxed; a hint.
        self.cursor.store(index, Ordering::Relaxed);
        if index >= opened {
            // ORDERING: Relaxed; a hint.
            self.opened.store(index + 1, Ordering::Relaxed);
        }
    }
}

impl Tables {
    #[cfg(not(any(loom, shuttle)))]
    pub(super) const fn new() -> Self {
        Self {
            newest: AtomicPtr::new(ptr::null_mut()),
            current: AtomicPtr::new(ptr::null_mut()),
        }
    }

    #[cfg(any(loom, shuttle))]
    pub(super) fn new() -> Self {
        Self {
            newest: AtomicPtr::new(ptr::null_mut()),
            current: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// The newest table, if there is one that is not sealed.
    #[inline]
    fn newest(&self) -> *mut Table {
        // ORDERING: Acquire pairs with G3: the table was filled in before.
        self.newest.load(Ordering::Acquire)
    }

    /// Whether nothing has ever been added.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.newest().is_null()
    }

    /// A seat in one of the tables, or in one that is added; never [`Claim::Full`]. `near` is the first group.
    pub(super) fn claim<const N: usize>(&self, key: usize, near: &Group<N>) -> Claim {
        let mut newest = self.newest();
        loop {
            if newest.addr() & SEALED != 0 {
                return Claim::Closed;
            }
            match self.search(newest, key) {
                Claim::Full => {}
                found => return found,
            }
            // G1, G2
            if newest.is_null()
                && !mutant("table G1")
                && near.mark(Word::GROWN).has(Word::CLOSED)
                && !mutant("table G2")
            {
                return Claim::Closed;
            }
            newest = self.grow(newest);
        }
    }

    /// Q1 to Q3, in the tables from `newest` on.
    fn search(&self, newest: *mut Table, key: usize) -> Claim {
        // ORDERING: Acquire pairs with the store below: whoever stored the pointer had seen the table filled in.
        let current = self.current.load(Ordering::Acquire);
        let mut next = newest;
        let mut table = if current.is_null() { newest } else { current };
        loop {
            // SAFETY: by I3 what was a table once is one while `self` is borrowed; null is none.
            let Some(found) = (unsafe { table.as_ref() }) else {
                return Claim::Full;
            };
            match found.claim(key) {
                Claim::Full => {}
                claim => {
                    if table != current {
                        // ORDERING: Release; see above.
                        self.current.store(table, Ordering::Release);
                    }
                    return claim;
                }
            }
            table = next;
            // SAFETY: as above.
            if let Some(next_table) = unsafe { next.as_ref() } {
                next = next_table.older;
            }
        }
    }

    /// G3: adds a table in front of `newest`; returns what is the newest one then.
    #[cold]
    fn grow(&self, newest: *mut Table) -> *mut Table {
        // SAFETY: as in `search`.
        let last = unsafe { newest.as_ref() };
        let groups = last.map_or(FIRST_GROUPS, |last| last.groups.len() * 2);
        let table = Box::into_raw(Table::new(newest, groups));
        // ORDERING: AcqRel. Release publishes the table; Acquire, also on failure, because the result is looked into.
        match self.newest.compare_exchange(
            newest,
            table,
            ordering("table G3", Ordering::AcqRel),
            Ordering::Acquire,
        ) {
            Ok(_) => table,
            Err(now) => {
                // SAFETY: the table came from a box and was shown to nobody.
                drop(unsafe { Box::from_raw(table) });
                now
            }
        }
    }

    /// S1; the groups of all tables from then on.
    pub(super) fn seal(&self) -> Groups<'_> {
        let mut newest = self.newest();
        if mutant("table S1") {
            return Groups::new(self, newest);
        }
        loop {
            let sealed = newest.map_addr(|address| address | SEALED);
            // ORDERING: AcqRel. Acquire, also on failure, because the tables are looked into; Release so that who finds the
            // seal sees the state of the latch.
            match self.newest.compare_exchange_weak(
                newest,
                sealed,
                Ordering::AcqRel,
                Ordering::Acquire,
            ) {
                Ok(_) => return Groups::new(self, newest),
                Err(now) => newest = now,
            }
        }
    }
}

/// A number below `range` that depends on all bits of a key, which may lie close to others, or a power of two apart.
const fn spread(key: usize, range: usize) -> usize {
    /// 2^32 divided by the golden ratio, made odd.
    const GOLDEN: u32 = 0x9e37_79b9;
    // Keys are aligned; the upper half is folded in where there is one.
    let key = key / align_of::<usize>();
    let key = (key ^ (key >> (usize::BITS / 2))) as u32;
    ((key.wrapping_mul(GOLDEN) as u64 * range as u64) >> u32::BITS) as usize
}

/// Goes through the groups of all tables, newest first.
pub(super) struct Groups<'a> {
    table: Option<&'a Table>,
    next: usize,
}

impl<'a> Groups<'a> {
    fn new(_tables: &'a Tables, newest: *mut Table) -> Self {
        let newest = newest.map_addr(|address| address & !SEALED);
        Self {
            // SAFETY: by I3 the table lives as long as the borrow of `tables`.
            table: unsafe { newest.as_ref() },
            next: 0,
        }
    }

    /// No groups.
    pub(super) const fn none() -> Self {
        Self {
            table: None,
            next: 0,
        }
    }
}

impl<'a> Iterator for Groups<'a> {
    type Item = &'a FarGroup;

    fn next(&mut self) -> Option<&'a FarGroup> {
        loop {
            let table = self.table?;
            if let Some(group) = table.groups.get(self.next) {
                self.next += 1;
                return Some(group);
            }
            // SAFETY: as in `new`; an older table lives as long as the one that leads to it.
            self.table = unsafe { table.older.as_ref() };
            self.next = 0;
        }
    }
}

impl Drop for Tables {
    fn drop(&mut self) {
        let mut table = self.newest().map_addr(|address| address & !SEALED);
        while !table.is_null() {
            // SAFETY: each table came from a box, and by the exclusive borrow nobody looks into it any more.
            let boxed = unsafe { Box::from_raw(table) };
            table = boxed.older;
        }
    }
}
