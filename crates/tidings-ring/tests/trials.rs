//! Public failure reports of systems like this one, as trials: counts, ends and edges on one thread.
//!
//! The letter and number in a test's name is that of the trial.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use std::time::Duration;
use tidings_ring::{
    Builder, Contract, Publisher, RecvError, RecvTimeoutError, Subscribable, Subscriber,
    TryRecvError, channel, channel_bounded, event_channel,
};

const EMPTY: TryRecvError = TryRecvError::Empty;
const CLOSED: TryRecvError = TryRecvError::Closed;

type Ends<C> = (Publisher<u64, C>, Subscribable<u64, C>);

/// Publishes `0..count`, closes, and drains a subscriber made before.
fn through<C: Contract>((mut publisher, subscribable): Ends<C>, count: u64) -> (Vec<u64>, u64) {
    let mut subscriber = subscribable.subscribe();
    (0..count).for_each(|n| publisher.publish(n));
    drop(publisher);
    let got = subscriber.drain().collect();
    assert_eq!(subscriber.try_recv(), Err(CLOSED));
    (got, subscriber.total_lagged())
}

/// The mark of the end does not cost the last message, nor count as a lag.
#[test]
fn b01_closing_costs_no_message() {
    for capacity in [1, 2, 3, 8] {
        let full = capacity as u64;
        let all: Vec<_> = (0..full).collect();
        assert_eq!(through(channel(capacity), full), (all.clone(), 0));
        assert_eq!(through(channel_bounded(capacity, 0), full), (all, 0));
        let rest = (3..full + 3).collect();
        assert_eq!(through(channel(capacity), full + 3), (rest, 3));
    }
}

/// In place, too, everything published is read before the end is told.
#[test]
fn b01_closing_costs_no_message_in_place() {
    for capacity in [1, 2, 3, 8] {
        let (mut publisher, subscribable) = event_channel(capacity, || 0);
        let mut subscriber = subscribable.subscribe();
        (0..capacity).for_each(|n| publisher.publish(|value| *value = n));
        drop(publisher);
        for n in 0..capacity {
            assert_eq!(subscriber.process(|value| *value), Some(n));
        }
        assert_eq!(subscriber.try_recv_ref().err(), Some(CLOSED));
    }
}

/// What `pending`, the first answer and `pending` after it are, for every fill of small rings.
#[test]
fn b03_one_formula_tells_pending_and_lag() {
    for capacity in 1..=17_u64 {
        for published in 0..=3 * capacity {
            let (mut publisher, subscribable) = channel::<u64>(capacity as usize);
            let mut subscriber = subscribable.subscribe();
            (0..published).for_each(|n| publisher.publish(n));
            assert_eq!(subscriber.pending(), published.min(capacity));
            let lag = published.saturating_sub(capacity);
            let (answer, left) = match (published, lag) {
                (0, _) => (Err(EMPTY), 0),
                (_, 0) => (Ok(0), published - 1),
                (_, skipped) => (Err(TryRecvError::Lagged { skipped }), capacity),
            };
            assert_eq!(subscriber.try_recv(), answer, "{published} of {capacity}");
            assert_eq!(subscriber.pending(), left);
        }
    }
}

/// "Nothing pending" and "nothing to receive" are the same at every step and every slot.
#[test]
fn b04_pending_and_empty_agree() {
    let rounds = if cfg!(miri) { 100 } else { 3_000 };
    for capacity in [1, 2, 3, 7, 8, 9, 31, 32, 33, 64] {
        let (mut publisher, subscribable) = channel::<u64>(capacity);
        let mut subscriber = subscribable.subscribe();
        for n in 0..rounds {
            assert_eq!(
                (subscriber.pending(), subscriber.try_recv()),
                (0, Err(EMPTY))
            );
            publisher.publish(n);
            assert_eq!((subscriber.pending(), subscriber.try_recv()), (1, Ok(n)));
        }
    }
}

/// A batch larger than the ring neither waits for room that cannot come nor fails: it goes in parts.
#[test]
fn b11_batches_of_any_size_have_an_answer() {
    for capacity in [1, 3, 8_usize] {
        let values: Vec<_> = (0..3 * capacity as u64 + 1).collect();
        let (mut publisher, subscribable) = channel_bounded::<u64>(capacity, 0);
        let mut subscriber = subscribable.subscribe();
        publisher.publish_batch(&[]);
        assert_eq!(publisher.try_publish_batch(&[]), 0);
        assert_eq!(publisher.try_publish_batch(&values), capacity);
        assert_eq!(publisher.try_publish_batch(&values), 0, "full");
        assert!(subscriber.drain().eq(0..capacity as u64));
        drop(subscriber);
        publisher.publish_batch(&values);
        assert_eq!(publisher.published(), (capacity + values.len()) as u64);
    }
}

/// With a reader at work a long batch gets through a short ring, in order.
#[test]
fn b11_a_batch_longer_than_the_ring_gets_through() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(3, 1);
    let mut subscriber = subscribable.subscribe();
    let values: Vec<_> = (0..100).collect();
    std::thread::scope(|scope| {
        scope.spawn(|| publisher.publish_batch(&values));
        assert!(subscriber.iter().take(100).eq(0..100));
    });
}

/// Everything a run can tell, from a start at `first`, told relative to it.
fn tale(first: u64, capacity: usize) -> Vec<String> {
    let builder = Builder::new(capacity).first_sequence(first);
    let (mut publisher, subscribable) = builder.lossy::<u64>().unwrap();
    let mut quick = subscribable.subscribe();
    let mut slow = subscribable.subscribe();
    let mut tale = Vec::new();
    for n in 0..12 {
        publisher.publish(n);
        tale.push(format!("{:?} {:?}", quick.try_recv(), quick.pending()));
        let oldest = subscribable.subscribe_from_oldest().cursor();
        tale.push(format!("{} {}", oldest.wrapping_sub(first), slow.pending()));
    }
    tale.extend((0..3).map(|_| format!("{:?} {:?}", slow.try_recv(), slow.latest())));
    drop(publisher);
    tale.push(
        format!("{:?} {:?} {slow:?}", quick.try_recv(), slow.try_recv())
            .replace(&format!("cursor: {}", slow.cursor()), "")
            .replace(&format!("published: {}", subscribable.published()), ""),
    );
    tale
}

/// Nothing changes where sequences pass 2^63 or wrap at 2^64.
#[test]
fn b19_a_run_across_the_wrap_is_like_any_other() {
    for capacity in [1, 3, 4] {
        for first in [(1 << 63) - 5, 1 << 63, u64::MAX - 5, u64::MAX] {
            assert_eq!(tale(first, capacity), tale(0, capacity));
        }
    }
}

/// Gating, too, is right across the wrap: full, freed, left.
#[test]
fn b19_gates_hold_across_the_wrap() {
    for first in [0, (1 << 63) - 5, u64::MAX - 5] {
        for capacity in [1, 3, 4_usize] {
            let builder = Builder::new(capacity).first_sequence(first);
            let (mut publisher, subscribable) = builder.gating::<u64>().unwrap();
            let mut subscriber = subscribable.subscribe();
            for lap in 0..12 {
                let values: Vec<_> = (lap..lap + capacity as u64 + 1).collect();
                assert_eq!(publisher.try_publish_batch(&values), capacity);
                let expected = &values[..capacity];
                assert!(subscriber.drain().eq(expected.iter().copied()));
            }
        }
    }
}

/// The loops that people write do not end at a lag, and the count is at hand in each.
#[test]
fn b21_no_obvious_loop_ends_at_a_lag() {
    let lagging = || {
        let (mut publisher, subscribable) = channel::<u64>(4);
        let subscriber = subscribable.subscribe();
        (0..10).for_each(|n| publisher.publish(n));
        subscriber
    };
    let check = |got: Vec<u64>, subscriber: &Subscriber<u64>| {
        assert_eq!((got, subscriber.total_lagged()), ((6..10).collect(), 6));
    };

    let (mut subscriber, mut got) = (lagging(), vec![]);
    while let Ok(value) = subscriber.recv() {
        got.push(value);
    }
    check(got, &subscriber);

    let (mut subscriber, mut got) = (lagging(), vec![]);
    for value in &mut subscriber {
        got.push(value);
    }
    check(got, &subscriber);

    let mut subscriber = lagging();
    check(subscriber.drain().collect(), &subscriber);

    let (mut subscriber, mut got) = (lagging(), vec![]);
    while let Ok(value) = subscriber.recv_timeout(Duration::MAX) {
        got.push(value);
    }
    check(got, &subscriber);

    let mut subscriber = lagging();
    let mut told = vec![];
    loop {
        subscriber.wait();
        match subscriber.try_recv() {
            Ok(_) | Err(EMPTY) => {}
            Err(TryRecvError::Lagged { skipped }) => told.push(skipped),
            Err(CLOSED) => break,
        }
    }
    assert_eq!(told, [6]);
}

/// A gating ring that nobody gates does not make its publisher wait.
#[test]
fn b22_with_nobody_to_wait_for_publishing_goes_on() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 1);
    (0..5).for_each(|n| publisher.publish(n));
    let mut tap = subscribable.subscribe_lossy();
    publisher.publish_batch(&[5, 6, 7, 8, 9]);
    assert!(publisher.publish_timeout(10, Duration::ZERO).is_ok());
    assert_eq!(tap.try_recv(), Err(TryRecvError::Lagged { skipped: 4 }));
    let (mut publisher, _subscribable) = event_channel(2, || 0);
    (0..5).for_each(|n| publisher.publish(|value| *value = n));
}

/// The forms that do not wait end as the ones that do.
#[test]
fn b37_not_waiting_learns_of_the_close() {
    fn ends<C: Contract>((mut publisher, subscribable): Ends<C>) {
        let mut subscriber = subscribable.subscribe();
        publisher.publish_batch(&[0, 1, 2]);
        drop(publisher);
        let answers: Vec<_> = (0..6).map(|_| subscriber.try_recv()).collect();
        let end = Err(CLOSED);
        assert_eq!(answers, [Ok(0), Ok(1), Ok(2), end, end, end]);
        assert_eq!(subscriber.recv_batch(&mut [0; 4]), 0);
        assert_eq!(
            (subscriber.latest(), subscriber.drain().next()),
            (None, None)
        );
        assert!(subscriber.is_closed() && subscriber.wait_timeout(Duration::ZERO));
    }
    ends(channel(4));
    ends(channel_bounded(4, 1));
}

/// Whoever comes after the end is told so at once, on every way in and in every form.
#[test]
fn b38_a_subscriber_made_after_the_close_is_told_at_once() {
    fn told<C: Contract>(mut subscriber: Subscriber<u64, C>) {
        assert_eq!(subscriber.try_recv(), Err(CLOSED));
        assert_eq!(subscriber.recv(), Err(RecvError));
        let timed = subscriber.recv_timeout(Duration::MAX);
        assert_eq!(timed, Err(RecvTimeoutError::Closed));
        subscriber.wait();
        assert_eq!(subscriber.iter().next(), None);
    }
    fn ways<C: Contract>((publisher, subscribable): Ends<C>) {
        let before = subscribable.subscribe();
        drop(publisher);
        told(subscribable.subscribe());
        told(subscribable.subscribe_lossy());
        told(subscribable.subscribe_from_oldest());
        told(subscribable.subscribe_at(0).unwrap());
        told(subscribable.clone().subscribe());
        told(before.resubscribe());
        told(before);
    }
    ways(channel(3));
    ways(channel_bounded(3, 0));
}

/// After the close retained messages are still there for those who come late.
#[test]
fn b38_history_outlives_the_publisher() {
    let (mut publisher, subscribable) = channel::<u64>(3);
    publisher.publish_batch(&[0, 1, 2, 3]);
    drop(publisher);
    assert!(subscribable.subscribe_from_oldest().into_iter().eq(1..4));
    assert!(subscribable.subscribe_at(2).unwrap().into_iter().eq(2..4));
}

/// One question about the last message of a closed ring; `Some` when the answer is that message.
fn ask(question: usize, subscriber: &mut Subscriber<u64>) -> Option<u64> {
    match question {
        0 => subscriber.try_recv().ok(),
        1 => subscriber.recv().ok(),
        2 => subscriber.latest(),
        3 => subscriber.drain().next(),
        _ => {
            assert!(subscriber.is_closed());
            assert!(subscriber.wait_timeout(Duration::ZERO));
            assert!(subscriber.pending() <= 1);
            None
        }
    }
}

/// In whatever order one asks, the last message comes exactly once, and the end only after it.
#[test]
fn b39_the_last_message_comes_once_in_any_order_of_questions() {
    for order in 0..5_usize.pow(5) {
        let (mut publisher, subscribable) = channel::<u64>(1);
        let mut subscriber = subscribable.subscribe();
        publisher.publish(7);
        drop(publisher);
        let questions = (0..5).map(|n| order / 5_usize.pow(n) % 5);
        let answers: Vec<_> = questions.filter_map(|q| ask(q, &mut subscriber)).collect();
        let expected: &[u64] = if order == 5_usize.pow(5) - 1 {
            &[]
        } else {
            &[7]
        };
        assert_eq!(answers, expected, "order {order}");
    }
}
