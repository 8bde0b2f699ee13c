//! Public failure reports of systems like this one, as trials: how long values live, leaks and panics.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/payload.rs"]
mod payload;

use payload::{Census, Member};
use std::mem::{ManuallyDrop, forget};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tidings_ring::{
    Contract, Publisher, Subscribable, TryRecvError, channel, channel_bounded, event_channel,
};

type Ends<C> = (Publisher<u64, C>, Subscribable<u64, C>);

fn panics(body: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(body)).is_err()
}

/// Values in place are as many as slots, whatever is published, read or dropped, and all go at the end.
#[test]
fn b23_an_in_place_ring_keeps_one_value_a_slot() {
    let census = Census::default();
    let (mut publisher, subscribable) = event_channel(4, || census.member());
    let mut subscriber = subscribable.subscribe();
    assert_eq!(census.alive(), 4);
    for _ in 0..10 {
        publisher.publish(|value| *value = census.member());
        assert_eq!(subscriber.process(|_| census.alive()), Some(4));
    }
    drop((subscriber, publisher));
    assert_eq!(census.alive(), 4);
    drop(subscribable);
    assert_eq!(census.alive(), 0);
}

/// A value can be let go early: it may hold `None`.
#[test]
fn b23_a_slot_can_be_emptied_early() {
    let census = Census::default();
    let (mut publisher, subscribable) = event_channel(4, || None::<Member>);
    (0..4).for_each(|_| publisher.publish(|value| *value = Some(census.member())));
    assert_eq!(census.alive(), 4);
    (0..4).for_each(|_| publisher.publish(|value| *value = None));
    assert_eq!(census.alive(), 0);
    drop(subscribable);
}

/// What a request in a slot keeps alive stays alive while the ring has the slot, and not longer.
#[test]
fn b32_unread_values_go_with_the_ring() {
    let census = Census::default();
    let (mut publisher, subscribable) = event_channel(8, || None::<Member>);
    let subscriber = subscribable.subscribe();
    (0..5).for_each(|_| publisher.publish(|value| *value = Some(census.member())));
    drop(subscriber);
    assert_eq!(
        census.alive(),
        5,
        "as documented: values live as long as the ring"
    );
    drop((publisher, subscribable));
    assert_eq!(census.alive(), 0);
}

/// A borrow that is leaked gives nothing back: the message is lent again, and the publisher waits.
#[test]
fn b33_a_leaked_borrow_holds_its_slot_and_no_more() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish_batch(&[0, 1]);
    forget(subscriber.try_recv_ref());
    assert_eq!((subscriber.cursor(), subscriber.total_received()), (0, 0));
    assert!(publisher.try_publish(2).is_err());
    assert_eq!(subscriber.try_recv_ref().as_deref(), Ok(&0));
    assert!(publisher.try_publish(2).is_ok());
    assert!(subscriber.drain().eq(1..3));
}

/// A leaked subscriber holds the publisher back, as documented, and nobody else.
#[test]
fn b33_a_leaked_subscriber_holds_only_the_publisher() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let mut other = subscribable.subscribe();
    // Leaked for as long as the others live, and then let go, so that leak checkers stay quiet.
    let leaked = ManuallyDrop::new(subscribable.subscribe());
    assert_eq!(publisher.try_publish_batch(&[0, 1, 2]), 2);
    assert!(other.drain().eq(0..2));
    assert!(publisher.try_publish(2).is_err());
    drop(publisher);
    assert_eq!(other.try_recv(), Err(TryRecvError::Closed));
    assert_eq!(
        subscribable.subscribe().try_recv(),
        Err(TryRecvError::Closed)
    );
    drop(ManuallyDrop::into_inner(leaked));
}

/// Leaked iterators and futures leave their subscriber usable; a leaked drain has moved no lossy one.
#[test]
fn b33_leaked_iterators_and_futures_do_no_harm() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    publisher.publish_batch(&[0, 1, 2, 3]);
    let mut drain = subscriber.drain();
    assert_eq!(drain.next(), Some(0));
    forget(drain);
    forget(subscriber.recv_async());
    forget(publisher.publish_async(9));
    assert!(subscriber.drain().eq(0..4));
    publisher.publish(4);
    assert_eq!(subscriber.try_recv(), Ok(4));
}

/// A drain that ends early, by a break or a panic, has taken what it gave and no more.
#[test]
fn d16_a_drain_that_ends_early_leaves_the_rest() {
    fn check<C: Contract>((mut publisher, subscribable): Ends<C>) {
        let mut subscriber = subscribable.subscribe();
        publisher.publish_batch(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert!(subscriber.drain().take(3).eq(0..3));
        assert!(panics(|| subscriber.drain().for_each(|n| assert!(n < 5))));
        assert_eq!((subscriber.total_received(), subscriber.pending()), (6, 4));
        assert_eq!(subscriber.recv_batch(&mut [0; 2]), 2);
        assert!(subscriber.drain().eq(8..10));
    }
    check(channel(16));
    check(channel_bounded(16, 0));
}

/// A leaked drain that gates has given back the slots of what it gave.
#[test]
fn b33_a_leaked_drain_of_a_gating_subscriber_keeps_its_place() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish_batch(&[0, 1]);
    let mut drain = subscriber.drain();
    assert_eq!(drain.next(), Some(0));
    forget(drain);
    assert!(publisher.try_publish(2).is_ok());
    assert!(subscriber.drain().eq(1..3));
}

/// A leaked drain that met a lag counts what it lost, once, and what it gave is given again.
#[test]
fn b33_a_leaked_drain_keeps_the_counting_rule() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let mut subscriber = subscribable.subscribe();
    publisher.publish_batch(&[0, 1, 2, 3, 4, 5]);
    let mut drain = subscriber.drain();
    assert_eq!(drain.next(), Some(2));
    forget(drain);
    let counts = (
        subscriber.cursor(),
        subscriber.total_received(),
        subscriber.total_lagged(),
    );
    assert_eq!(counts, (2, 0, 2));
    assert!(subscriber.drain().eq(2..6));
    assert_eq!(
        (subscriber.total_received(), subscriber.total_lagged()),
        (4, 2)
    );
}

/// Panics when it is dropped while told to; counted before.
struct Explosive(Option<Member>, bool);

impl Drop for Explosive {
    fn drop(&mut self) {
        drop(self.0.take());
        assert!(!self.1, "the destructor panics");
    }
}

/// A destructor that panics runs once, whether in an edit or at the end, and spares its neighbours.
#[test]
fn b34_a_panicking_destructor_runs_once() {
    for bad in 0..6 {
        let census = Census::default();
        let (mut publisher, subscribable) = event_channel(3, || Explosive(None, false));
        for n in 0..6 {
            let next = Explosive(Some(census.member()), n == bad);
            // Only `bad` panics, when the edit of a lap later drops it.
            let failed = panics(|| publisher.publish(|value| drop(std::mem::replace(value, next))));
            assert_eq!(failed, bad + 3 == n);
        }
        let dropped = panics(|| drop((publisher, subscribable)));
        assert_eq!(dropped, bad >= 3);
        assert_eq!(census.alive(), 0);
    }
}

/// A factory that panics on its way leaves nothing behind.
#[test]
fn b34_a_panicking_factory_leaves_nothing() {
    for limit in 0..5 {
        let census = Census::default();
        let factory = || {
            assert!(census.alive() < limit, "the factory panics");
            census.member()
        };
        assert!(panics(|| drop(event_channel(5, factory))));
        assert_eq!(census.alive(), 0);
    }
}

/// A closure that panics fails its own call; nothing was published, and both ends go on.
#[test]
fn b41_a_panic_while_publishing_publishes_nothing() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    assert!(panics(|| publisher.publish_with(|| panic!("no value"))));
    assert_eq!(
        (publisher.published(), subscriber.try_recv()),
        (0, Err(TryRecvError::Empty))
    );
    publisher.publish_with(|| 5);
    assert_eq!(subscriber.try_recv(), Ok(5));

    let (mut publisher, subscribable) = event_channel(2, || 0);
    let mut subscriber = subscribable.subscribe();
    let edit = |value: &mut i32| {
        *value = 1;
        panic!("half an edit");
    };
    assert!(panics(|| publisher.publish(edit)));
    assert!(panics(|| assert!(publisher.try_publish(edit).is_ok())));
    assert_eq!(subscriber.process(|_| ()), None);
    publisher.publish(|value| *value += 10);
    assert_eq!(
        subscriber.process(|value| *value),
        Some(11),
        "the partial edit stays"
    );
}

/// A closure that panics while it reads has its message; the next one is the next.
#[test]
fn b41_a_panic_while_reading_consumes_that_message_only() {
    let (mut publisher, subscribable) = event_channel(2, || 0);
    let mut subscriber = subscribable.subscribe();
    publisher.publish(|value| *value = 1);
    publisher.publish(|value| *value = 2);
    assert!(panics(|| assert!(
        subscriber.process(|_| panic!("cannot read")).is_none()
    )));
    assert_eq!((subscriber.cursor(), subscriber.total_received()), (1, 1));
    assert!(
        publisher.try_publish(|value| *value = 3).is_ok(),
        "its slot is free"
    );
    let read = |value: &i32, n: u64| assert!((*value, n) == (2, 1), "it reads to the third");
    assert!(panics(|| assert_eq!(subscriber.read_batch(9, read), 0)));
    assert_eq!((subscriber.cursor(), subscriber.pending()), (3, 0));
}

/// Whoever is asked from a destructor, while its thread unwinds, answers as ever.
#[test]
fn b41_a_ring_works_while_its_thread_unwinds() {
    struct Last(Box<dyn FnMut()>);
    impl Drop for Last {
        fn drop(&mut self) {
            (self.0)();
        }
    }
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let mut subscriber = subscribable.subscribe();
    let mut reader = subscribable.subscribe();
    let last = move || {
        publisher.publish(1);
        assert_eq!(subscriber.recv(), Ok(1));
    };
    assert!(panics(|| {
        let _last = Last(Box::new(last));
        panic!("unwind");
    }));
    assert_eq!((reader.recv(), reader.recv().is_err()), (Ok(1), true));
}

/// Two borrows at a time come from two subscribers; publishing never waits for the older than it must.
#[test]
fn b40_borrows_on_one_thread_never_block_each_other() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let (mut one, mut two) = (subscribable.subscribe(), subscribable.subscribe());
    publisher.publish(0);
    let first = one.recv_ref().unwrap();
    assert_eq!(publisher.try_publish_batch(&[1, 2, 3, 4]), 3);
    let second = two.recv_ref().unwrap();
    assert_eq!(
        format!("{first:?} {second} {publisher:?}").get(..4),
        Some("0 0 ")
    );
    drop(first);
    assert!(publisher.try_publish(4).is_err());
    drop(second);
    assert!(publisher.try_publish(4).is_ok());
}

/// Batches of every length arrive whole, once and in order.
#[test]
fn b42_batches_of_every_length_arrive_once_and_in_order() {
    for capacity in 1..=6_usize {
        let (mut publisher, subscribable) = channel_bounded::<u64>(capacity, 0);
        let mut subscriber = subscribable.subscribe();
        let (mut next, mut expected) = (0, 0);
        for length in 1..=3 * capacity {
            let values: Vec<_> = (next..next + length as u64).collect();
            let mut rest = &values[..];
            while !rest.is_empty() {
                rest = &rest[publisher.try_publish_batch(rest)..];
                subscriber.read_batch(usize::MAX, |value, sequence| {
                    assert_eq!((*value, sequence), (expected, expected));
                    expected += 1;
                });
            }
            next += length as u64;
        }
        assert_eq!(expected, next);
    }
}
