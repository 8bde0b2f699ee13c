//! Waiting for one of several: rings, and the word that ends it all.

#[cfg(feature = "std")]
mod bell;
mod error;
mod future;
mod rota;
mod selector;
#[cfg(feature = "std")]
mod waiting;

pub use error::{SelectError, SelectTimeoutError};
pub use future::{SelectFuture, SelectListFuture, select_async};
pub use selector::Selector;
#[cfg(feature = "std")]
pub use waiting::{select, select_deadline, select_timeout};

use crate::{
    contract::{Contract, GatingContract},
    event::EventSubscriber,
    shutdown::Shutdown,
    slot::Payload,
    subscriber::Subscriber,
    value::ValueSubscriber,
};
use core::task::{Context, Poll};
use tidings_core::wait::TaskKey;

/// What can be waited for among others: a subscriber of any kind, a [`Shutdown`], or a reference to one. Sealed.
///
/// A subscriber is ready when the next receive does something: it gives a message, tells of a loss ([`Lagged`]) or of the end
/// ([`Closed`]), or passes over what one of many publishers gave up. The last is no message, and where nothing comes behind it
/// the receive says [`Empty`] all the same: so receive by a form that does not wait, and select again. With a single publisher
/// whoever is ready is not `Empty`. A lossy subscriber whose message is overwritten after the answer gets `Lagged` in its place.
///
/// A `Shutdown` is ready once it was triggered, and never for nothing.
///
/// One that has come to its end stays ready, as a `Shutdown` that was triggered does: leave it out of the next call.
///
/// [`Lagged`]: crate::TryRecvError::Lagged
/// [`Closed`]: crate::TryRecvError::Closed
/// [`Empty`]: crate::TryRecvError::Empty
pub trait Selectable: sealed::Selectable {}

impl<S: sealed::Selectable + ?Sized> Selectable for S {}

mod sealed {
    use super::{Context, Poll, TaskKey};

    /// See [`super::Selectable`].
    pub trait Selectable: Sync {
        /// Ready, as of now.
        fn is_ready(&self) -> bool;

        /// Ready, or else its waker is registered under `key`.
        fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()>;

        /// Takes the waker back.
        fn cancel(&self, key: &mut TaskKey);

        /// Counts an answer that a task gets; whether that task should give way instead (turn.rs).
        fn is_turn_over(&self, cx: &Context<'_>) -> bool;
    }
}

impl<S: sealed::Selectable + ?Sized> sealed::Selectable for &S {
    fn is_ready(&self) -> bool {
        (**self).is_ready()
    }

    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        (**self).poll_ready(key, cx)
    }

    fn cancel(&self, key: &mut TaskKey) {
        (**self).cancel(key);
    }

    fn is_turn_over(&self, cx: &Context<'_>) -> bool {
        (**self).is_turn_over(cx)
    }
}

/// What a subscriber does is done by its cursor.
macro_rules! by_cursor {
    ($subscriber:ident => $cursor:expr) => {
        fn is_ready(&self) -> bool {
            let $subscriber = self;
            $cursor.is_ready()
        }

        fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
            let $subscriber = self;
            $cursor.poll_ready(key, cx)
        }

        fn cancel(&self, key: &mut TaskKey) {
            let $subscriber = self;
            $cursor.cancel(key);
        }

        fn is_turn_over(&self, cx: &Context<'_>) -> bool {
            let $subscriber = self;
            $cursor.turn.is_over(cx)
        }
    };
}

impl<T: Payload, C: Contract> sealed::Selectable for Subscriber<T, C> {
    by_cursor!(subscriber => subscriber.cursor);
}

impl<T: Send + Sync + 'static, C: GatingContract> sealed::Selectable for EventSubscriber<T, C> {
    by_cursor!(subscriber => subscriber.cursor);
}

impl<T: Send + Sync + 'static> sealed::Selectable for ValueSubscriber<T> {
    by_cursor!(subscriber => subscriber.look.cursor);
}

impl sealed::Selectable for Shutdown {
    fn is_ready(&self) -> bool {
        self.is_shutdown()
    }

    fn poll_ready(&self, key: &mut TaskKey, cx: &mut Context<'_>) -> Poll<()> {
        self.poll(key, cx)
    }

    fn cancel(&self, key: &mut TaskKey) {
        Shutdown::cancel(self, key);
    }

    fn is_turn_over(&self, cx: &Context<'_>) -> bool {
        Shutdown::is_turn_over(self, cx)
    }
}
