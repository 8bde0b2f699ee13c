//! Wakers that wait for an event.
//!
//! ```text
//! States    a slab of entries under one lock; an entry is free, or holds a waker and the ticket of its key
//! Register  R1 clone the waker, unlocked   R2 lock: put it into the key's entry, or a free one   R3 unlock, drop the old
//! Take      K1 lock: exchange the slab for an empty one   K2 unlock, wake each   K3 lock: keep the emptied slab for later
//! Cancel    C1 lock: empty the key's entry   C2 unlock, drop the waker
//! I1        a ticket is used once in the life of a list, so a key whose entry was taken or reused finds nothing
//! I2        a key is used only with the list whose number it carries
//! I3        no waker is cloned, woken or dropped while the lock is held
//! I4        steady use allocates nothing: emptied slabs are kept, at most one for each notifier that ran at the same time
//! Pairs     the lock, in all three; nothing else is shared
//! Progress  blocking, for a few instructions
//! Source    none: a list under a lock, whose critical sections run no user's code (I3)
//! ```

use super::quiet::wake_quietly;
use crate::sync::{Lock, unique_id};
use alloc::vec::Vec;
use core::mem;
use core::task::Waker;

/// A task's claim on its place among those who wait for an event; idle to begin with.
///
/// Keep it in the future that waits, and give it to [`Event::cancel`](super::Event::cancel) when that future is dropped.
/// A key that is dropped while armed does no harm, but its waker, and with it perhaps the task, stays
/// alive until the next notification. A key that is armed on one event and then used with another leaves the first as if
/// it had been dropped.
///
/// # Examples
///
/// ```
/// use tidings_core::wait::TaskKey;
/// assert!(!TaskKey::default().is_armed());
/// ```
#[derive(Debug, Default)]
pub struct TaskKey {
    /// Number of the list, 0 while idle.
    list: usize,
    /// Index of the entry in the slab.
    entry: usize,
    ticket: u64,
}

impl TaskKey {
    /// Whether it has been registered and not cancelled since; a notification may have taken its waker meanwhile.
    #[inline]
    #[must_use]
    pub const fn is_armed(&self) -> bool {
        self.list != 0
    }
}

#[derive(Debug)]
struct Entry {
    /// The key that may touch this entry; meaningless while the waker is `None`.
    ticket: u64,
    waker: Option<Waker>,
}

/// What the lock guards.
#[derive(Debug)]
struct Slab {
    entries: Vec<Entry>,
    /// Indices of entries without a waker.
    free: Vec<usize>,
    last_ticket: u64,
    /// This list's number, 0 until somebody registers.
    number: usize,
    /// Emptied slabs that keep their room.
    spare: Vec<Vec<Entry>>,
}

/// The list of one event.
#[derive(Debug)]
pub(super) struct Tasks {
    slab: Lock<Slab>,
}

impl Slab {
    const fn new() -> Self {
        Self {
            entries: Vec::new(),
            free: Vec::new(),
            last_ticket: 0,
            number: 0,
            spare: Vec::new(),
        }
    }

    /// The waker of this key, if it is still there.
    fn find(&mut self, key: &TaskKey) -> Option<&mut Option<Waker>> {
        if key.list != self.number {
            return None;
        }
        let entry = self.entries.get_mut(key.entry)?;
        (entry.ticket == key.ticket && entry.waker.is_some()).then_some(&mut entry.waker)
    }

    /// Puts `waker` where the key points, or into a free entry to which the key then points. Returns what it replaced.
    fn put(&mut self, key: &mut TaskKey, waker: Waker) -> Option<Waker> {
        if key.is_armed() {
            if let Some(place) = self.find(key) {
                return place.replace(waker);
            }
        }
        if self.number == 0 {
            self.number = unique_id().get();
        }
        self.last_ticket += 1;
        let entry = Entry {
            ticket: self.last_ticket,
            waker: Some(waker),
        };
        *key = TaskKey {
            list: self.number,
            entry: self.free.pop().unwrap_or(self.entries.len()),
            ticket: self.last_ticket,
        };
        match self.entries.get_mut(key.entry) {
            Some(place) => mem::replace(place, entry).waker,
            None => {
                self.entries.push(entry);
                None
            }
        }
    }

    fn remove(&mut self, key: &TaskKey) -> Option<Waker> {
        let waker = self.find(key)?.take();
        self.free.push(key.entry);
        waker
    }

    fn take(&mut self) -> Vec<Entry> {
        self.free.clear();
        let empty = self.spare.pop().unwrap_or_default();
        mem::replace(&mut self.entries, empty)
    }
}

impl Tasks {
    #[cfg(not(any(loom, shuttle)))]
    pub(super) const fn new() -> Self {
        Self {
            slab: Lock::new(Slab::new()),
        }
    }

    #[cfg(any(loom, shuttle))]
    pub(super) fn new() -> Self {
        Self {
            slab: Lock::new(Slab::new()),
        }
    }

    /// Makes sure that the next notifier gets a waker that wakes the same task as `waker`.
    pub(super) fn register(&self, key: &mut TaskKey, waker: &Waker) {
        if key.is_armed() && self.has_equal(key, waker) {
            return;
        }
        let clone = waker.clone(); // R1
        let old = self.slab.lock().put(key, clone); // R2, the guard ends with the statement
        drop(old); // R3
    }

    fn has_equal(&self, key: &TaskKey, waker: &Waker) -> bool {
        let mut slab = self.slab.lock();
        // will_wake compares two addresses and runs nobody's code.
        slab.find(key)
            .and_then(|place| place.as_ref())
            .is_some_and(|registered| registered.will_wake(waker))
    }

    /// Removes the waker of this key, if a notification has not taken it, and leaves the key idle.
    pub(super) fn cancel(&self, key: &mut TaskKey) {
        let key = mem::take(key);
        let waker = self.slab.lock().remove(&key); // C1, the guard ends with the statement
        drop(waker); // C2
    }

    /// Wakes everybody who is registered now, and nobody who registers meanwhile.
    pub(super) fn wake_all(&self) {
        let entries = self.slab.lock().take(); // K1
        let mut snapshot = Snapshot {
            entries,
            next: 0,
            origin: self,
        };
        while let Some(waker) = snapshot.next() {
            waker.wake(); // K2
        }
    }

    fn keep(&self, mut emptied: Vec<Entry>) {
        emptied.clear();
        if emptied.capacity() > 0 {
            self.slab.lock().spare.push(emptied); // K3
        }
    }
}

/// Wakers that have been taken and must all be woken.
struct Snapshot<'a> {
    entries: Vec<Entry>,
    next: usize,
    origin: &'a Tasks,
}

impl Snapshot<'_> {
    fn next(&mut self) -> Option<Waker> {
        while let Some(entry) = self.entries.get_mut(self.next) {
            self.next += 1;
            if let Some(waker) = entry.waker.take() {
                return Some(waker);
            }
        }
        None
    }
}

impl Drop for Snapshot<'_> {
    /// Goes on after a waker has panicked: the others must not sleep because of it.
    fn drop(&mut self) {
        while let Some(waker) = self.next() {
            wake_quietly(waker);
        }
        self.origin.keep(mem::take(&mut self.entries));
    }
}
