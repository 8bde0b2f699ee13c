//! tidings' one-shot broadcast: by the calls that clone, as every rival's do, and by those that borrow.

use tidings::oneshot::{Announced, Announcement, Announcer, ListenOwned, Listener};

use crate::engine::oneshot::{
    Again, AskAnnounced, AskClosed, Await, Block, Heard, Named, Once, Read,
};
use crate::value::Value;

/// `try_listen`, `listen`, `listen_blocking`: a clone a read.
pub struct Tidings;

/// `get`, `wait`, `wait_blocking`: a reference.
pub struct TidingsBorrow;

/// Listeners by `listeners(n)`; reads clone.
pub struct TidingsBulk;

/// A listener turned into its future, which is kept and polled again by reference.
pub struct TidingsKept;

impl Named for TidingsKept {
    const NAME: &'static str = "tidings-kept";
    const MODE: &'static str = "into_future, &mut";
}

impl Named for Tidings {
    const NAME: &'static str = "tidings";
    const MODE: &'static str = "listen";
}

impl Named for TidingsBorrow {
    const NAME: &'static str = "tidings-borrow";
    const MODE: &'static str = "get, wait";
}

impl Named for TidingsBulk {
    const NAME: &'static str = "tidings-bulk";
    const MODE: &'static str = "listeners(n)";
}

macro_rules! once {
    ($engine:ty $(, $listeners:item)?) => {
        impl<T: Value> Once<T> for $engine {
            type Announcer = Announcer<T>;
            type Source = Announcement<T>;
            type Listener = Listener<T>;

            #[inline(always)]
            fn open() -> (Announcer<T>, Announcement<T>) {
                Announcement::new()
            }

            #[inline(always)]
            fn listener(_: &mut Announcer<T>, source: &Announcement<T>) -> Listener<T> {
                source.listener()
            }

            $($listeners)?

            #[inline(always)]
            fn announce(announcer: Announcer<T>, value: T) -> impl Send + 'static {
                // Cannot fail: there is one announcer, and it is used up.
                let _ = announcer.announce(value);
            }
        }
    };
}

once!(Tidings);
once!(TidingsBorrow);
once!(
    TidingsBulk,
    #[inline(always)]
    fn listeners(
        _: &mut Announcer<T>,
        source: &Announcement<T>,
        count: usize,
        into: &mut Vec<Listener<T>>,
    ) {
        into.extend(source.listeners(count));
    }
);

impl<T: Value> Once<T> for TidingsKept {
    type Announcer = Announcer<T>;
    type Source = Announcement<T>;
    type Listener = ListenOwned<T>;

    #[inline(always)]
    fn open() -> (Announcer<T>, Announcement<T>) {
        Announcement::new()
    }

    #[inline(always)]
    fn listener(_: &mut Announcer<T>, source: &Announcement<T>) -> ListenOwned<T> {
        source.listener().into_future()
    }

    #[inline(always)]
    fn announce(announcer: Announcer<T>, value: T) -> impl Send + 'static {
        // Cannot fail: there is one announcer, and it is used up.
        let _ = announcer.announce(value);
    }
}

impl<T, E> Heard<T> for Result<Announced<T>, E> {
    #[inline(always)]
    fn heard(&self) -> Option<&T> {
        self.as_deref().ok()
    }
}

impl<T: Value> Await<T> for TidingsKept {
    #[inline(always)]
    fn wait(listener: &mut ListenOwned<T>) -> impl Future<Output: Heard<T>> + Send {
        listener
    }
}

macro_rules! read_by_clone {
    ($engine:ty) => {
        impl<T: Value> Read<T> for $engine {
            #[inline(always)]
            fn read<R>(listener: &mut Listener<T>, each: impl FnOnce(&T) -> R) -> Option<R> {
                listener.try_listen().map(|value| each(&value))
            }
        }
    };
}

read_by_clone!(Tidings);
read_by_clone!(TidingsBulk);

impl<T: Value> Read<T> for TidingsBorrow {
    #[inline(always)]
    fn read<R>(listener: &mut Listener<T>, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.get().map(each)
    }
}

impl<T: Value> AskAnnounced<T> for Tidings {
    #[inline(always)]
    fn is_announced(source: &Announcement<T>, _: &Listener<T>) -> bool {
        source.is_announced()
    }
}

impl<T: Value> AskClosed<T> for Tidings {
    #[inline(always)]
    fn is_closed(listener: &Listener<T>) -> bool {
        listener.is_closed()
    }
}

impl<T: Value> Again<T> for Tidings {
    #[inline(always)]
    fn again(listener: &Listener<T>) -> Listener<T> {
        listener.clone()
    }
}

impl<T: Value> Await<T> for Tidings {
    #[inline(always)]
    fn wait(listener: &mut Listener<T>) -> impl Future<Output: Heard<T>> + Send {
        listener.listen()
    }
}

impl<T: Value> Await<T> for TidingsBorrow {
    #[inline(always)]
    fn wait(listener: &mut Listener<T>) -> impl Future<Output: Heard<T>> + Send {
        listener.wait()
    }
}

impl<T: Value> Block<T> for Tidings {
    #[inline(always)]
    fn block<R>(listener: &mut Listener<T>, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.listen_blocking().ok().map(|value| each(&value))
    }
}

impl<T: Value> Block<T> for TidingsBorrow {
    #[inline(always)]
    fn block<R>(listener: &mut Listener<T>, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.wait_blocking().ok().map(each)
    }
}
