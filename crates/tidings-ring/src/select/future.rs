//! Selecting as a task.

use super::{
    SelectError, Selectable, Selector,
    rota::{Rota, take_back},
};
use core::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};
use tidings_core::wait::TaskKey;

/// The task's form of [`select`](crate::select()), on any runtime.
///
/// For a loop rather keep a [`Selector`], by which turns are exact.
///
/// # Progress and cost
/// As [`Selector::select_async`], but for whom the 128 answers are counted: for each of those that are selected from.
///
/// # Panics
/// As [`Selector::select_async`].
///
/// # Cancel safety
/// Nothing is received by it, so dropping the future loses nothing.
///
/// # Examples
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
/// # runtime.block_on(async {
/// use tidings_ring::{channel, select_async, value_channel};
/// let (mut ticks, subscribable) = channel::<u64>(8);
/// let mut numbers = subscribable.subscribe();
/// let (_lines, subscribable) = value_channel::<String>(8);
/// let lines = subscribable.subscribe();
/// ticks.publish(7);
/// assert_eq!(select_async([&lines, &numbers]).await, 1);
/// assert_eq!(numbers.try_recv(), Ok(7));
/// # });
/// ```
pub fn select_async<'a, const N: usize>(among: [&'a dyn Selectable; N]) -> SelectFuture<'a, N> {
    SelectFuture::new(Whose::Own(Rota::once(N)), among)
}

impl Selector {
    /// The task's form of `select`, on any runtime.
    ///
    /// It is ready at once while one of them is, but after 128 answers of this selector in a row it is pending once, so that
    /// other tasks of its thread run. ([`try_select`](Self::try_select) does not count.)
    ///
    /// # Progress and cost
    /// A poll that finds one ready registers nothing, and allocates nothing. Otherwise the waker is registered with each: from
    /// then on the publishers of those rings pay a fence for every message. A ring allocates room for more wakers than ever
    /// before, and keeps it.
    ///
    /// # Panics
    /// When a waker's clone or destructor does. Everything is taken back, at the latest when the future is dropped.
    /// An empty array does not compile.
    ///
    /// # Cancel safety
    /// Nothing is received by it, so dropping the future loses nothing, neither a message nor a turn; its wakers are gone.
    ///
    /// # Examples
    /// ```
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # runtime.block_on(async {
    /// use tidings_ring::{Selector, channel_bounded};
    /// let (mut ticks, subscribable) = channel_bounded::<u64>(8, 0);
    /// let mut numbers = subscribable.subscribe();
    /// let (mut words, subscribable) = channel_bounded::<char>(8, 0);
    /// let mut letters = subscribable.subscribe();
    /// ticks.publish_batch(&[1, 2]);
    /// words.publish_batch(&['a', 'b']);
    /// let (mut selector, mut order) = (Selector::new(), Vec::new());
    /// while order.len() < 4 {
    ///     let which = selector.select_async([&numbers, &letters]).await;
    ///     match which {
    ///         0 => assert!(numbers.try_recv().is_ok()),
    ///         _ => assert!(letters.try_recv().is_ok()),
    ///     }
    ///     order.push(which);
    /// }
    /// assert_eq!(order, [0, 1, 0, 1]);
    /// # });
    /// ```
    pub fn select_async<'a, const N: usize>(
        &'a mut self,
        among: [&'a dyn Selectable; N],
    ) -> SelectFuture<'a, N> {
        SelectFuture::new(Whose::Kept(&mut self.rota), among)
    }

    /// [`select_async`](Self::select_async) from a list that is known at run time only. An empty one gives a [`SelectError`].
    ///
    /// # Progress and cost
    /// As [`select_async`](Self::select_async), with one more allocation when the list is longer than any before.
    ///
    /// # Panics
    /// As [`select_async`](Self::select_async).
    ///
    /// # Cancel safety
    /// As [`select_async`](Self::select_async).
    ///
    /// # Examples
    /// ```
    /// # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    /// # runtime.block_on(async {
    /// use tidings_ring::{SelectError, Selector, channel};
    /// let (mut publisher, subscribable) = channel::<u64>(4);
    /// let subscribers = [subscribable.subscribe(), subscribable.subscribe()];
    /// let mut selector = Selector::new();
    /// publisher.publish(1);
    /// assert_eq!(selector.select_list_async(&subscribers).await, Ok(0));
    /// assert_eq!(selector.select_list_async(&subscribers[2..]).await, Err(SelectError));
    /// # });
    /// ```
    pub fn select_list_async<'a, S: Selectable>(
        &'a mut self,
        among: &'a [S],
    ) -> SelectListFuture<'a, S> {
        self.forget_places(among.len());
        SelectListFuture {
            selector: self,
            among,
        }
    }

    /// Keys for `count` places. What a future that was leaked has left in them stays registered until it is woken.
    pub(super) fn forget_places(&mut self, count: usize) {
        self.keys.clear();
        self.keys.resize_with(count, TaskKey::default);
    }
}

/// Who keeps the turns.
enum Whose<'a> {
    Own(Rota),
    Kept(&'a mut Rota),
}

/// Waits for one of several; see [`select_async`] and [`Selector::select_async`].
#[must_use = "futures do nothing unless polled"]
pub struct SelectFuture<'a, const N: usize> {
    rota: Whose<'a>,
    among: [&'a dyn Selectable; N],
    keys: [TaskKey; N],
}

impl<'a, const N: usize> SelectFuture<'a, N> {
    fn new(rota: Whose<'a>, among: [&'a dyn Selectable; N]) -> Self {
        const { assert!(N > 0, "there is nothing to select from") };
        Self {
            rota,
            among,
            keys: core::array::from_fn(|_| TaskKey::default()),
        }
    }
}

impl<const N: usize> Future for SelectFuture<'_, N> {
    type Output = usize;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<usize> {
        let Self { rota, among, keys } = self.get_mut();
        let rota = match rota {
            Whose::Own(rota) => rota,
            Whose::Kept(rota) => rota,
        };
        rota.poll(&among[..], keys, cx)
    }
}

impl<const N: usize> Drop for SelectFuture<'_, N> {
    fn drop(&mut self) {
        take_back(&self.among, &mut self.keys);
    }
}

impl<const N: usize> fmt::Debug for SelectFuture<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SelectFuture")
            .field("among", &N)
            .finish_non_exhaustive()
    }
}

/// Waits for one of a list; see [`Selector::select_list_async`].
#[must_use = "futures do nothing unless polled"]
pub struct SelectListFuture<'a, S: Selectable> {
    selector: &'a mut Selector,
    among: &'a [S],
}

impl<S: Selectable> Future for SelectListFuture<'_, S> {
    type Output = Result<usize, SelectError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { selector, among } = self.get_mut();
        if among.is_empty() {
            return Poll::Ready(Err(SelectError));
        }
        let Selector { rota, keys, .. } = &mut **selector;
        rota.poll(among, keys, cx).map(Ok)
    }
}

impl<S: Selectable> Drop for SelectListFuture<'_, S> {
    fn drop(&mut self) {
        take_back(self.among, &mut self.selector.keys);
    }
}

impl<S: Selectable> fmt::Debug for SelectListFuture<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SelectListFuture")
            .field("among", &self.among.len())
            .finish_non_exhaustive()
    }
}
