//! Consumers whose handler panics, or something else of theirs does: what becomes of them, and who is told.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use std::sync::mpsc::channel as queue;
use tidings_ring::{
    Consumer, channel_bounded,
    consumer::{Delivery, PanicPolicy, Stop},
    event_channel,
};

fn falls_ill(_: &u64, _: Delivery) {
    panic!("ill");
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
