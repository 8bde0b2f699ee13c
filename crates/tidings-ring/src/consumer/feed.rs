//! What a consumer can be fed by: subscribers of every kind, seen as one.
//!
//! A look at what is there gives a batch: the messages up to `end`, which then are shown one by one. The batch ends with a
//! message, not with a tombstone, so that the last one shown is known to be the last.

use crate::{
    cell::lent::Ref,
    contract::{Contract, GatingContract, Lossy, Tracked},
    cursor::Cursor,
    error::TryRecvError,
    event::EventSubscriber,
    gate::Hold,
    metrics::SubscriberMetrics,
    ring::kept::KeptRing,
    slot::{Payload, place::Store},
    stamp::Stamp,
    subscriber::Subscriber,
    value::{ValueRef, ValueSubscriber},
};
use tidings_core::{
    Sequence,
    wait::{Deadline, Strategy, WaitStrategy},
};

/// A subscriber that a [`Consumer`](super::Consumer) can be fed by: it receives messages of type `T`. Sealed.
///
/// | | `T` | each message is |
/// |---|---|---|
/// | [`Subscriber`]`<T, Lossy>`, `<T, Tracked>` | a [`Payload`] | a validated copy |
/// | [`Subscriber`]`<T, Gating>`, `<T, After>` | a [`Payload`] that is `Sync` | lent in place; the gate moves when the handler returns |
/// | [`EventSubscriber`]`<T, Gating>`, `<T, After>` | any `Send + Sync` | the same |
/// | [`ValueSubscriber`]`<T>` | any `Send + Sync` | lent in place; the publisher goes on |
pub trait Feed<T>: sealed::Receive<T> {}

impl<T: Payload> Feed<T> for Subscriber<T, Lossy> {}
impl<T: Payload> Feed<T> for Subscriber<T, Tracked> {}
impl<T: Payload + Sync, C: GatingContract> Feed<T> for Subscriber<T, C> {}
impl<T: Send + Sync + 'static, C: GatingContract> Feed<T> for EventSubscriber<T, C> {}
impl<T: Send + Sync + 'static> Feed<T> for ValueSubscriber<T> {}

/// What was there at a look.
#[derive(Clone, Copy)]
pub struct Batch {
    /// The message behind the last one.
    pub(super) end: Sequence,
    /// How many messages there are up to there.
    pub(super) size: u64,
    /// How many were published and not read.
    pub(super) depth: u64,
}

impl Batch {
    /// The same, as far as it lies before `limit`, which is behind `next`.
    pub(super) fn up_to(self, next: Sequence, limit: Option<Sequence>) -> Self {
        match limit {
            Some(limit) if limit.is_before(self.end) => Self {
                end: limit,
                size: self.size.min(limit.since(next)),
                ..self
            },
            _ => self,
        }
    }
}

pub(super) mod sealed {
    use super::{
        Batch, KeptRing, Sequence, Strategy, SubscriberMetrics, TryRecvError, WaitStrategy,
    };

    /// See [`Feed`](super::Feed).
    pub trait Receive<T>: Send + 'static {
        /// What is there, at most `limit` messages and at least one.
        fn look(&mut self, limit: u64) -> Result<Batch, TryRecvError>;

        /// Shows the next message to `read`; done with it when that returns.
        fn show<R>(&mut self, read: impl FnOnce(&T, u64) -> R) -> Result<R, TryRecvError>;

        /// The message to be shown next.
        fn next(&self) -> Sequence;

        fn counts(&self) -> SubscriberMetrics;

        fn ring(&self) -> KeptRing;

        /// How the ring's threads wait when nobody says.
        fn strategy(&self) -> WaitStrategy;

        /// Waits until a look has an answer other than "empty", or `over`.
        fn wait_unless(&self, strategy: &(impl Strategy + ?Sized), over: impl Fn() -> bool);
    }
}

/// `Receive` of a subscriber with a cursor at `$cursor`, from which `show` gets the next message as `$lend` says.
macro_rules! receives {
    (
        [$($generic:tt)*] $subscriber:ty, $($cursor:ident).+,
        |$feed:ident| $lend:expr, |$message:ident| $sequence:expr
    ) => {
        impl<$($generic)*> sealed::Receive<T> for $subscriber {
            #[inline]
            fn look(&mut self, limit: u64) -> Result<Batch, TryRecvError> {
                self.$($cursor).+.look(limit)
            }

            #[inline]
            fn show<R>(&mut self, read: impl FnOnce(&T, u64) -> R) -> Result<R, TryRecvError> {
                let $feed = self;
                let $message = $lend?;
                let sequence = $sequence;
                Ok(read(&$message, sequence))
            }

            #[inline]
            fn next(&self) -> Sequence {
                self.$($cursor).+.place.sequence
            }

            fn counts(&self) -> SubscriberMetrics {
                self.metrics()
            }

            fn ring(&self) -> KeptRing {
                KeptRing::new(&self.$($cursor).+.ring)
            }

            fn strategy(&self) -> WaitStrategy {
                self.$($cursor).+.ring.shared.strategy
            }

            fn wait_unless(&self, strategy: &(impl Strategy + ?Sized), over: impl Fn() -> bool) {
                self.$($cursor).+.wait_unless(strategy, over);
            }
        }
    };
}

receives!(
    [T: Payload] Subscriber<T, Lossy>, cursor,
    |feed| feed.cursor.receive(), |_copy| feed.cursor.place.sequence.before(1).get()
);
receives!(
    [T: Payload] Subscriber<T, Tracked>, cursor,
    |feed| feed.cursor.receive(), |_copy| feed.cursor.place.sequence.before(1).get()
);
receives!(
    [T: Payload + Sync, C: GatingContract] Subscriber<T, C>, cursor,
    |feed| feed.try_recv_ref(), |message| Ref::sequence(&message)
);
receives!(
    [T: Send + Sync + 'static, C: GatingContract] EventSubscriber<T, C>, cursor,
    |feed| feed.try_recv_ref(), |message| Ref::sequence(&message)
);
receives!(
    [T: Send + Sync + 'static] ValueSubscriber<T>, look.cursor,
    |feed| feed.try_recv_ref(), |message| ValueRef::sequence(&message)
);

impl<S: Store, C: Contract> Cursor<S, C> {
    fn look(&mut self, limit: u64) -> Result<Batch, TryRecvError> {
        self.settle()?;
        let (next, shared) = (self.place.sequence, &self.ring.shared);
        let depth = self.pending().max(1);
        let most = depth.min(self.hold.allowed(next)).clamp(1, limit);
        if !shared.many {
            return Ok(Batch {
                end: next.after(most),
                size: most,
                depth,
            });
        }
        Ok(self.gathered(most, depth))
    }

    /// The same where a message that was claimed need not be there, and may be a tombstone.
    fn gathered(&self, most: u64, depth: u64) -> Batch {
        let mut place = self.place;
        let (mut end, mut size) = (place.sequence, 0);
        for _ in 0..most {
            let seen = self.ring.slots.stamp(&place);
            if seen == Stamp::published(place.sequence) {
                (end, size) = (place.sequence.next(), size + 1);
            } else if seen != Stamp::aborted(place.sequence) {
                break;
            }
            place.step(S::STRIDE);
        }
        // The first one was there; if it is overwritten by now, the attempt to read it says so.
        Batch {
            end: if size == 0 { end.next() } else { end },
            size: size.max(1),
            depth,
        }
    }

    /// Waits until a read has an answer other than "empty", or `over`.
    fn wait_unless(&self, strategy: &(impl Strategy + ?Sized), over: impl Fn() -> bool) {
        let look = || (over() || self.is_ready()).then_some(());
        let ready = &self.ring.shared.ready;
        ready.wait_until(strategy, Deadline::NEVER, look);
    }
}
