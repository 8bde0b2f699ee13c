//! A value that is announced in any case.

use super::Announcer;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// Holds a value, and announces it when dropped, also while its thread unwinds from a panic. The value can be changed until
/// then.
///
/// # Panics
/// Its drop panics when a waker does, after everybody else was woken; while the thread unwinds already, that second panic is
/// discarded (without `std` it ends the program).
///
/// # Examples
///
/// ```
/// let (announcer, announcement) = tidings_oneshot::Announcement::new();
/// {
///     let mut done = announcer.on_drop("gave up");
///     *done = "finished";
/// }
/// assert_eq!(announcement.get(), Some(&"finished"));
/// ```
#[must_use = "dropping it announces the value at once"]
pub struct AnnounceOnDrop<T> {
    /// `None` once it was disarmed or has announced.
    armed: Option<(Announcer<T>, T)>,
}

impl<T> AnnounceOnDrop<T> {
    pub(super) const fn new(announcer: Announcer<T>, value: T) -> Self {
        Self {
            armed: Some((announcer, value)),
        }
    }

    /// Gives both back without announcing.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let held = announcer.on_drop(1);
    /// let (announcer, value) = tidings_oneshot::AnnounceOnDrop::disarm(held);
    /// assert!(!announcement.is_announced());
    /// announcer.announce(value + 1).unwrap();
    /// ```
    pub fn disarm(mut this: Self) -> (Announcer<T>, T) {
        this.armed.take().expect(ARMED)
    }

    /// The announcer, to see who listens.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let outcome = announcer.on_drop("done");
    /// drop(announcement);
    /// let announcer = tidings_oneshot::AnnounceOnDrop::announcer(&outcome);
    /// assert!(announcer.is_abandoned()); // nobody would hear it
    /// ```
    pub fn announcer(this: &Self) -> &Announcer<T> {
        &this.armed.as_ref().expect(ARMED).0
    }
}

/// Why there is a value to be had: only methods that consume the guard take it away.
const ARMED: &str = "armed until it is consumed";

impl<T> Deref for AnnounceOnDrop<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.armed.as_ref().expect(ARMED).1
    }
}

impl<T> DerefMut for AnnounceOnDrop<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.armed.as_mut().expect(ARMED).1
    }
}

impl<T> Drop for AnnounceOnDrop<T> {
    fn drop(&mut self) {
        if let Some((announcer, value)) = self.armed.take() {
            // Cannot fail: this is the only announcer.
            let _ = announcer.announce(value);
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for AnnounceOnDrop<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnnounceOnDrop").field(&**self).finish()
    }
}
