//! Selecting as a thread.

use super::{SelectError, SelectTimeoutError, Selectable, Selector, rota::Rota};
use std::time::{Duration, Instant};
use tidings_core::wait::{Deadline, Strategy, TaskKey};

/// Waits until one of these is ready, and says which, by its index. Where several are, each gets its turn now and then.
///
/// For a loop rather keep a [`Selector`], by which turns are exact and which does not allocate each time.
///
/// # Progress and cost
/// As [`Selector::select`]; where none is ready at once it allocates once.
///
/// # Panics
/// As [`Selector::select`]. An empty array does not compile.
///
/// # Examples
/// ```
/// use tidings_ring::{channel, channel_bounded, select};
/// let (mut ticks, subscribable) = channel::<u64>(8);
/// let mut numbers = subscribable.subscribe();
/// let (mut words, subscribable) = channel_bounded::<char>(8, 0);
/// let mut letters = subscribable.subscribe();
///
/// std::thread::scope(|scope| {
///     scope.spawn(move || ticks.publish(7));
///     assert_eq!(select([&letters, &numbers]), 1);
/// });
/// assert_eq!(numbers.try_recv(), Ok(7));
/// words.publish('a');
/// assert_eq!(select([&letters]), 0);
/// assert_eq!(letters.try_recv(), Ok('a'));
/// ```
#[must_use = "it says which is ready"]
pub fn select<const N: usize>(among: [&dyn Selectable; N]) -> usize {
    once::<N>().select(among)
}

/// [`select`] that gives up after `timeout`; `None` then. `Duration::MAX` is for ever.
#[must_use = "it says which is ready"]
pub fn select_timeout<const N: usize>(
    among: [&dyn Selectable; N],
    timeout: Duration,
) -> Option<usize> {
    once::<N>().select_timeout(among, timeout)
}

/// [`select`] that gives up at `deadline`; `None` then. What is ready is found also when the deadline has passed.
#[must_use = "it says which is ready"]
pub fn select_deadline<const N: usize>(
    among: [&dyn Selectable; N],
    deadline: Instant,
) -> Option<usize> {
    once::<N>().select_deadline(among, deadline)
}

fn once<const N: usize>() -> Selector {
    Selector {
        rota: Rota::once(N),
        ..Selector::default()
    }
}

impl Selector {
    /// Waits until one of these is ready, and says which, by its index. A thread's form: it blocks.
    ///
    /// # Progress and cost
    /// One that is ready is found at once. Otherwise the thread looks at all of them, again and again, for as long as the wait
    /// strategy does not sleep (this costs publishers nothing); before it sleeps it registers with each, as a task does. From the
    /// first time on the publishers of those rings pay a fence for every message, also when nobody waits any more; strategies
    /// that never sleep spare them that. Allocates in the first wait only.
    ///
    /// # Panics
    /// When the strategy does; nothing stays registered, and the selector can be used on. An empty array does not compile.
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::{Selector, channel, value_channel};
    /// let (mut ticks, subscribable) = channel::<u64>(8);
    /// let mut numbers = subscribable.subscribe();
    /// let (lines, subscribable) = value_channel::<String>(8);
    /// let texts = subscribable.subscribe();
    /// let mut selector = Selector::new();
    /// std::thread::scope(|scope| {
    ///     scope.spawn(move || ticks.publish(7));
    ///     assert_eq!(selector.select([&texts, &numbers]), 1);
    /// });
    /// assert_eq!(numbers.try_recv(), Ok(7));
    /// # drop(lines);
    /// ```
    /// An empty array is refused by the compiler:
    /// ```compile_fail
    /// let _ = tidings_ring::Selector::new().select([]);
    /// ```
    #[must_use = "it says which is ready"]
    pub fn select<const N: usize>(&mut self, among: [&dyn Selectable; N]) -> usize {
        let strategy = self.strategy;
        self.select_with(strategy, among)
    }

    /// [`select`](Self::select) by a wait strategy of the caller's.
    #[must_use = "it says which is ready"]
    pub fn select_with<const N: usize>(
        &mut self,
        strategy: impl Strategy,
        among: [&dyn Selectable; N],
    ) -> usize {
        self.select_by(&strategy, among, Deadline::NEVER)
            .expect("it ends only when one is ready")
    }

    /// [`select`](Self::select) that gives up after `timeout`; `None` then. `Duration::MAX` is for ever.
    #[must_use = "it says which is ready"]
    pub fn select_timeout<const N: usize>(
        &mut self,
        among: [&dyn Selectable; N],
        timeout: Duration,
    ) -> Option<usize> {
        let strategy = self.strategy;
        self.select_by(&strategy, among, Deadline::after(timeout))
    }

    /// [`select`](Self::select) that gives up at `deadline`; `None` then. What is ready is found also when the deadline has
    /// passed.
    #[must_use = "it says which is ready"]
    pub fn select_deadline<const N: usize>(
        &mut self,
        among: [&dyn Selectable; N],
        deadline: Instant,
    ) -> Option<usize> {
        let strategy = self.strategy;
        self.select_by(&strategy, among, Deadline::at(deadline))
    }

    fn select_by<const N: usize>(
        &mut self,
        strategy: &impl Strategy,
        among: [&dyn Selectable; N],
        deadline: Deadline,
    ) -> Option<usize> {
        if let Some(index) = self.try_select(among) {
            return Some(index);
        }
        let mut keys: [TaskKey; N] = core::array::from_fn(|_| TaskKey::default());
        let Self { rota, bell, .. } = self;
        let found = bell.wait(rota, &among, &mut keys, strategy, deadline)?;
        Some(rota.answer(found))
    }

    /// [`select`](Self::select) from a list that is known at run time only.
    ///
    /// # Progress and cost
    /// As [`select`](Self::select), with one more allocation when a wait is among more than any before.
    ///
    /// # Errors
    /// [`SelectError`] when the list is empty: nothing could end the wait.
    ///
    /// # Panics
    /// As [`select`](Self::select).
    ///
    /// # Examples
    /// ```
    /// use tidings_ring::{SelectError, Selector, TryRecvError, channel_bounded};
    /// let (publishers, mut subscribers): (Vec<_>, Vec<_>) = (0..3)
    ///     .map(|_| channel_bounded::<u64>(4, 0))
    ///     .map(|(publisher, subscribable)| (publisher, subscribable.subscribe()))
    ///     .unzip();
    /// std::thread::scope(|scope| {
    ///     for mut publisher in publishers {
    ///         scope.spawn(move || (1..=10).for_each(|n| publisher.publish(n)));
    ///     }
    ///     let (mut selector, mut sum) = (Selector::new(), 0);
    ///     while let Ok(index) = selector.select_list(&subscribers) {
    ///         match subscribers[index].try_recv() {
    ///             Ok(n) => sum += n,
    ///             Err(TryRecvError::Closed) => drop(subscribers.remove(index)),
    ///             Err(_) => {}
    ///         }
    ///     }
    ///     assert_eq!(sum, 165);
    ///     assert_eq!(selector.select_list(&subscribers), Err(SelectError));
    /// });
    /// ```
    pub fn select_list<S: Selectable>(&mut self, among: &[S]) -> Result<usize, SelectError> {
        let strategy = self.strategy;
        self.select_list_with(strategy, among)
    }

    /// [`select_list`](Self::select_list) by a wait strategy of the caller's.
    ///
    /// # Errors
    /// As [`select_list`](Self::select_list).
    pub fn select_list_with<S: Selectable>(
        &mut self,
        strategy: impl Strategy,
        among: &[S],
    ) -> Result<usize, SelectError> {
        // Without a deadline there is no other error.
        self.select_list_by(&strategy, among, Deadline::NEVER)
            .map_err(|_| SelectError)
    }

    /// [`select_list`](Self::select_list) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// [`SelectTimeoutError`]: the time passed, or the list is empty, which is said at once.
    pub fn select_list_timeout<S: Selectable>(
        &mut self,
        among: &[S],
        timeout: Duration,
    ) -> Result<usize, SelectTimeoutError> {
        let strategy = self.strategy;
        self.select_list_by(&strategy, among, Deadline::after(timeout))
    }

    /// [`select_list`](Self::select_list) that gives up at `deadline`. What is ready is found also when the deadline has passed.
    ///
    /// # Errors
    /// As [`select_list_timeout`](Self::select_list_timeout).
    pub fn select_list_deadline<S: Selectable>(
        &mut self,
        among: &[S],
        deadline: Instant,
    ) -> Result<usize, SelectTimeoutError> {
        let strategy = self.strategy;
        self.select_list_by(&strategy, among, Deadline::at(deadline))
    }

    fn select_list_by<S: Selectable>(
        &mut self,
        strategy: &impl Strategy,
        among: &[S],
        deadline: Deadline,
    ) -> Result<usize, SelectTimeoutError> {
        if among.is_empty() {
            return Err(SelectTimeoutError::Nothing);
        }
        if let Some(index) = self.try_select_list(among) {
            return Ok(index);
        }
        self.forget_places(among.len());
        let Self {
            rota, bell, keys, ..
        } = self;
        bell.wait(rota, among, keys, strategy, deadline)
            .map(|index| rota.answer(index))
            .ok_or(SelectTimeoutError::Timeout)
    }
}
