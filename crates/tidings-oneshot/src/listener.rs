//! The ends that hear.

use crate::announced::Announced;
use crate::board::Board;
use crate::region::weak::Weak;
use crate::region::{Listening, Strong};
use core::fmt;
use core::ops::Deref;

/// Hears what is announced, early or late, any number of times; everything it can read is on [`Board`].
///
/// A clone hears the same. `listener.await` gives an owned guard, `(&listener).await` a reference.
///
/// # Examples
///
/// ```
/// use tidings_oneshot::Announcement;
///
/// let (announcer, announcement) = Announcement::new();
/// let listener = announcement.listener();
/// let thread = std::thread::spawn(move || listener.listen_blocking());
/// announcer.announce("heard").unwrap();
/// assert_eq!(thread.join().unwrap(), Ok("heard"));
/// ```
#[must_use = "a listener is there to listen"]
pub struct Listener<T> {
    strong: Strong<T, Listening>,
}

const _: () = assert!(size_of::<Option<Listener<[u64; 9]>>>() == size_of::<usize>());

impl<T> Listener<T> {
    #[inline(always)]
    pub(crate) const fn new(strong: Strong<T, Listening>) -> Self {
        Self { strong }
    }

    /// An owned guard on the value, if it was announced.
    ///
    /// # Progress and cost
    /// One read-modify-write; [`into_guard`](Self::into_guard) makes none.
    ///
    /// # Panics
    /// When the channel has 2^31 listeners and guards.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let listener = announcement.listener();
    /// assert!(listener.guard().is_none());
    /// announcer.announce(1).unwrap();
    /// assert_eq!(*listener.guard().unwrap(), 1);
    /// ```
    #[must_use]
    pub fn guard(&self) -> Option<Announced<T>> {
        if !self.is_announced() {
            return None;
        }
        self.clone().into_guard().ok()
    }

    /// Turns the listener into a guard on the value, which it keeps alive for itself.
    ///
    /// # Progress and cost
    /// One load.
    ///
    /// # Errors
    /// The listener is given back when there is no value.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let listener = announcement.listener();
    /// announcer.announce(String::from("kept")).unwrap();
    /// drop(announcement);
    /// let guard = listener.into_guard().unwrap();
    /// assert_eq!(&*guard, "kept");
    /// ```
    pub fn into_guard(self) -> Result<Announced<T>, Self> {
        Announced::new(self.strong).map_err(Self::new)
    }

    /// The value itself, when it was announced and no other handle that could read it exists: no listener, guard,
    /// announcement or shared announcer. Weak listeners do not count, nor does an announcer that is still waking others.
    ///
    /// # Errors
    /// The listener is given back otherwise.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let listener = announcement.listener();
    /// announcer.announce(vec![1, 2]).unwrap();
    /// let listener = listener.into_inner().unwrap_err(); // the announcement is another handle
    /// drop(announcement);
    /// assert_eq!(listener.into_inner().unwrap(), [1, 2]);
    /// ```
    pub fn into_inner(self) -> Result<T, Self> {
        self.strong.into_inner().map_err(Self::new)
    }

    /// A listener that keeps nothing alive. Of the channel it keeps the memory, but not the value.
    ///
    /// # Progress and cost
    /// One read-modify-write, the first one of a channel two.
    ///
    /// # Panics
    /// When the channel has 2^31 weak listeners.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let listener = announcement.listener();
    /// let weak = listener.downgrade();
    /// drop((announcement, listener));
    /// assert!(announcer.is_abandoned()); // the weak one does not count
    /// # drop(weak);
    /// ```
    #[must_use]
    pub fn downgrade(&self) -> WeakListener<T> {
        WeakListener {
            weak: self.strong.downgrade(),
        }
    }

    /// How many listeners and guards the channel has, this one included; another number by the time you look at it.
    ///
    /// # Examples
    ///
    /// ```
    /// let (_announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let listener = announcement.listener();
    /// let twin = listener.clone();
    /// assert_eq!(listener.listener_count(), 2);
    /// # drop(twin);
    /// ```
    #[must_use]
    pub fn listener_count(&self) -> usize {
        self.strong.listener_count()
    }
}

impl<T> Clone for Listener<T> {
    /// Another listener of the same channel, for one read-modify-write.
    ///
    /// # Panics
    /// When the channel has 2^31 listeners and guards.
    #[inline]
    fn clone(&self) -> Self {
        Self::new(self.strong.clone())
    }
}

impl<T> Deref for Listener<T> {
    type Target = Board<T>;

    #[inline(always)]
    fn deref(&self) -> &Board<T> {
        &self.strong
    }
}

impl<T> fmt::Debug for Listener<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener")
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

/// Remembers a channel without keeping it, its value or its announcer's interest alive.
///
/// It does not count as somebody who can hear. When the last listener, guard and announcement are gone the channel is
/// abandoned for good, and [`upgrade`](Self::upgrade) gives nothing.
///
/// # Examples
///
/// ```
/// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
/// let weak = announcement.listener().downgrade();
/// assert!(weak.upgrade().is_some());
/// drop(announcement);
/// assert!(weak.upgrade().is_none());
/// # drop(announcer);
/// ```
pub struct WeakListener<T> {
    weak: Weak<T>,
}

impl<T> WeakListener<T> {
    /// A listener, while somebody else can hear: a listener, a guard or an announcement exists. Works also after the
    /// announcement and after a close; in a map of what is under way, pass over those that are closed
    /// (`.filter(|listener| !listener.is_closed())`).
    ///
    /// # Progress and cost
    /// Lock-free: an exchange, repeated when another handle came or went at that moment.
    ///
    /// # Panics
    /// When the channel has 2^31 listeners and guards.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let listener = announcement.listener();
    /// let weak = listener.downgrade();
    /// announcer.announce(1).unwrap();
    /// assert_eq!(weak.upgrade().unwrap().get(), Some(&1));
    /// drop((announcement, listener));
    /// assert!(weak.upgrade().is_none()); // the value is gone
    /// ```
    #[must_use]
    pub fn upgrade(&self) -> Option<Listener<T>> {
        self.weak.upgrade().map(Listener::new)
    }
}

impl<T> Clone for WeakListener<T> {
    fn clone(&self) -> Self {
        Self {
            weak: self.weak.clone(),
        }
    }
}

impl<T> fmt::Debug for WeakListener<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeakListener").finish_non_exhaustive()
    }
}
