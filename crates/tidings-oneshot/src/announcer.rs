//! The end that announces.

use crate::board::Board;
use crate::error::{AnnounceError, UnheardError};
use crate::region::{Announcing, Strong};
use crate::state::CloseCause;
use crate::trace;
use core::fmt;
use core::mem::MaybeUninit;
use tidings_core::wait::Latch;

pub use abandoned::Abandoned;
pub use on_drop::AnnounceOnDrop;
pub use shared::SharedAnnouncer;

mod abandoned;
mod on_drop;
mod shared;
#[cfg(feature = "std")]
mod waiting;

/// Announces one value, once; dropping it closes the channel instead.
///
/// # Examples
///
/// ```
/// use tidings_oneshot::{Announcement, CloseCause};
///
/// let (announcer, announcement) = Announcement::<u8>::new();
/// drop(announcer);
/// assert_eq!(announcement.close_cause(), Some(CloseCause::Dropped));
/// ```
#[must_use = "dropping an announcer closes its channel"]
pub struct Announcer<T> {
    /// `None` once it has announced, closed or become something else: then its destructor has nothing to do.
    strong: Option<Strong<T, Announcing>>,
}

const _: () = assert!(size_of::<Announcer<[u64; 9]>>() == size_of::<usize>());

impl<T> Announcer<T> {
    #[inline]
    pub(crate) const fn new(strong: Strong<T, Announcing>) -> Self {
        Self {
            strong: Some(strong),
        }
    }

    /// Announces `value` to everybody who listens, now or later.
    ///
    /// Everybody can read the value before anybody is woken. If nobody can hear any more the value is dropped;
    /// [`announce_heard`](Self::announce_heard) gives it back instead.
    ///
    /// # Progress and cost
    /// Takes no lock (except, where the system has no futex and threads sleep, the one of a condition variable). While nobody
    /// waits, one read-modify-write, and one to give the announcer up; otherwise one system call for all threads together, the wake
    /// of each task, and one read-modify-write for every seven places that were made for tasks beyond the first two.
    ///
    /// # Memory ordering
    /// What this thread did before is seen by whoever gets the value.
    ///
    /// # Errors
    /// None: only the announcers that can be overtaken fail. The result is there for their sake.
    ///
    /// # Panics
    /// When a waker does, after everybody else was woken. The value is announced then.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let waiting = announcement.listener();
    /// let thread = std::thread::spawn(move || waiting.wait_blocking().copied());
    /// announcer.announce(1).unwrap();
    /// assert_eq!(thread.join().unwrap(), Ok(1));
    /// ```
    #[inline]
    pub fn announce(mut self, value: T) -> Result<(), AnnounceError<T>> {
        if let Some(strong) = self.strong.take() {
            let listeners = strong.listener_count();
            strong.announce(value);
            trace::announced(listeners);
        }
        Ok(())
    }

    /// Announces `value` if anybody can hear it, or make somebody who can; otherwise gives it back, and the channel ends.
    ///
    /// # Errors
    /// [`UnheardError`], with the value, when every listener, guard and announcement was gone. Success means that there was one
    /// at that moment; it may leave at the next.
    ///
    /// # Panics
    /// As [`announce`](Self::announce).
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// drop(announcement);
    /// assert_eq!(announcer.announce_heard("?").unwrap_err().into_inner(), "?");
    /// ```
    pub fn announce_heard(self, value: T) -> Result<(), UnheardError<T>> {
        if self.is_abandoned() {
            return Err(UnheardError(value));
        }
        self.announce(value)
            .map_err(|error| UnheardError(error.into_inner()))
    }

    /// Announces a value that `build` makes in the very place where it is read later, so that a large one is moved nowhere.
    ///
    /// `build` returns the reference that [`MaybeUninit::write`] gives, or the one it got after having filled it. No lock is
    /// held while it runs, and the channel is pending until it returns.
    ///
    /// # Progress and cost
    /// As [`announce`](Self::announce).
    ///
    /// # Panics
    /// When `build` does, or returns a reference to another place; the channel is closed then, and
    /// what was written is leaked. When a waker does, as [`announce`](Self::announce). A zero-sized `T` is refused by the compiler: there is nothing to build.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<[u8; 4096]>::new();
    /// announcer.announce_in_place(|place| place.write([7; 4096]));
    /// assert_eq!(announcement.get().unwrap()[4095], 7);
    /// ```
    pub fn announce_in_place(mut self, build: impl FnOnce(&mut MaybeUninit<T>) -> &mut T) {
        let listeners = self.listener_count();
        Strong::announce_in_place(&mut self.strong, build);
        trace::announced(listeners);
    }

    /// Closes the channel without a value; everybody who waits, now or later, is told so.
    ///
    /// # Progress and cost
    /// As [`announce`](Self::announce).
    ///
    /// # Panics
    /// When a waker does, after everybody else was woken.
    ///
    /// # Examples
    ///
    /// ```
    /// use tidings_oneshot::{Announcement, CloseCause, ListenError};
    ///
    /// let (announcer, announcement) = Announcement::<u8>::new();
    /// announcer.close();
    /// assert_eq!(announcement.wait_blocking(), Err(ListenError::Closed));
    /// assert_eq!(announcement.close_cause(), Some(CloseCause::Closed));
    /// ```
    pub fn close(mut self) {
        self.settle(CloseCause::Closed);
    }

    fn settle(&mut self, cause: CloseCause) {
        if let Some(strong) = self.strong.take() {
            strong.close(cause);
            trace::closed(cause);
        }
    }

    /// Announces `value` when the result is dropped, however that comes about, also by a panic.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let worker = std::thread::spawn(move || {
    ///     let _outcome = announcer.on_drop("failed");
    ///     panic!("bad luck");
    /// });
    /// assert_eq!(announcement.wait_blocking(), Ok(&"failed"));
    /// # assert!(worker.join().is_err());
    /// ```
    pub fn on_drop(self, value: T) -> AnnounceOnDrop<T> {
        AnnounceOnDrop::new(self, value)
    }

    /// An announcer that can be cloned, the first of which to announce or close wins.
    ///
    /// # Progress and cost
    /// One allocation, for the count of announcers.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::new();
    /// let shared = announcer.into_shared();
    /// std::thread::scope(|scope| {
    ///     for n in 1..=4 {
    ///         let shared = shared.clone();
    ///         scope.spawn(move || shared.announce(n));
    ///     }
    /// });
    /// assert!((1..=4).contains(announcement.get().unwrap())); // whoever was first
    /// ```
    pub fn into_shared(mut self) -> SharedAnnouncer<T> {
        let strong = self.strong.take();
        let strong = strong.expect("taken by methods that consume it");
        SharedAnnouncer::new(strong.share())
    }

    /// Whether nobody can hear any more: every listener, guard and announcement is gone. Once true it stays so.
    ///
    /// # Progress and cost
    /// One load.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let listener = announcement.listener();
    /// drop(announcement);
    /// assert!(!announcer.is_abandoned());
    /// drop(listener);
    /// assert!(announcer.is_abandoned());
    /// ```
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.strong
            .as_ref()
            .is_some_and(|strong| !strong.is_heard())
    }

    /// Waits as a task until nobody can hear any more.
    ///
    /// # Progress and cost
    /// The first call in a channel allocates once. The last one to go, of listeners, guards and announcements, wakes; a waker
    /// that panics does so there.
    ///
    /// # Cancel safety
    /// Dropping the future loses nothing and gives its waker back at once.
    ///
    /// # Examples
    ///
    /// ```
    /// # async fn example() {
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u64>::new();
    /// drop(announcement);
    /// announcer.abandoned().await; // no need to go on computing
    /// # }
    /// # assert!(std::pin::pin!(example()).poll(&mut std::task::Context::from_waker(std::task::Waker::noop())).is_ready());
    /// ```
    pub fn abandoned(&self) -> Abandoned<'_> {
        Abandoned::new(self.watch())
    }

    fn watch(&self) -> Option<&Latch> {
        self.strong.as_ref().and_then(Strong::watch)
    }

    /// How many listeners and guards there are; another number by the time you look at it.
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// let listeners: Vec<_> = announcement.listeners(3).collect();
    /// assert_eq!(announcer.listener_count(), listeners.len());
    /// ```
    #[must_use]
    pub fn listener_count(&self) -> usize {
        self.strong.as_ref().map_or(0, Strong::listener_count)
    }

    /// Whether it announces on the channel of that board (of a listener, an announcement).
    ///
    /// # Examples
    ///
    /// ```
    /// let (announcer, announcement) = tidings_oneshot::Announcement::<u8>::new();
    /// assert!(announcer.same_channel(&announcement.listener()));
    /// ```
    #[must_use]
    pub fn same_channel(&self, board: &Board<T>) -> bool {
        self.strong
            .as_ref()
            .is_some_and(|strong| strong.same_channel(board))
    }
}

impl<T> Drop for Announcer<T> {
    /// Closes the channel; the cause says whether a panic did it. A waker that panics while the thread unwinds already is let
    /// go of, so that the first panic goes on (without `std` a second panic ends the program).
    #[inline]
    fn drop(&mut self) {
        if self.strong.is_some() {
            self.settle(CloseCause::of_a_drop());
        }
    }
}

impl<T> fmt::Debug for Announcer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Announcer")
            .field("listeners", &self.listener_count())
            .field("abandoned", &self.is_abandoned())
            .finish()
    }
}
