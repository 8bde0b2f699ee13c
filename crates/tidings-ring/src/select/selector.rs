//! What is kept from one selection to the next.

#[cfg(feature = "std")]
use super::bell::Bell;
use super::{Selectable, rota::Rota};
use alloc::vec::Vec;
use core::fmt;
use tidings_core::wait::TaskKey;
#[cfg(feature = "std")]
use tidings_core::wait::WaitStrategy;

/// Waits for one of several, again and again, and says which by its index; receives nothing itself.
///
/// It holds none of what it selects from: each call names them, so that between two calls they can be received from, added
/// and removed. What it keeps is whose turn it is: after index `i` was the answer the next search begins behind it (again at
/// the front, where the list ends before). So while two rings are always ready each gets every second answer, and among `n`
/// each gets an answer at least every `n` calls, as long as the list stays the same.
///
/// | form | few, named | a list known at run time only |
/// |---|---|---|
/// | does not wait | [`try_select`](Self::try_select) | [`try_select_list`](Self::try_select_list) |
/// | waits | [`select`](Self::select), [`select_with`](Self::select_with) | [`select_list`](Self::select_list), [`select_list_with`](Self::select_list_with) |
/// | gives up | [`select_timeout`](Self::select_timeout), [`select_deadline`](Self::select_deadline) | [`select_list_timeout`](Self::select_list_timeout), [`select_list_deadline`](Self::select_list_deadline) |
/// | as a task | [`select_async`](Self::select_async) | [`select_list_async`](Self::select_list_async) |
///
/// Few of any kinds are an array: `[&shutdown, &numbers, &texts]`; an empty one does not compile. A list is a slice of
/// subscribers of one type, or of references to [`dyn Selectable`](Selectable); with an empty one the forms that wait
/// return an error at once.
///
/// Several selectors, of several threads, may select from the same subscribers at the same time: each is told of what is ready.
///
/// # Progress and cost
/// A search looks at one word of each (and at whether the ring is closed, where there is nothing). The first wait allocates what
/// the selector sleeps by, a longer list than ever before the room for its places; nothing else does. What waiting costs
/// publishers is said at [`select`](Self::select).
///
/// # Closing
/// The end of a ring is an answer like a message, and stays one: leave the subscriber out of the next call, or end the loop.
///
/// # Examples
/// ```
/// # #[cfg(feature = "std")] {
/// use tidings_ring::{Selector, Shutdown, channel_bounded};
/// let (mut ticks, subscribable) = channel_bounded::<u64>(4, 0);
/// let mut numbers = subscribable.subscribe();
/// let (mut words, subscribable) = channel_bounded::<char>(4, 0);
/// let mut letters = subscribable.subscribe();
/// let shutdown = Shutdown::new();
///
/// std::thread::scope(|scope| {
///     scope.spawn(|| {
///         (1..=9).for_each(|n| ticks.publish(n));
///         ('a'..='e').for_each(|letter| words.publish(letter));
///         shutdown.trigger();
///     });
///     let mut selector = Selector::new();
///     let (mut sum, mut text) = (0, String::new());
///     loop {
///         match selector.select([&numbers, &letters, &shutdown]) {
///             0 => sum += numbers.try_recv().unwrap_or(0),
///             1 => text.extend(letters.try_recv()),
///             _ => break,
///         }
///     }
///     sum += numbers.drain().sum::<u64>();
///     text.extend(letters.drain());
///     assert_eq!((sum, text.as_str()), (45, "abcde"));
/// });
/// # }
/// ```
#[derive(Default)]
pub struct Selector {
    pub(super) rota: Rota,
    /// The places among a list; idle between two calls, unless a future was leaked.
    pub(super) keys: Vec<TaskKey>,
    /// What a thread sleeps by, once one did.
    #[cfg(feature = "std")]
    pub(super) bell: Bell,
    /// How threads wait when the call does not say.
    #[cfg(feature = "std")]
    pub(super) strategy: WaitStrategy,
}

impl Selector {
    /// One that begins at index 0. Threads wait by the default strategy. Allocates nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// [`new`](Self::new), whose threads wait by `strategy`.
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::{Selector, Shutdown, WaitStrategy};
    /// let shutdown = Shutdown::new();
    /// let mut selector = Selector::with_strategy(WaitStrategy::Park);
    /// shutdown.trigger();
    /// assert_eq!(selector.select([&shutdown]), 0);
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    pub fn with_strategy(strategy: WaitStrategy) -> Self {
        Self {
            strategy,
            ..Self::default()
        }
    }

    /// Which of these is ready now; `None` when none is.
    ///
    /// # Progress and cost
    /// Wait-free. Nothing is registered, so publishers pay nothing for it.
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::{Selector, channel};
    /// let (mut one, subscribable) = channel::<u64>(4);
    /// let first = subscribable.subscribe();
    /// let (mut two, subscribable) = channel::<u64>(4);
    /// let second = subscribable.subscribe();
    /// let mut selector = Selector::new();
    /// assert_eq!(selector.try_select([&first, &second]), None);
    /// one.publish(1);
    /// two.publish(2);
    /// let turns = [(); 4].map(|()| selector.try_select([&first, &second]));
    /// assert_eq!(turns, [Some(0), Some(1), Some(0), Some(1)]);
    /// ```
    #[must_use = "it says which is ready"]
    pub fn try_select<const N: usize>(&mut self, among: [&dyn Selectable; N]) -> Option<usize> {
        const { assert!(N > 0, "there is nothing to select from") };
        self.try_select_list(&among)
    }

    /// Which of a list is ready now; `None` when none is, and when the list is empty.
    ///
    /// # Progress and cost
    /// As [`try_select`](Self::try_select).
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::{Selector, channel};
    /// let (mut publisher, subscribable) = channel::<u64>(4);
    /// let mut all: Vec<_> = (0..3).map(|_| subscribable.subscribe()).collect();
    /// publisher.publish(7);
    /// let mut selector = Selector::new();
    /// while let Some(index) = selector.try_select_list(&all) {
    ///     assert_eq!(all.remove(index).try_recv(), Ok(7));
    /// }
    /// assert!(all.is_empty());
    /// ```
    #[must_use = "it says which is ready"]
    pub fn try_select_list<S: Selectable>(&mut self, among: &[S]) -> Option<usize> {
        let index = self.rota.find(among)?;
        Some(self.rota.answer(index))
    }
}

impl fmt::Debug for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Selector")
            .field("next", &self.rota.next())
            .finish_non_exhaustive()
    }
}
