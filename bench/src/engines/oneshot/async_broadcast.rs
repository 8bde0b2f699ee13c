//! async-broadcast 0.7, capacity 1. The first receiver is deactivated, not dropped: dropping the last one would close
//! the channel for good, as its documentation says.

use async_broadcast::{InactiveReceiver, Receiver, Sender, broadcast};

use crate::engine::oneshot::{Again, AskClosed, Await, Block, Heard, Named, Once, Read};
use crate::value::Value;

/// `broadcast(1)`: who comes late hears nothing.
pub struct AsyncBroadcast;

impl Named for AsyncBroadcast {
    const NAME: &'static str = "async-broadcast";
    const MODE: &'static str = "activate_cloned, recv_direct";
}

impl<T: Value> Once<T> for AsyncBroadcast {
    type Announcer = Sender<T>;
    type Source = InactiveReceiver<T>;
    type Listener = Receiver<T>;

    #[inline(always)]
    fn open() -> (Sender<T>, InactiveReceiver<T>) {
        let (sender, receiver) = broadcast(1);
        (sender, receiver.deactivate())
    }

    #[inline(always)]
    fn listener(_: &mut Sender<T>, source: &InactiveReceiver<T>) -> Receiver<T> {
        source.activate_cloned()
    }

    #[inline(always)]
    fn announce(announcer: Sender<T>, value: T) -> impl Send + 'static {
        // Fails when nobody listens, which is one of the rows.
        let _ = announcer.try_broadcast(value);
        announcer
    }
}

impl<T: Value> Read<T> for AsyncBroadcast {
    #[inline(always)]
    fn read<R>(listener: &mut Receiver<T>, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.try_recv().ok().map(|value| each(&value))
    }
}

impl<T: Value> AskClosed<T> for AsyncBroadcast {
    #[inline(always)]
    fn is_closed(listener: &Receiver<T>) -> bool {
        listener.is_closed()
    }
}

impl<T: Value> Again<T> for AsyncBroadcast {
    #[inline(always)]
    fn again(listener: &Receiver<T>) -> Receiver<T> {
        listener.clone()
    }
}

impl<T: Value> Await<T> for AsyncBroadcast {
    #[inline(always)]
    fn wait(listener: &mut Receiver<T>) -> impl Future<Output: Heard<T>> + Send {
        listener.recv_direct()
    }
}

impl<T: Value> Block<T> for AsyncBroadcast {
    #[inline(always)]
    fn block<R>(listener: &mut Receiver<T>, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.recv_blocking().ok().map(|value| each(&value))
    }
}
