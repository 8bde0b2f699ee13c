//! An event: "something changed, look again", for any number of threads and tasks.
//!
//! ```text
//! States    one word, see state.rs: who waits (THREADS, TASKS), how notifiers fence (FENCED, SETTLED), epoch
//! Notify    N0 (the caller has stored its condition)   N1 light fence, load the word; quiet? done
//!           N2 fence SeqCst if FENCED, load again; nobody? done   N3 clear the waiters, epoch + 1, AcqRel
//!           N4 wake the threads in one call   N5 take the wakers, wake each
//! Wait      W1 set THREADS or TASKS (a task has put its waker into the list), AcqRel
//!           W2 fence SeqCst if the word was SETTLED, otherwise the heavy fence   W3 look at the condition again
//!           W4 thread: sleep while the word is what W1 left; task: return Pending
//! Flip      F1 the first task sets FENCED with W1   F2 heavy fence, which is its W2 too   F3 set SETTLED, Release
//! I1        of N0→load and W1→W3 at least one sees the other: in fenced mode by the two SeqCst fences, in light mode because
//!           the heavy fence W2 lies in every notifier either before N0 (then N1 sees W1) or after N1 (then W3 sees N0)
//! I2        who sees SETTLED in W1 may use a fence for W2: F2 lies in every notifier before its load (which then sees
//!           FENCED, and N2 runs) or after it (then N0 is visible to whoever acquires F3). FENCED alone would not do:
//!           between F1 and F2 a notifier may still miss both bits while a second task relies on a fence only
//! I3        a waiter that was not seen by N3 was not seen because it registered later; its W3 sees N0 by I1
//! I4        whoever loses N3 to another notifier may return: the winner wakes all whom the loser saw, and a waiter that
//!           registers after the loser's failed exchange is covered by I1, with that exchange as the load
//! Pairs     F3↔W1 (I2); W1↔N3 publishes the waker in the list; N3↔W1 publishes N0 to a waiter that registers again
//! Progress  notify wait-free while nobody waits, otherwise a lock and system calls; waiting blocks on purpose
//! Source    D. Vyukov, Eventcounts, 2008; asymmetric fences: see fence.rs
//! ```
//!
//! No model covers light mode and Flip: a checker knows no fence that one thread executes in all others, so events begin in
//! fenced mode there, and N2, W2, W3 are what the models and their mutants show. I2 and the light half of I1 rest on the
//! argument above, and on a litmus test that runs on the hardware.
//!
//! The epoch keeps a thread from sleeping through a notification between W1 and W4. It would have to come round by 2^28
//! notifications, each of which woke somebody, exactly while that thread is not running; the next one would wake it.

use super::block::Blocker;
use super::fence;
use super::state::State;
use super::tasks::{TaskKey, Tasks};
use crate::sync::atomic::{AtomicU32, Ordering};
use crate::sync::{self, mutant};
use core::fmt;
use core::task::{Context, Poll};

/// Lets any number of threads and tasks wait until a condition holds.
///
/// The event knows nothing of the condition. Whoever changes it calls [`notify`](Self::notify) afterwards; whoever waits
/// hands over a closure that looks at it. A notification reaches everybody who waits at that moment and nobody who begins
/// later; nothing is stored for those.
///
/// # Progress and cost
/// A notification that finds nobody is one load of a word that is then only read, after a compiler fence (where the kernel
/// offers `membarrier` and no task has ever waited) or a full fence. One that finds somebody makes one system call
/// for all threads, and wakes each task. Waiting allocates nothing once as many tasks have waited at the same time before.
///
/// # Memory ordering
/// A change made before `notify` is seen by the closure of every waiter that would otherwise go to sleep. What else the
/// closure may read is up to the loads that it makes itself: let it load with `Acquire` what was stored with `Release`.
///
/// # Panics
/// Panics of wakers, closures and strategies pass through; they leave the event usable, and no other waiter is left asleep.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "std")] {
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use tidings_core::wait::{Deadline, Event, WaitStrategy};
///
/// let event = Event::new();
/// let ready = AtomicBool::new(false);
/// std::thread::scope(|scope| {
///     scope.spawn(|| {
///         ready.store(true, Ordering::Release);
///         event.notify();
///     });
///     let look = || ready.load(Ordering::Acquire).then_some("ready");
///     let got = event.wait_until(&WaitStrategy::default(), Deadline::NEVER, look);
///     assert_eq!(got, Some("ready"));
/// });
/// # }
/// ```
pub struct Event {
    pub(super) state: AtomicU32,
    pub(super) blocker: Blocker,
    tasks: Tasks,
}

impl Event {
    /// An event for which nobody waits, in the mode that is cheapest for notifiers.
    ///
    /// The first call in a process may ask the kernel to register it for `membarrier`. For a `static`, see
    /// [`new_fenced`](Self::new_fenced).
    #[must_use]
    pub fn new() -> Self {
        if fence::is_asymmetric() {
            Self::with_state(State::LIGHT)
        } else {
            Self::new_fenced()
        }
    }

    /// An event for which nobody waits and whose notifiers always run a full fence; waiters then need no system call to
    /// register.
    #[cfg(not(any(loom, shuttle)))]
    #[must_use]
    pub const fn new_fenced() -> Self {
        Self::with_state(State::HEAVY)
    }

    /// An event for which nobody waits and whose notifiers always run a full fence.
    #[cfg(any(loom, shuttle))]
    #[must_use]
    pub fn new_fenced() -> Self {
        Self::with_state(State::HEAVY)
    }

    #[cfg(not(any(loom, shuttle)))]
    const fn with_state(bits: u32) -> Self {
        Self {
            state: AtomicU32::new(bits),
            blocker: Blocker::new(),
            tasks: Tasks::new(),
        }
    }

    #[cfg(any(loom, shuttle))]
    fn with_state(bits: u32) -> Self {
        Self {
            state: AtomicU32::new(bits),
            blocker: Blocker::new(),
            tasks: Tasks::new(),
        }
    }

    /// Wakes everybody who waits now. Call it after the change that they wait for.
    ///
    /// Wakers run on this thread, with no lock held; they may call back into this event. When one panics the others are
    /// woken first, then the panic goes on.
    #[inline]
    pub fn notify(&self) {
        if let Some(state) = self.glance() {
            self.notify_unquiet(state);
        }
    }

    /// Whether anybody waits, ordered after the caller's preceding stores as [`notify`](Self::notify) is.
    ///
    /// For a caller whose change matters to waiters only sometimes: look, decide, then notify. May say yes after
    /// the last waiter has given up.
    #[inline]
    #[must_use]
    pub fn is_awaited(&self) -> bool {
        match self.glance() {
            None => false,
            Some(state) => self.settle_view(state).is_awaited(),
        }
    }

    /// N1: the word, unless it is quiet.
    #[inline(always)]
    fn glance(&self) -> Option<State> {
        fence::light();
        let state = self.load();
        (!state.is_quiet()).then_some(state)
    }

    #[inline(always)]
    fn load(&self) -> State {
        // ORDERING: Relaxed; N1 and N2 are ordered by the fences before them (I1), and no data is read on its strength.
        State::new(self.state.load(Ordering::Relaxed))
    }

    /// N2: in fenced mode the word as it is after a full fence.
    #[inline]
    fn settle_view(&self, state: State) -> State {
        if !state.has(State::FENCED) {
            return state;
        }
        sync::fence(Ordering::SeqCst, "event N2");
        self.load()
    }

    /// Not cold: in fenced mode every notification comes here.
    #[inline(never)]
    fn notify_unquiet(&self, state: State) {
        let state = self.settle_view(state);
        if state.is_awaited() {
            self.wake(state);
        }
    }

    #[cold]
    #[inline(never)]
    fn wake(&self, mut state: State) {
        // ORDERING: N3 AcqRel pairs with W1 both ways: Acquire to find the wakers in the list, Release so that a waiter
        // that registers again sees N0. Relaxed on failure: then only the bits are looked at (I4).
        while let Err(now) = self.state.compare_exchange_weak(
            state.bits(),
            state.taken().bits(),
            Ordering::AcqRel,
            Ordering::Relaxed,
        ) {
            state = State::new(now);
            if !state.is_awaited() {
                return;
            }
        }
        if state.has(State::THREADS) {
            self.blocker.wake_all(&self.state); // N4
        }
        if state.has(State::TASKS) {
            self.tasks.wake_all(); // N5
        }
    }

    /// Looks at the condition for a task, and registers its waker when it does not hold yet.
    ///
    /// `check` runs once, and a second time after the registration. When either finds something the result is `Ready` and
    /// the key is idle; otherwise it is `Pending`, the key is armed, and the waker of `cx` will be woken by the next
    /// notification.
    ///
    /// # Cancel safety
    /// A future that is dropped while its key is armed should give it to [`cancel`](Self::cancel).
    ///
    /// # Examples
    ///
    /// ```
    /// use std::task::{Context, Poll, Waker};
    /// use tidings_core::wait::{Event, TaskKey};
    ///
    /// let (event, mut key) = (Event::new(), TaskKey::default());
    /// let mut cx = Context::from_waker(Waker::noop());
    /// assert_eq!(event.poll_until(&mut key, &mut cx, || None::<()>), Poll::Pending);
    /// assert!(event.is_awaited());
    /// event.notify();
    /// assert_eq!(event.poll_until(&mut key, &mut cx, || Some(7)), Poll::Ready(7));
    /// ```
    pub fn poll_until<R>(
        &self,
        key: &mut TaskKey,
        cx: &mut Context<'_>,
        mut check: impl FnMut() -> Option<R>,
    ) -> Poll<R> {
        if let Some(found) = check() {
            self.cancel(key);
            return Poll::Ready(found);
        }
        self.tasks.register(key, cx.waker());
        self.announce_task();
        if mutant("event W3") {
            return Poll::Pending;
        }
        match check() {
            Some(found) => {
                self.cancel(key);
                Poll::Ready(found)
            }
            None => Poll::Pending,
        }
    }

    /// Removes the waker of this key at once, dropping it with no lock held, and leaves the key idle.
    ///
    /// A notification that runs at this moment may have taken the waker already; it then wakes it.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::task::{Context, Waker};
    /// # use tidings_core::wait::{Event, TaskKey};
    /// # let (event, mut key) = (Event::new(), TaskKey::default());
    /// # let mut cx = Context::from_waker(Waker::noop());
    /// assert!(event.poll_until(&mut key, &mut cx, || None::<()>).is_pending());
    /// event.cancel(&mut key);
    /// assert!(!key.is_armed());
    /// ```
    #[inline]
    pub fn cancel(&self, key: &mut TaskKey) {
        if key.is_armed() {
            self.tasks.cancel(key);
        }
    }

    /// W1 and W2 of a thread. Returns the word on which it may sleep.
    #[cfg(feature = "std")]
    pub(super) fn announce_thread(&self) -> State {
        let state = self.announce(State::THREADS);
        if state.has(State::SETTLED) {
            sync::fence(Ordering::SeqCst, "event W2");
        } else if !fence::heavy() {
            self.settle(false);
        }
        state
    }

    /// W1 and W2 of a task; the first one makes the event fenced, because tasks register too often for the heavy fence.
    fn announce_task(&self) {
        let state = self.announce(State::TASKS);
        if state.has(State::SETTLED) {
            sync::fence(Ordering::SeqCst, "event W2");
        } else {
            self.announce(State::TASKS | State::FENCED); // F1
            let done = fence::heavy(); // F2
            self.settle(done);
        }
    }

    /// W1, F1.
    fn announce(&self, bits: u32) -> State {
        // ORDERING: AcqRel. Release publishes the waker in the list to N3; Acquire takes over what F3 stands for (I2) and
        // what the last N3 published.
        State::new(self.state.fetch_or(bits, Ordering::AcqRel)).with(bits)
    }

    /// F3; `fenced` says whether F2 succeeded.
    #[cold]
    fn settle(&self, fenced: bool) {
        if !fenced {
            self.announce(State::FENCED);
            fence::settle_refused();
            sync::fence(Ordering::SeqCst, "event W2");
        }
        self.announce(State::SETTLED);
    }
}

impl Default for Event {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Event").field(&self.load()).finish()
    }
}

#[cfg(all(test, feature = "std", not(any(loom, shuttle))))]
mod tests {
    use super::{Event, State, fence};
    use crate::wait::TaskKey;
    use core::task::{Context, Waker};

    fn arm(event: &Event) {
        let mut cx = Context::from_waker(Waker::noop());
        let polled = event.poll_until(&mut TaskKey::default(), &mut cx, || None::<()>);
        assert!(polled.is_pending());
    }

    /// One test, because the last step changes what the whole process does.
    #[test]
    fn the_mode_follows_the_kernel_and_the_first_task() {
        let event = Event::new();
        assert_eq!(event.load().has(State::FENCED), !fence::is_asymmetric());
        event.announce_thread();
        assert_eq!(event.load().has(State::FENCED), !fence::is_asymmetric());
        arm(&event);
        assert!(event.load().has(State::FENCED) && event.load().has(State::SETTLED));

        if fence::is_asymmetric() {
            let refused_later = Event::new();
            refused_later.settle(false);
            assert_eq!(refused_later.load(), State::new(State::HEAVY));
            let next = Event::new();
            assert_eq!(next.load(), State::new(State::HEAVY));
        }
    }
}
