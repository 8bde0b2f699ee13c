//! `Shared` of futures 0.3 over its own `oneshot`: a listener is the future itself, so a wait is polling it again.

use futures_channel::oneshot::{Receiver, Sender, channel};
use futures_util::FutureExt;
use futures_util::future::Shared;

use crate::engine::oneshot::{Again, Await, Heard, Named, Once};
use crate::value::Value;

/// `oneshot::channel().1.shared()`.
pub struct SharedFuture;

impl Named for SharedFuture {
    const NAME: &'static str = "futures-shared";
    const MODE: &'static str = "clone, &mut";
}

impl<T: Value> Once<T> for SharedFuture {
    type Announcer = Sender<T>;
    type Source = Shared<Receiver<T>>;
    type Listener = Shared<Receiver<T>>;

    #[inline(always)]
    fn open() -> (Self::Announcer, Self::Source) {
        let (sender, receiver) = channel();
        (sender, receiver.shared())
    }

    #[inline(always)]
    fn listener(_: &mut Sender<T>, source: &Self::Source) -> Self::Listener {
        source.clone()
    }

    #[inline(always)]
    fn announce(announcer: Sender<T>, value: T) -> impl Send + 'static {
        // Fails when nobody listens, which is one of the rows.
        let _ = announcer.send(value);
    }
}

impl<T: Value> Again<T> for SharedFuture {
    #[inline(always)]
    fn again(listener: &Self::Listener) -> Self::Listener {
        listener.clone()
    }
}

impl<T: Value> Await<T> for SharedFuture {
    #[inline(always)]
    fn wait(listener: &mut Self::Listener) -> impl Future<Output: Heard<T>> + Send {
        listener
    }
}
