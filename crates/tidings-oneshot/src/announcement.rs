//! The factory of listeners.

use crate::announcer::Announcer;
use crate::board::Board;
use crate::error::ListenError;
use crate::listener::Listener;
use crate::region::bulk::Bulk;
use crate::region::{self, Making, Strong};
use crate::trace;
use crate::wait::Wait;
use core::fmt;
use core::future::IntoFuture;
use core::ops::Deref;

/// Makes listeners of one channel, at any time: before the announcement, after it, after a close.
///
/// Clones share the channel. It can itself be read and waited on, through [`Board`], without a listener.
///
/// # Examples
///
/// ```
/// use tidings_oneshot::Announcement;
///
/// let (announcer, announcement) = Announcement::new();
/// let early = announcement.listener();
/// announcer.announce(42).unwrap();
/// let late = announcement.listener();
/// assert_eq!((early.get(), late.get()), (Some(&42), Some(&42)));
/// ```
#[must_use = "an announcement is there to make listeners"]
pub struct Announcement<T> {
    strong: Strong<T, Making>,
}

impl<T> Announcement<T> {
    /// A new channel.
    ///
    /// # Progress and cost
    /// One allocation, which holds the value too.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// announcer.announce(std::rc::Rc::new(1)).unwrap(); // any type; handles of this one stay on their thread
    /// assert_eq!(**announcement.get().unwrap(), 1);
    /// ```
    #[allow(
        clippy::new_ret_no_self,
        reason = "the name that people know; a pair is what a channel is"
    )]
    pub fn new() -> (Announcer<T>, Self) {
        let (announcer, strong) = region::create();
        trace::created();
        (Announcer::new(announcer), Self { strong })
    }

    /// A new listener.
    ///
    /// # Progress and cost
    /// One read-modify-write.
    ///
    /// # Panics
    /// When the channel has 2^31 listeners and guards.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// announcer.announce(1).unwrap();
    /// assert_eq!(announcement.listener().get(), Some(&1)); // never too late
    /// ```
    #[inline]
    pub fn listener(&self) -> Listener<T> {
        Listener::new(self.strong.listener())
    }

    /// `n` new listeners, counted at once; those that are not taken out of the iterator are uncounted when it is dropped.
    ///
    /// # Progress and cost
    /// One read-modify-write for all of them, and one for those that are left at the end.
    ///
    /// # Panics
    /// When the channel would have more than 2^31 listeners and guards.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let listeners: Vec<_> = announcement.listeners(3).collect();
    /// announcer.announce('!').unwrap();
    /// assert!(listeners.iter().all(|listener| listener.get() == Some(&'!')));
    /// ```
    pub fn listeners(&self, n: usize) -> Listeners<T> {
        Listeners {
            bulk: self.strong.listeners(n),
        }
    }

    /// How many listeners and guards there are; another number by the time you look at it.
    ///
    /// # Examples
    ///
    /// ```
    /// let (_announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let listener = announcement.listener();
    /// assert_eq!(announcement.listener_count(), 1);
    /// drop(listener);
    /// assert_eq!(announcement.listener_count(), 0);
    /// ```
    #[must_use]
    pub fn listener_count(&self) -> usize {
        self.strong.listener_count()
    }

    /// The value itself, when it was announced and no other handle that could read it exists: no listener, guard,
    /// announcement or shared announcer. Weak listeners do not count, nor does an announcer that is still waking others.
    ///
    /// # Errors
    /// The announcement is given back otherwise.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let announcement = announcement.into_inner().unwrap_err(); // nothing was announced
    /// announcer.announce(vec![1, 2]).unwrap();
    /// assert_eq!(announcement.into_inner().unwrap(), [1, 2]);
    /// ```
    pub fn into_inner(self) -> Result<T, Self> {
        self.strong.into_inner().map_err(|strong| Self { strong })
    }
}

impl<T> Clone for Announcement<T> {
    /// Another factory of the same channel, for one read-modify-write.
    ///
    /// # Panics
    /// When the channel has 2^23 announcements.
    #[inline]
    fn clone(&self) -> Self {
        Self {
            strong: self.strong.clone(),
        }
    }
}

impl<T> Deref for Announcement<T> {
    type Target = Board<T>;

    #[inline(always)]
    fn deref(&self) -> &Board<T> {
        &self.strong
    }
}

impl<'a, T> IntoFuture for &'a Announcement<T> {
    type Output = Result<&'a T, ListenError>;
    type IntoFuture = Wait<'a, T>;

    /// [`Board::wait`].
    fn into_future(self) -> Wait<'a, T> {
        self.wait()
    }
}

impl<T> fmt::Debug for Announcement<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Announcement")
            .field("state", &self.state())
            .field("listeners", &self.listener_count())
            .finish()
    }
}

/// Listeners that were counted at once; [`Announcement::listeners`] makes it, and has an example.
#[must_use = "iterators are lazy"]
pub struct Listeners<T> {
    bulk: Bulk<T>,
}

impl<T> Iterator for Listeners<T> {
    type Item = Listener<T>;

    #[inline]
    fn next(&mut self) -> Option<Listener<T>> {
        self.bulk.next().map(Listener::new)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.bulk.left(), Some(self.bulk.left()))
    }
}

impl<T> ExactSizeIterator for Listeners<T> {}
impl<T> core::iter::FusedIterator for Listeners<T> {}

impl<T> fmt::Debug for Listeners<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listeners")
            .field("left", &self.bulk.left())
            .finish()
    }
}
