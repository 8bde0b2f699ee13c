//! tokio's `sync`: `broadcast`, `watch`, `SetOnce` and, one a listener, `oneshot`. None of them needs the runtime.

use std::sync::Arc;

use tokio::sync::{broadcast, oneshot, watch};

use crate::engine::oneshot::{
    Again, AskAnnounced, AskClosed, Await, Block, Heard, Named, Once, Read,
};
use crate::value::Value;

/// `broadcast::channel(1)`, the first receiver dropped: who comes late hears nothing.
pub struct Broadcast;

impl Named for Broadcast {
    const NAME: &'static str = "tokio-broadcast";
    const MODE: &'static str = "subscribe, recv";
}

impl<T: Value> Once<T> for Broadcast {
    type Announcer = broadcast::Sender<T>;
    type Source = ();
    type Listener = broadcast::Receiver<T>;

    #[inline(always)]
    fn open() -> (Self::Announcer, ()) {
        (broadcast::channel(1).0, ())
    }

    #[inline(always)]
    fn listener(announcer: &mut Self::Announcer, (): &()) -> Self::Listener {
        announcer.subscribe()
    }

    #[inline(always)]
    fn announce(announcer: Self::Announcer, value: T) -> impl Send + 'static {
        // Fails when nobody listens, which is one of the rows.
        let _ = announcer.send(value);
        announcer
    }
}

impl<T: Value> Read<T> for Broadcast {
    #[inline(always)]
    fn read<R>(listener: &mut Self::Listener, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.try_recv().ok().map(|value| each(&value))
    }
}

impl<T: Value> AskClosed<T> for Broadcast {
    #[inline(always)]
    fn is_closed(listener: &Self::Listener) -> bool {
        listener.is_closed()
    }
}

impl<T: Value> Again<T> for Broadcast {
    #[inline(always)]
    fn again(listener: &Self::Listener) -> Self::Listener {
        listener.resubscribe()
    }
}

impl<T: Value> Await<T> for Broadcast {
    #[inline(always)]
    fn wait(listener: &mut Self::Listener) -> impl Future<Output: Heard<T>> + Send {
        listener.recv()
    }
}

impl<T: Value> Block<T> for Broadcast {
    #[inline(always)]
    fn block<R>(listener: &mut Self::Listener, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.blocking_recv().ok().map(|value| each(&value))
    }
}

/// `watch` of an `Option`: read under a lock, by reference.
pub struct Watch;

impl Named for Watch {
    const NAME: &'static str = "tokio-watch";
    const MODE: &'static str = "borrow, wait_for";
}

impl<T: Value> Once<T> for Watch {
    type Announcer = watch::Sender<Option<T>>;
    type Source = ();
    type Listener = watch::Receiver<Option<T>>;

    #[inline(always)]
    fn open() -> (Self::Announcer, ()) {
        (watch::Sender::new(None), ())
    }

    #[inline(always)]
    fn listener(announcer: &mut Self::Announcer, (): &()) -> Self::Listener {
        announcer.subscribe()
    }

    #[inline(always)]
    fn announce(announcer: Self::Announcer, value: T) -> impl Send + 'static {
        announcer.send_replace(Some(value));
        announcer
    }
}

impl<T: Value> Read<T> for Watch {
    #[inline(always)]
    fn read<R>(listener: &mut Self::Listener, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.borrow().as_ref().map(each)
    }
}

impl<T: Value> AskClosed<T> for Watch {
    #[inline(always)]
    fn is_closed(listener: &Self::Listener) -> bool {
        listener.is_closed()
    }
}

impl<T: Value> Again<T> for Watch {
    #[inline(always)]
    fn again(listener: &Self::Listener) -> Self::Listener {
        listener.clone()
    }
}

impl<T, E> Heard<T> for Result<watch::Ref<'_, Option<T>>, E> {
    #[inline(always)]
    fn heard(&self) -> Option<&T> {
        self.as_ref().ok().and_then(|value| value.as_ref())
    }
}

impl<T: Value> Await<T> for Watch {
    #[inline(always)]
    fn wait(listener: &mut Self::Listener) -> impl Future<Output: Heard<T>> + Send {
        listener.wait_for(Option::is_some)
    }
}

/// `SetOnce` in an `Arc`: it has no handles of its own, and no close.
pub struct SetOnce;

impl Named for SetOnce {
    const NAME: &'static str = "tokio-setonce";
    const MODE: &'static str = "Arc, get, wait";
}

impl<T: Value> Once<T> for SetOnce {
    type Announcer = Arc<tokio::sync::SetOnce<T>>;
    type Source = ();
    type Listener = Arc<tokio::sync::SetOnce<T>>;

    #[inline(always)]
    fn open() -> (Self::Announcer, ()) {
        (Arc::new(tokio::sync::SetOnce::new()), ())
    }

    #[inline(always)]
    fn listener(announcer: &mut Self::Announcer, (): &()) -> Self::Listener {
        Arc::clone(announcer)
    }

    #[inline(always)]
    fn announce(announcer: Self::Announcer, value: T) -> impl Send + 'static {
        // Fails only the second time.
        let _ = announcer.set(value);
        announcer
    }
}

impl<T: Value> Read<T> for SetOnce {
    #[inline(always)]
    fn read<R>(listener: &mut Self::Listener, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.get().map(each)
    }
}

impl<T: Value> AskAnnounced<T> for SetOnce {
    #[inline(always)]
    fn is_announced((): &(), listener: &Self::Listener) -> bool {
        listener.initialized()
    }
}

impl<T: Value> Again<T> for SetOnce {
    #[inline(always)]
    fn again(listener: &Self::Listener) -> Self::Listener {
        Arc::clone(listener)
    }
}

impl<T: Value> Await<T> for SetOnce {
    #[inline(always)]
    fn wait(listener: &mut Self::Listener) -> impl Future<Output: Heard<T>> + Send {
        listener.wait()
    }
}

/// One `oneshot` a listener, and as many sends.
pub struct Oneshots;

impl Named for Oneshots {
    const NAME: &'static str = "tokio-oneshot×N";
    const MODE: &'static str = "one a listener";
}

impl<T: Value> Once<T> for Oneshots {
    type Announcer = Vec<oneshot::Sender<T>>;
    type Source = ();
    type Listener = oneshot::Receiver<T>;

    #[inline(always)]
    fn open() -> (Self::Announcer, ()) {
        (Vec::new(), ())
    }

    #[inline(always)]
    fn listener(announcer: &mut Self::Announcer, (): &()) -> Self::Listener {
        let (sender, receiver) = oneshot::channel();
        announcer.push(sender);
        receiver
    }

    #[inline(always)]
    fn announce(announcer: Self::Announcer, value: T) -> impl Send + 'static {
        for sender in announcer {
            // A receiver that is gone is found by the checksum.
            let _ = sender.send(value.clone());
        }
    }
}

impl<T: Value> Read<T> for Oneshots {
    #[inline(always)]
    fn read<R>(listener: &mut Self::Listener, each: impl FnOnce(&T) -> R) -> Option<R> {
        listener.try_recv().ok().map(|value| each(&value))
    }
}

impl<T: Value> Await<T> for Oneshots {
    #[inline(always)]
    fn wait(listener: &mut Self::Listener) -> impl Future<Output: Heard<T>> + Send {
        listener
    }
}

impl<T: Value> Block<T> for Oneshots {
    #[inline(always)]
    fn block<R>(listener: &mut Self::Listener, each: impl FnOnce(&T) -> R) -> Option<R> {
        let receiver = std::mem::replace(listener, oneshot::channel().1);
        receiver.blocking_recv().ok().map(|value| each(&value))
    }
}

/// Ten values through one ring of ten: what a channel of one value is not for. One task receives them all.
pub async fn multishot_by_ring<T: Value>(number: u64) -> u64 {
    let (sender, mut receiver) = broadcast::channel(10);
    let task = tokio::spawn(async move {
        let mut sum = 0;
        for _ in 0..10 {
            let heard: Result<T, _> = receiver.recv().await;
            sum += heard.map_or(0, |value| value.digest());
        }
        sum
    });
    for _ in 0..10 {
        let _ = sender.send(T::make(number));
    }
    task.await.unwrap_or_default()
}
