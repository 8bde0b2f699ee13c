//! announcement 0.1, the closest relative: every read is a clone.

use announcement::{Announcement as Factory, Announcer, Listener};

use crate::engine::oneshot::{
    Again, AskAnnounced, AskClosed, Await, Block, Heard, Named, Once, Read,
};
use crate::value::Value;

/// `Announcement::new`.
pub struct Announcement;

impl Named for Announcement {
    const NAME: &'static str = "announcement";
    const MODE: &'static str = "listen";
}

impl<T: Value> Once<T> for Announcement {
    type Announcer = Announcer<T>;
    type Source = Factory<T>;
    type Listener = Listener<T>;

    #[inline(always)]
    fn open() -> (Announcer<T>, Factory<T>) {
        Factory::new()
    }

    #[inline(always)]
    fn listener(_: &mut Announcer<T>, source: &Factory<T>) -> Listener<T> {
        source.listener()
    }

    #[inline(always)]
    fn announce(announcer: Announcer<T>, value: T) -> impl Send + 'static {
        // Cannot fail: there is one announcer, and it is used up.
        let _ = announcer.announce(value);
    }
}

impl<T: Value> Read<T> for Announcement {
    #[inline(always)]
    fn read<R>(listener: &mut Listener<T>, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.try_listen().map(|value| each(&value))
    }
}

impl<T: Value> AskAnnounced<T> for Announcement {
    #[inline(always)]
    fn is_announced(source: &Factory<T>, _: &Listener<T>) -> bool {
        source.is_announced()
    }
}

impl<T: Value> AskClosed<T> for Announcement {
    #[inline(always)]
    fn is_closed(listener: &Listener<T>) -> bool {
        listener.is_closed()
    }
}

impl<T: Value> Again<T> for Announcement {
    #[inline(always)]
    fn again(listener: &Listener<T>) -> Listener<T> {
        listener.clone()
    }
}

impl<T: Value> Await<T> for Announcement {
    #[inline(always)]
    fn wait(listener: &mut Listener<T>) -> impl Future<Output: Heard<T>> + Send {
        listener.listen()
    }
}

impl<T: Value> Block<T> for Announcement {
    #[inline(always)]
    fn block<R>(listener: &mut Listener<T>, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.listen_blocking().ok().map(|value| each(&value))
    }
}
