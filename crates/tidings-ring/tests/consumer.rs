//! Consumers: what a handler is given, how a consumer ends, and what whoever joins it is told.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use std::{
    ops::ControlFlow,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel as queue},
    },
    time::{Duration, Instant},
};
use tidings_ring::{
    Consumer, WaitStrategy, channel, channel_bounded, channel_mpmc, channel_mpmc_bounded,
    consumer::{Delivery, Feed, Flow, JoinTimeoutError, Outcome, PanicPolicy, Stop},
    event_channel, event_channel_mpmc, value_channel,
};

/// As many messages as a test sends through at length.
const MANY: u64 = if cfg!(miri) { 60 } else { 3_000 };
/// Longer than anything here takes, unless it hangs.
const GUARD: Duration = Duration::from_secs(60);

/// A handler that holds at each message until it is let go on.
fn held<T: Copy + Send + 'static>() -> (
    impl FnMut(&T, Delivery) + Send + 'static,
    Receiver<T>,
    Sender<()>,
) {
    let ((says, began), (go, goes)) = (queue(), queue());
    let handler = move |message: &T, _: Delivery| {
        says.send(*message).unwrap();
        // Let go on by a message, or by the end of the test.
        let _ = goes.recv();
    };
    (handler, began, go)
}

fn falls_ill(_: &u64, _: Delivery) {
    panic!("ill");
}

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
    let list = std::mem::take(&mut *list.lock().unwrap());
    list
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

    let (publisher, subscribable) = value_channel::<Box<[u8]>>(64);
    let feed = subscribable.subscribe();
    (0..20).for_each(|length| publisher.publish(vec![0; length].into()));
    drop(publisher);
    let (says, heard) = queue();
    let consumer = Consumer::spawn(feed, move |bytes: &Box<[u8]>, _| {
        says.send(bytes.len()).unwrap();
    });
    consumer.join().unwrap();
    assert!(heard.iter().eq(0..20));
}

#[test]
fn the_slot_is_given_back_when_the_handler_returns_and_not_before() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(1, 0);
    let (handler, began, go) = held();
    let consumer = Consumer::spawn(subscribable.subscribe(), handler);
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
    assert_eq!(consumer.join().unwrap().received, 3 * MANY);
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
            scope.spawn(move || (0..MANY).for_each(|n| publisher.publish(n)));
        }
    });
    drop(publisher);
    let report = consumer.join().unwrap();
    let counted = report.received + report.lagged + report.aborted;
    assert_eq!((counted, report.left), (2 * MANY, 0));
}

#[test]
fn a_handler_may_end_its_consumer() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (first, second) = (subscribable.subscribe(), subscribable.subscribe());
    publisher.publish_batch(&[1, 2, 3]);
    let first = Consumer::spawn(first, |n: &u64, _| match *n {
        2 => Flow::Stop,
        _ => Flow::Continue,
    });
    let report = first.join().unwrap();
    assert_eq!((report.outcome, report.received), (Outcome::Stopped, 2));
    assert_eq!(report.left, 1);
    let second = Consumer::spawn(second, |_: &u64, _| ControlFlow::Break(()));
    assert_eq!(second.join().unwrap().received, 1);
    // Nobody is left who could hold it back.
    (0..100).for_each(|n| publisher.publish(n));
}

#[test]
fn draining_handles_what_was_published_before_and_stops_there() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (handler, began, go) = held();
    let consumer = Consumer::spawn(subscribable.subscribe(), handler);
    publisher.publish_batch(&[0, 1, 2, 3]);
    assert_eq!(began.recv(), Ok(0));
    consumer.shutdown(Stop::Drain);
    publisher.publish_batch(&[4, 5]);
    drop(go);
    let report = consumer.join().unwrap();
    assert_eq!((report.received, report.left), (4, 2));
    assert_eq!(report.outcome, Outcome::ShutDown);
    assert!(began.iter().eq(1..4));
}

#[test]
fn an_immediate_shutdown_ends_with_the_message_at_hand() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (handler, began, go) = held();
    let consumer = Consumer::spawn(subscribable.subscribe(), handler);
    publisher.publish_batch(&[0, 1, 2, 3]);
    assert_eq!(began.recv(), Ok(0));
    consumer.shutdown(Stop::Drain);
    consumer.shutdown(Stop::Immediate);
    drop(go);
    let report = consumer.join().unwrap();
    assert_eq!((report.received, report.left), (1, 3));
}

#[test]
fn a_consumer_that_sleeps_is_woken_by_a_shutdown() {
    for stop in [Stop::Drain, Stop::Immediate] {
        let (_publisher, subscribable) = channel_bounded::<u64>(8, 0);
        let (says, idle) = queue();
        let consumer = Consumer::builder()
            .wait(WaitStrategy::Park)
            .on_idle(move || says.send(()).unwrap())
            .spawn(subscribable.subscribe(), |_: &u64, _| ())
            .unwrap();
        idle.recv().unwrap();
        consumer.shutdown(stop);
        assert!(consumer.join_timeout(GUARD).is_ok());
    }
}

#[test]
fn joining_with_a_deadline_gives_the_consumer_back_and_says_what_is_left() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (handler, began, go) = held();
    let consumer = Consumer::spawn(subscribable.subscribe(), handler);
    publisher.publish_batch(&[0, 1, 2]);
    drop(publisher);
    assert_eq!(began.recv(), Ok(0));
    let late = consumer.join_deadline(Instant::now()).unwrap_err();
    assert!(late.to_string().contains("3 messages left"), "{late}");
    let JoinTimeoutError::Timeout { handle, left } = late else {
        panic!("it cannot have ended");
    };
    assert_eq!((left, handle.is_finished(), handle.cursor()), (3, false, 0));
    drop(go);
    assert_eq!(handle.join_timeout(GUARD).unwrap().received, 3);
}

#[test]
fn a_dropped_consumer_is_stopped_though_its_ring_goes_on() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (says, heard) = queue();
    let consumer = Consumer::spawn(subscribable.subscribe(), move |n: &u64, _| {
        says.send(*n).unwrap();
    });
    publisher.publish(7);
    assert_eq!(heard.recv(), Ok(7));
    drop(consumer);
    assert!(heard.recv().is_err(), "the handler is gone, and its thread");
    (0..20).for_each(|n| publisher.publish(n));
}

#[test]
fn a_dropped_consumer_drains_if_it_is_to() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (handler, began, go) = held();
    let builder = Consumer::builder().on_drop(Stop::Drain);
    let consumer = builder.spawn(subscribable.subscribe(), handler).unwrap();
    publisher.publish_batch(&[0, 1, 2, 3]);
    std::thread::scope(|scope| {
        scope.spawn(|| drop(consumer));
        drop(go);
    });
    assert!(began.iter().eq(0..4));
}

#[test]
fn a_detached_consumer_runs_on_to_the_end_of_its_ring() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let (says, heard) = queue();
    Consumer::spawn(subscribable.subscribe(), move |n: &u64, _| {
        says.send(*n).unwrap();
    })
    .detach();
    (0..100).for_each(|n| publisher.publish(n));
    drop(publisher);
    assert!(heard.iter().eq(0..100));
}

#[test]
fn a_handler_that_drops_its_own_consumer_ends_it() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(8, 0);
    let own: Arc<Mutex<Option<Consumer>>> = Arc::default();
    let (inside, (says, over)) = (Arc::clone(&own), queue());
    let consumer = Consumer::spawn(subscribable.subscribe(), move |_: &u64, _| {
        drop(inside.lock().unwrap().take());
        says.send(()).unwrap();
    });
    *own.lock().unwrap() = Some(consumer);
    publisher.publish_batch(&[1, 2, 3]);
    assert_eq!(
        over.iter().count(),
        1,
        "the message at hand was the last one"
    );
}

#[test]
fn a_panic_ends_a_consumer_and_is_told_in_its_own_words() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let builder = Consumer::builder().name("teller");
    let consumer = builder
        .spawn(subscribable.subscribe(), |n: &u64, _| {
            assert_ne!(*n, 2, "two is one too many");
        })
        .unwrap();
    // It holds nobody up once it is gone.
    (0..50).for_each(|n| publisher.publish(n));
    let halted = consumer.join().unwrap_err();
    let text = halted.to_string();
    assert!(
        text.contains("teller") && text.contains("message 2"),
        "{text}"
    );
    assert!(text.contains("two is one too many"), "{text}");
    let report = halted.into_report();
    assert_eq!((report.received, report.panics), (3, 1));
}

#[test]
fn health_tells_a_panic_from_every_other_end() {
    let (publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let well = Consumer::spawn(subscribable.subscribe(), |_: &u64, _| ());
    let stopped = Consumer::spawn(subscribable.subscribe(), |_: &u64, _| ());
    stopped.shutdown(Stop::Immediate);
    drop(publisher);
    for consumer in [well, stopped] {
        while !consumer.is_finished() {
            std::thread::yield_now();
        }
        assert!(consumer.is_healthy());
    }
    let (mut publisher, subscribable) = channel_bounded::<u64>(2, 0);
    let ill = Consumer::spawn(subscribable.subscribe(), falls_ill);
    assert!(ill.is_healthy());
    publisher.publish(1);
    while !ill.is_finished() {
        std::thread::yield_now();
    }
    assert!(!ill.is_healthy());
}

#[test]
fn a_skipped_panic_costs_its_message_only() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let (says, heard) = queue();
    let consumer = Consumer::builder()
        .on_panic(PanicPolicy::Skip)
        .spawn(subscribable.subscribe(), move |n: &u64, _| {
            assert!(n % 3 != 0, "a third of them");
            says.send(*n).unwrap();
        })
        .unwrap();
    (0..9).for_each(|n| publisher.publish(n));
    drop(publisher);
    let report = consumer.join().unwrap();
    assert_eq!((report.received, report.panics), (9, 3));
    assert!(heard.iter().eq([1, 2, 4, 5, 7, 8]));
}

/// What a handler has seen that panics at 1 so many times, and the report's panics.
fn restarted(fails: u32) -> (Vec<u64>, Result<u64, u64>) {
    let (mut publisher, subscribable) = event_channel(4, || 0_u64);
    let (says, heard) = queue();
    let mut left = fails;
    let consumer = Consumer::builder()
        .on_panic(PanicPolicy::Restart { times: 2 })
        .spawn(subscribable.subscribe(), move |n: &u64, _| {
            says.send(*n).unwrap();
            if *n == 1 && left > 0 {
                left -= 1;
                panic!("not yet");
            }
        })
        .unwrap();
    (0..3).for_each(|n| publisher.publish(|value| *value = n));
    drop(publisher);
    let ended = consumer.join();
    let ended = ended.map(|report| report.panics);
    (
        heard.iter().collect(),
        ended.map_err(|halted| halted.report().panics),
    )
}

#[test]
fn a_restart_gives_the_same_message_again() {
    assert_eq!(restarted(2), (vec![0, 1, 1, 1, 2], Ok(2)));
    assert_eq!(restarted(3), (vec![0, 1, 1, 1], Err(3)));
}

#[test]
fn a_panic_of_a_hook_ends_the_consumer_under_every_policy() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let consumer = Consumer::builder()
        .on_panic(PanicPolicy::Skip)
        .on_batch_start(|_, _| panic!("no batches here"))
        .spawn(subscribable.subscribe(), |_: &u64, _| ())
        .unwrap();
    (0..20).for_each(|n| publisher.publish(n));
    let halted = consumer.join().unwrap_err();
    assert!(halted.to_string().contains("no batches here"));
    assert_eq!(halted.report().received, 0);
}

#[test]
fn a_panic_of_the_handlers_destructor_is_told_too() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("dropped");
        }
    }
    let (publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let bomb = Bomb;
    let consumer = Consumer::spawn(subscribable.subscribe(), move |_: &u64, _| {
        let _ = &bomb;
    });
    drop(publisher);
    let halted = consumer.join().unwrap_err();
    assert!(halted.to_string().contains("dropped"), "{halted}");
}

#[test]
fn the_thread_has_the_consumers_name() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let (says, heard) = queue();
    let consumer = Consumer::builder()
        .name("archivist")
        .spawn(subscribable.subscribe(), move |_: &u64, _| {
            let name = std::thread::current().name().map(str::to_owned);
            says.send(name).unwrap();
        })
        .unwrap();
    publisher.publish(1);
    assert_eq!(heard.recv().unwrap().as_deref(), Some("archivist"));
    assert_eq!(consumer.name(), "archivist");
}
