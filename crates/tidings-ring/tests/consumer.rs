//! Consumers: what a handler is given, and when the message is given back.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/held.rs"]
mod support;

use std::sync::{Arc, Mutex, mpsc::channel as queue};
use support::{MANY, held};
use tidings_ring::{
    Consumer, channel, channel_bounded, channel_mpmc, channel_mpmc_bounded,
    consumer::{Feed, Outcome},
    event_channel, event_channel_mpmc, value_channel,
};

/// What a consumer of `feed` was handed, once `end` has ended it.
fn handed<T: Copy + Send + 'static>(feed: impl Feed<T>, end: impl FnOnce()) -> Vec<T> {
    let list = Arc::new(Mutex::new(Vec::new()));
    let writes = Arc::clone(&list);
    let consumer = Consumer::spawn(feed, move |message: &T, _| {
        writes.lock().unwrap().push(*message);
    });
    end();
    let report = consumer.join().unwrap();
    assert_eq!((report.outcome, report.left), (Outcome::Closed, 0));
    list.lock().unwrap().drain(..).collect()
}

#[test]
fn every_kind_of_subscriber_feeds_a_consumer_to_the_end_of_its_ring() {
    let all: Vec<u64> = (0..100).collect();

    let (mut publisher, subscribable) = channel::<u64>(128);
    let (lossy, tracked) = (subscribable.subscribe(), subscribable.subscribe_tracked());
    publisher.publish_batch(&all);
    drop(publisher);
    assert_eq!(handed(lossy, || ()), all);
    assert_eq!(handed(tracked, || ()), all);

    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let gating = subscribable.subscribe();
    let publish = || (0..100).for_each(move |n| publisher.publish(n));
    assert_eq!(handed(gating, publish), all);

    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let after = subscribable.subscribe_after(&[]).unwrap();
    let publish = || (0..100).for_each(move |n| publisher.publish(n));
    assert_eq!(handed(after, publish), all);
}

#[test]
fn messages_of_any_type_are_lent() {
    let (mut publisher, subscribable) = event_channel(4, String::new);
    let (says, heard) = queue();
    let consumer = Consumer::spawn(subscribable.subscribe(), move |text: &String, _| {
        says.send(text.len()).unwrap();
    });
    for length in 0..20 {
        publisher.publish(|text| *text = "x".repeat(length));
    }
    drop(publisher);
    consumer.join().unwrap();
    assert!(heard.iter().eq(0..20));

    let (publisher, subscribable) = value_channel::<Vec<u8>>(64);
    let feed = subscribable.subscribe();
    (0..20).for_each(|length| publisher.publish(vec![0; length]));
    drop(publisher);
    let (says, heard) = queue();
    let consumer = Consumer::spawn(feed, move |bytes: &Vec<u8>, _| {
        says.send(bytes.len()).unwrap();
    });
    consumer.join().unwrap();
    assert!(heard.iter().eq(0..20));
}

#[test]
fn the_slot_is_given_back_when_the_handler_returns_and_not_before() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let (mut handler, began, go) = held();
    let consumer = Consumer::spawn(subscribable.subscribe(), move |n: &u64, _| {
        handler(n);
    });
    publisher.publish(1);
    assert_eq!(began.recv(), Ok(1));
    assert!(publisher.try_publish(2).is_err(), "it is being handled");
    go.send(()).unwrap();
    publisher.publish(2);
    assert_eq!(began.recv(), Ok(2));
    drop((go, publisher));
    assert_eq!(consumer.join().unwrap().received, 2);
}

#[test]
fn the_last_message_that_was_there_is_the_end_of_a_batch() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(16, 0);
    let feed = subscribable.subscribe();
    publisher.publish_batch(&[0, 1, 2, 3, 4, 5, 6]);
    drop(publisher);
    let (says, heard) = queue();
    let sizes = says.clone();
    let consumer = Consumer::builder()
        .batch_limit(3)
        .on_batch_start(move |size, depth| sizes.send((size, depth, false)).unwrap())
        .spawn(feed, move |_: &u64, delivery| {
            says.send((99, delivery.sequence, delivery.end_of_batch))
                .unwrap();
        });
    consumer.unwrap().join().unwrap();
    let heard: Vec<_> = heard.iter().collect();
    let starts: Vec<_> = heard.iter().filter(|(size, ..)| *size != 99).collect();
    assert_eq!(starts, [&(3, 7, false), &(3, 4, false), &(1, 1, false)]);
    let ends = heard.iter().filter(|(.., end)| *end);
    assert!(ends.map(|(_, sequence, _)| *sequence).eq([2, 5, 6]));
}

#[test]
fn a_batch_of_many_publishers_ends_with_a_message_and_not_with_a_tombstone() {
    let (publisher, subscribable) = event_channel_mpmc(8, || 0_u64);
    let feed = subscribable.subscribe();
    let panics = |_: &mut u64| panic!("given up");
    publisher.publish(|value| *value = 1);
    publisher.publish(|value| *value = 2);
    let publish = std::panic::AssertUnwindSafe(|| publisher.publish(panics));
    std::panic::catch_unwind(publish).unwrap_err();
    drop(publisher);
    let (says, heard) = queue();
    let consumer = Consumer::spawn(feed, move |value: &u64, delivery| {
        says.send((*value, delivery.end_of_batch)).unwrap();
    });
    let report = consumer.join().unwrap();
    assert_eq!((report.received, report.aborted, report.left), (2, 1, 0));
    assert!(heard.iter().eq([(1, false), (2, true)]));
}

#[test]
fn many_publishers_are_heard_in_the_order_of_each() {
    let (publisher, subscribable) = channel_mpmc_bounded::<[u32; 2]>(16, 0);
    let feed = subscribable.subscribe();
    let mut last = [None; 3];
    let consumer = Consumer::spawn(feed, move |&[who, n]: &[u32; 2], _| {
        assert_eq!(last[who as usize].replace(n), n.checked_sub(1));
    });
    std::thread::scope(|scope| {
        for who in 0..3 {
            let publisher = publisher.clone();
            scope.spawn(move || (0..MANY as u32).for_each(|n| publisher.publish([who, n])));
        }
    });
    drop(publisher);
    assert_eq!(consumer.join().unwrap().received, 3 * MANY as u64);
}

#[test]
fn losses_are_told_and_counted() {
    let (mut publisher, subscribable) = channel::<u64>(4);
    let feed = subscribable.subscribe();
    publisher.publish_batch(&[0, 1, 2, 3, 4, 5, 6]);
    drop(publisher);
    let (says, lags) = queue();
    let consumer = Consumer::builder()
        .on_lag(move |skipped| says.send(skipped).unwrap())
        .spawn(feed, |_: &u64, _| ());
    let report = consumer.unwrap().join().unwrap();
    assert_eq!((report.received, report.lagged), (4, 3));
    assert!(lags.iter().eq([3]));
}

#[test]
fn a_consumer_that_is_overtaken_all_the_time_accounts_for_everything() {
    let (publisher, subscribable) = channel_mpmc::<u64>(8);
    let consumer = Consumer::spawn(subscribable.subscribe(), |_: &u64, _| {
        std::thread::yield_now();
    });
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let publisher = publisher.clone();
            scope.spawn(move || (0..MANY as u64).for_each(|n| publisher.publish(n)));
        }
    });
    drop(publisher);
    let report = consumer.join().unwrap();
    let counted = report.received + report.lagged + report.aborted;
    assert_eq!((counted, report.left), (2 * MANY as u64, 0));
}

#[cfg(feature = "platform")]
#[test]
fn a_consumer_stays_on_its_core_or_says_why_not() {
    use tidings_ring::platform::{CoreId, available_cores};
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let core = available_cores().map_or(CoreId::new(0), |cores| cores[0]);
    let (says, heard) = queue();
    let handler = move |_: &u64, _| says.send(available_cores()).unwrap();
    let builder = Consumer::builder().pin(core);
    let consumer = builder.spawn(subscribable.subscribe(), handler).unwrap();
    publisher.publish(1);
    let seen = heard.recv().unwrap();
    drop(publisher);
    let report = consumer.join().unwrap();
    assert!(report.unpinned.is_some() || seen == Ok(vec![core]));

    let (publisher, subscribable) = channel_bounded::<u64>(4, 0);
    drop(publisher);
    let nowhere = Consumer::builder().pin(CoreId::new(1 << 20));
    let consumer = nowhere.spawn(subscribable.subscribe(), |_: &u64, _| ());
    assert!(consumer.unwrap().join().unwrap().unpinned.is_some());
}
