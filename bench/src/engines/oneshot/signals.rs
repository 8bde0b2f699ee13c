//! Rivals without a value: tokio-util's `CancellationToken` and `triggered`.

use tokio_util::sync::CancellationToken;
use triggered::{Listener, Trigger, trigger};

use crate::engine::oneshot::{Again, AskAnnounced, Await, Block, Heard, Named, Once};

/// A token and its clones.
pub struct Cancellation;

impl Named for Cancellation {
    const NAME: &'static str = "cancellation-token";
    const MODE: &'static str = "signal: clone, cancelled";
}

impl Once<()> for Cancellation {
    type Announcer = CancellationToken;
    type Source = ();
    type Listener = CancellationToken;

    #[inline(always)]
    fn open() -> (CancellationToken, ()) {
        (CancellationToken::new(), ())
    }

    #[inline(always)]
    fn listener(announcer: &mut CancellationToken, (): &()) -> CancellationToken {
        announcer.clone()
    }

    #[inline(always)]
    fn announce(announcer: CancellationToken, (): ()) -> impl Send + 'static {
        announcer.cancel();
        announcer
    }
}

impl AskAnnounced<()> for Cancellation {
    #[inline(always)]
    fn is_announced((): &(), listener: &CancellationToken) -> bool {
        listener.is_cancelled()
    }
}

impl Again<()> for Cancellation {
    #[inline(always)]
    fn again(listener: &CancellationToken) -> CancellationToken {
        listener.clone()
    }
}

impl Await<()> for Cancellation {
    #[inline(always)]
    fn wait(listener: &mut CancellationToken) -> impl Future<Output: Heard<()>> + Send {
        listener.cancelled()
    }
}

/// A trigger and its listeners; a listener is the future itself, so a wait is polling it again.
pub struct Triggered;

impl Named for Triggered {
    const NAME: &'static str = "triggered";
    const MODE: &'static str = "signal: clone, &mut";
}

impl Once<()> for Triggered {
    type Announcer = Trigger;
    type Source = Listener;
    type Listener = Listener;

    #[inline(always)]
    fn open() -> (Trigger, Listener) {
        trigger()
    }

    #[inline(always)]
    fn listener(_: &mut Trigger, source: &Listener) -> Listener {
        source.clone()
    }

    #[inline(always)]
    fn announce(announcer: Trigger, (): ()) -> impl Send + 'static {
        announcer.trigger();
        announcer
    }
}

impl AskAnnounced<()> for Triggered {
    #[inline(always)]
    fn is_announced(_: &Listener, listener: &Listener) -> bool {
        listener.is_triggered()
    }
}

impl Again<()> for Triggered {
    #[inline(always)]
    fn again(listener: &Listener) -> Listener {
        listener.clone()
    }
}

impl Await<()> for Triggered {
    #[inline(always)]
    fn wait(listener: &mut Listener) -> impl Future<Output: Heard<()>> + Send {
        listener
    }
}

impl Block<()> for Triggered {
    #[inline(always)]
    fn block<R>(listener: &mut Listener, each: impl FnOnce(&()) -> R) -> Option<R> {
        listener.wait();
        Some(each(&()))
    }
}
