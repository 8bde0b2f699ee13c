//! Which handles cross threads, move while pinned, or survive a panic: decisions, checked; and what they print.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use std::cell::Cell;
use std::error::Error;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;
use std::sync::MutexGuard;
use tidings_ring::{
    BuildError, Builder, ClaimError, ClaimTimeoutError, Claimed, Drain, EventClaimed,
    EventPublishFuture, EventPublisher, EventSubscribable, EventSubscriber, Gating, IntoIter, Iter,
    Lossy, PublishFuture, PublishTimeoutError, Publisher, RecvError, RecvFuture, RecvRefFuture,
    RecvTimeoutError, Ref, Subscribable, SubscribeError, Subscriber, TryClaimError,
    TryPublishError, TryRecvError, WaitStrategy, channel, channel_bounded, event_channel,
};

/// Whether a type satisfies a bound; an inherent constant hides the trait's when it does.
macro_rules! is {
    ($type:ty: $bound:path) => {{
        #[allow(dead_code, reason = "one of the two constants is hidden")]
        trait Otherwise {
            const HOLDS: bool = false;
        }
        impl<T: ?Sized> Otherwise for T {}
        struct Probe<T: ?Sized>(PhantomData<T>);
        #[allow(dead_code, reason = "as above")]
        impl<T: ?Sized + $bound> Probe<T> {
            const HOLDS: bool = true;
        }
        <Probe<$type>>::HOLDS
    }};
}

/// (Send, Sync) of a type.
macro_rules! crosses {
    ($($type:ty),* $(,)?) => { [ $( (is!($type: Send), is!($type: Sync)) ),* ] };
}

type Edit = fn(&mut u64);
/// Send, but not Sync.
type Alone = Cell<u64>;
/// Sync, but not Send.
type Guard = MutexGuard<'static, u64>;

#[test]
fn b35_handles_of_plain_data_cross_threads() {
    let handles = crosses![
        Publisher<u64, Lossy>, Publisher<u64, Gating>, Subscribable<u64, Lossy>,
        Subscribable<u64, Gating>, Subscriber<u64, Lossy>, Subscriber<u64, Gating>,
        RecvFuture<'static, u64, Lossy>, RecvFuture<'static, u64, Gating>,
        PublishFuture<'static, u64, Gating>, Drain<'static, u64, Gating>,
        Iter<'static, u64, Lossy>, IntoIter<u64, Gating>, Ref<'static, u64>,
        EventPublisher<String>, EventSubscribable<String>, EventSubscriber<String>,
        RecvRefFuture<'static, String>, EventPublishFuture<'static, u64, Edit>,
        Claimed<'static, u64, Gating>, EventClaimed<'static, String>,
    ];
    assert_eq!(handles, [(true, true); 20]);
}

#[test]
fn b35_handles_of_what_may_not_leave_its_thread_do_not() {
    let handles = crosses![
        Publisher<*const u8>,
        Subscribable<*const u8>,
        Subscriber<*const u8>,
        Subscriber<*const u8, Gating>,
        RecvFuture<'static, *const u8, Lossy>,
        PublishFuture<'static, *const u8, Lossy>,
        IntoIter<*const u8, Lossy>,
        EventPublisher<Rc<u8>>,
        EventSubscribable<Rc<u8>>,
        EventSubscriber<Rc<u8>>,
        RecvRefFuture<'static, Rc<u8>>,
        EventPublisher<Guard>,
        EventSubscriber<Guard>,
        EventPublishFuture<'static, Rc<u8>, fn(&mut Rc<u8>)>,
        Claimed<'static, *const u8>,
        EventClaimed<'static, Rc<u8>>,
    ];
    assert_eq!(handles, [(false, false); 16]);
}

/// A value that one thread at a time may look at must not be lent to several.
#[test]
fn b35_what_is_not_sync_is_not_lent_across_threads() {
    let handles = crosses![
        Ref<'static, Alone>,
        EventPublisher<Alone>,
        EventSubscribable<Alone>,
        EventSubscriber<Alone>,
        EventClaimed<'static, Alone>,
    ];
    assert_eq!(handles, [(false, false); 5]);
    assert_eq!(
        crosses![Ref<'static, Guard>],
        [(true, true)],
        "it lends a `&Guard`"
    );
}

/// The closure of a publish future goes where the future goes.
#[test]
fn b35_a_publish_future_is_as_mobile_as_its_closure() {
    type Captures<T> = EventPublishFuture<'static, u64, T>;
    assert_eq!(
        crosses![Captures<Rc<u8>>, Captures<Alone>],
        [(false, false), (true, false)]
    );
}

#[test]
fn nothing_is_pinned() {
    type Fixed = std::marker::PhantomPinned;
    assert!(is!(Publisher<u64>: Unpin) && is!(Subscribable<u64>: Unpin));
    assert!(is!(Subscriber<u64, Gating>: Unpin) && is!(EventSubscriber<Fixed>: Unpin));
    assert!(is!(RecvFuture<'static, u64, Lossy>: Unpin));
    assert!(is!(PublishFuture<'static, u64, Gating>: Unpin));
    assert!(is!(RecvRefFuture<'static, Fixed>: Unpin));
    assert!(is!(EventPublishFuture<'static, u64, Fixed>: Unpin));
}

/// A panic leaves copying handles whole; a value in place may be half edited, and says so.
#[test]
fn unwind_safety_is_as_documented() {
    assert!(is!(Publisher<u64>: UnwindSafe) && is!(Publisher<u64>: RefUnwindSafe));
    assert!(is!(Subscribable<u64>: UnwindSafe) && is!(Subscribable<u64>: RefUnwindSafe));
    assert!(is!(Subscriber<u64, Gating>: UnwindSafe));
    assert!(is!(Subscriber<u64, Gating>: RefUnwindSafe));
    assert!(is!(IntoIter<u64, Lossy>: UnwindSafe));
}

#[test]
fn only_what_may_be_shared_is_cloned() {
    assert!(is!(Subscribable<u64>: Clone) && is!(EventSubscribable<Rc<u8>>: Clone));
    assert!(!is!(Publisher<u64>: Clone) && !is!(EventPublisher<u64>: Clone));
    assert!(!is!(Subscriber<u64>: Clone) && !is!(EventSubscriber<u64>: Clone));
    assert!(!is!(Ref<'static, u64>: Clone) && !is!(RecvFuture<'static, u64, Lossy>: Clone));
    assert!(is!(Builder: Clone) && is!(WaitStrategy: Copy));
}

#[test]
fn errors_are_errors_whatever_they_hold() {
    fn error<E: Error + Send + Sync + 'static>() {}
    error::<BuildError>();
    error::<SubscribeError>();
    error::<TryRecvError>();
    error::<RecvError>();
    error::<RecvTimeoutError>();
    error::<ClaimError>();
    error::<TryClaimError>();
    error::<ClaimTimeoutError>();
    error::<TryPublishError<u64>>();
    error::<PublishTimeoutError<Edit>>();
    assert!(is!(TryPublishError<Rc<u8>>: Error));
}

#[test]
fn errors_say_what_happened() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let _reader = subscribable.subscribe();
    publisher.publish(7);
    let full = publisher.try_publish(8).unwrap_err();
    assert_eq!(
        full.to_string(),
        "the ring is full: the next slot is not free"
    );
    assert_eq!(format!("{full:?}"), "Full(..)");
    let watermark = Builder::new(2).watermark(2).gating::<u64>().unwrap_err();
    assert_eq!(
        watermark.to_string(),
        "watermark 2 leaves no room in a ring of 2 slots"
    );
    let future = subscribable.subscribe_at(9).unwrap_err();
    assert_eq!(future, SubscribeError::Future { next: 1 });
    let large = publisher.try_claim(9).unwrap_err();
    assert_eq!(
        large.to_string(),
        "a claim of 9 messages, in a ring with room for 1"
    );
    let zero = Builder::new(0).lossy::<u64>().unwrap_err();
    assert_eq!(zero, BuildError::ZeroCapacity);
}

/// Capacities that no memory could hold are refused, not tried.
#[test]
fn absurd_capacities_are_errors() {
    for capacity in [
        usize::MAX,
        usize::MAX / 2,
        usize::MAX / 8,
        isize::MAX as usize / 8,
    ] {
        let copying = Builder::new(capacity).lossy::<u64>();
        assert!(
            matches!(copying, Err(BuildError::Memory { .. })),
            "{capacity}"
        );
        let nothing = Builder::new(capacity).gating::<()>();
        assert!(
            matches!(nothing, Err(BuildError::Memory { .. })),
            "{capacity}"
        );
        let in_place = Builder::new(capacity).in_place(String::new);
        assert!(
            matches!(in_place, Err(BuildError::Memory { .. })),
            "{capacity}"
        );
    }
}

#[test]
fn handles_print_where_they_stand() {
    fn text(value: impl Debug) -> String {
        format!("{value:?}")
    }
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    (0..6).for_each(|n| publisher.publish(n));
    let _ = (subscriber.try_recv(), subscriber.try_recv());
    let ring = "ring: Ring { capacity: 4, published: 6, closed: false, .. }, .. }";
    assert_eq!(text(&publisher), format!("Publisher {{ {ring}"));
    assert_eq!(text(&subscribable), format!("Subscribable {{ {ring}"));
    let expected = format!("Subscriber {{ cursor: 3, received: 1, lagged: 2, aborted: 0, {ring}");
    assert_eq!(text(&subscriber), expected);
    assert!(text(subscriber.recv_async()).starts_with("RecvFuture { subscriber: Subscriber {"));
    assert!(text(subscriber.drain()).contains("cursor: 3"));
    assert!(text(publisher.publish_async(1)).starts_with("PublishFuture { publisher:"));
    let expected = "Claimed { sequence: 6, len: 2, written: 0, .. }";
    assert_eq!(text(publisher.claim(2).unwrap()), expected);

    let (mut publisher, subscribable) = event_channel(2, || "value");
    let mut subscriber = subscribable.subscribe();
    publisher.publish(|_| ());
    assert_eq!(text(subscriber.try_recv_ref().unwrap()), "\"value\"");
    assert!(text(&subscriber).starts_with("EventSubscriber { cursor: 1, received: 1"));
    assert!(text(&publisher).starts_with("EventPublisher { ring: Ring { capacity: 2"));
    assert!(text(subscriber.recv_ref_async()).starts_with("RecvRefFuture"));
    assert!(text(publisher.publish_async(|_| ())).starts_with("EventPublishFuture"));
}
