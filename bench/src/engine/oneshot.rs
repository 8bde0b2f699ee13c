//! What a channel that says one value once can be asked to do. One implementation a rival in `engines/oneshot/`.

use std::future::Future;

/// How an engine is called in a table.
pub trait Named {
    /// The engine.
    const NAME: &'static str;
    /// The calls that are used.
    const MODE: &'static str;
}

/// One value, once, to many.
pub trait Once<T>: Named + 'static {
    /// Says it.
    type Announcer: Send + 'static;
    /// Hands out listeners; nothing where the announcer does.
    type Source: Send + Sync + 'static;
    /// Hears it.
    type Listener: Send + 'static;

    /// A channel without a listener.
    fn open() -> (Self::Announcer, Self::Source);

    /// One more listener.
    fn listener(announcer: &mut Self::Announcer, source: &Self::Source) -> Self::Listener;

    /// So many more.
    #[inline(always)]
    fn listeners(
        announcer: &mut Self::Announcer,
        source: &Self::Source,
        count: usize,
        into: &mut Vec<Self::Listener>,
    ) {
        for _ in 0..count {
            into.push(Self::listener(announcer, source));
        }
    }

    /// Says it. What is left of the announcer comes back, so that the workload chooses when it is dropped.
    fn announce(announcer: Self::Announcer, value: T) -> impl Send + 'static;
}

/// Listeners that can look without waiting.
pub trait Read<T>: Once<T> {
    /// Hands over the value if it is there: a clone of it or a reference, as the engine's call has it.
    fn read<R>(listener: &mut Self::Listener, each: impl FnOnce(&T) -> R) -> Option<R>;
}

/// A channel that can be asked whether the value is there.
pub trait AskAnnounced<T>: Once<T> {
    /// Whether it is.
    fn is_announced(source: &Self::Source, listener: &Self::Listener) -> bool;
}

/// A channel that can be asked whether the announcer went without a value.
pub trait AskClosed<T>: Once<T> {
    /// Whether it did.
    fn is_closed(listener: &Self::Listener) -> bool;
}

/// Listeners that beget listeners.
pub trait Again<T>: Once<T> {
    /// One more like this.
    fn again(listener: &Self::Listener) -> Self::Listener;
}

/// Listeners that a task can await.
pub trait Await<T>: Once<T> {
    /// A wait for the value. Where a listener is itself the future, that future.
    fn wait(listener: &mut Self::Listener) -> impl Future<Output: Heard<T>> + Send;
}

/// Listeners that a thread can block on.
pub trait Block<T>: Once<T> {
    /// Blocks until the value is there, and hands it over.
    fn block<R>(listener: &mut Self::Listener, each: impl FnOnce(&T) -> R) -> Option<R>;
}

/// What a wait ends with.
pub trait Heard<T> {
    /// The value, unless the announcer went without one.
    fn heard(&self) -> Option<&T>;
}

impl<T, E> Heard<T> for Result<T, E> {
    #[inline(always)]
    fn heard(&self) -> Option<&T> {
        self.as_ref().ok()
    }
}

impl<T, E> Heard<T> for Result<&T, E> {
    #[inline(always)]
    fn heard(&self) -> Option<&T> {
        self.as_ref().ok().copied()
    }
}

impl<T> Heard<T> for &T {
    #[inline(always)]
    fn heard(&self) -> Option<&T> {
        Some(self)
    }
}

/// A signal carries nothing.
impl Heard<()> for () {
    #[inline(always)]
    fn heard(&self) -> Option<&()> {
        Some(&())
    }
}
