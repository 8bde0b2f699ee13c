//! The value, owned together.

use crate::board::Board;
use crate::region::{Listening, Strong};
use core::fmt;
use core::ops::Deref;

/// A guard on the value of a channel: keeps it alive after every other handle is gone.
///
/// It counts as a listener. A clone is one read-modify-write and asks nothing of `T`. Made by
/// [`Listener::guard`](crate::Listener::guard), [`Listener::into_guard`](crate::Listener::into_guard) and `listener.await`.
///
/// # Examples
///
/// ```
/// struct Table([u32; 3]); // not `Clone`
///
/// let (announcer, announcement) = tidings_oneshot::Announcement::new();
/// let listener = announcement.listener();
/// announcer.announce(Table([1, 2, 3])).ok().unwrap();
/// let guard = listener.into_guard().unwrap();
/// let other = guard.clone();
/// let sum = std::thread::spawn(move || other.0.iter().sum::<u32>());
/// assert_eq!(guard.0.len(), 3);
/// assert_eq!(sum.join().unwrap(), 6);
/// ```
pub struct Announced<T> {
    strong: Strong<T, Listening>,
}

impl<T> Announced<T> {
    /// The handle is given back when there is no value.
    pub(crate) fn new(strong: Strong<T, Listening>) -> Result<Self, Strong<T, Listening>> {
        if strong.is_announced() {
            Ok(Self { strong })
        } else {
            Err(strong)
        }
    }

    /// The value itself, when no other handle that could read it exists: no listener, guard,
    /// announcement or shared announcer. Weak listeners do not count, nor does an announcer that is still waking others.
    ///
    /// # Errors
    /// The guard is given back otherwise.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::{Announced, Announcement};
    /// let (announcer, announcement) = Announcement::new();
    /// let listener = announcement.listener();
    /// announcer.announce(vec![1, 2]).unwrap();
    /// let guard = listener.into_guard().unwrap();
    /// let guard = Announced::into_inner(guard).unwrap_err(); // the announcement could make listeners
    /// drop(announcement);
    /// assert_eq!(Announced::into_inner(guard).unwrap(), [1, 2]);
    /// ```
    pub fn into_inner(this: Self) -> Result<T, Self> {
        this.strong.into_inner().map_err(|strong| Self { strong })
    }

    /// Whether it guards the value of the channel of that board (of a listener, an announcement).
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::{Announced, Announcement};
    /// let (announcer, announcement) = Announcement::new();
    /// announcer.announce(1).unwrap();
    /// let guard = announcement.listener().into_guard().unwrap();
    /// assert!(Announced::same_channel(&guard, &announcement));
    /// ```
    #[must_use]
    pub fn same_channel(this: &Self, board: &Board<T>) -> bool {
        this.strong.same_channel(board)
    }
}

impl<T> Deref for Announced<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // A guard is made of a value that is there, and none is ever taken away from a guard.
        self.strong.get().expect("a guard holds a value")
    }
}

impl<T> AsRef<T> for Announced<T> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T> Clone for Announced<T> {
    /// Another guard on the same value.
    ///
    /// # Panics
    /// When the channel has 2^31 listeners and guards.
    #[inline]
    fn clone(&self) -> Self {
        Self {
            strong: self.strong.clone(),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Announced<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Announced").field(&**self).finish()
    }
}
