//! How topics end: taken away, swapped, with wakers that panic or call back, under any name and in any order.
#![cfg(not(loom))]

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Wake, Waker};
use tidings_ring::{
    AnyTopics, Publisher, RecvError, TopicError, TopicMode, TopicOptions, Topics, TryRecvError,
};

fn bus() -> Topics<u64> {
    Topics::new(TopicOptions::new(8))
}

/// A waker that calls a function.
struct Calls<F>(F);

impl<F: Fn() + Send + Sync + 'static> Wake for Calls<F> {
    fn wake(self: Arc<Self>) {
        (self.0)();
    }
}

fn waker(call: impl Fn() + Send + Sync + 'static) -> Waker {
    Waker::from(Arc::new(Calls(call)))
}

#[test]
fn publishers_that_were_swapped_stay_with_their_streams() {
    let topics = bus();
    let mut a = topics.subscribe("a").unwrap();
    let mut b = topics.subscribe("b").unwrap();
    let mut of_a = topics.publisher("a").unwrap();
    let mut of_b = topics.publisher("b").unwrap();
    std::mem::swap(&mut *of_a, &mut *of_b);
    of_a.publish(2);
    drop(of_a);
    // It was not taken for the publisher of `a`; it was dropped, which ends `b`.
    assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Taken);
    assert_eq!(topics.publisher("b").unwrap_err(), TopicError::Ended);
    assert_eq!((b.recv(), b.recv()), (Ok(2), Err(RecvError)));
    of_b.publish(1);
    drop(of_b);
    assert_eq!((a.recv(), a.recv()), (Ok(1), Err(RecvError)));
    topics.remove("a").unwrap();
    assert!(topics.publisher("a").is_ok(), "the name is free");
}

#[test]
fn publishers_that_were_swapped_back_come_home() {
    let topics = bus();
    let mut lent = topics.publisher("a").unwrap();
    let (foreign, _subscribable) = tidings_ring::channel::<u64>(2);
    let own: Publisher<u64> = std::mem::replace(&mut *lent, foreign);
    let foreign = std::mem::replace(&mut *lent, own);
    drop(lent);
    assert_eq!(foreign.capacity(), 2);
    assert_eq!(topics.publisher("a").unwrap().capacity(), 8);
}

#[test]
fn a_publisher_comes_home_to_its_topic_and_not_to_its_successor() {
    let topics = bus();
    let mut old = topics.publisher("a").unwrap();
    topics.remove("a").unwrap();
    let mut subscriber = topics.subscribe("a").unwrap();
    old.publish(1);
    drop(old);
    let mut new = topics.publisher("a").unwrap();
    new.publish(2);
    assert_eq!(subscriber.try_recv(), Ok(2));
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
}

#[test]
fn publishers_of_a_topic_of_many_keep_it_open_after_it_is_removed() {
    let topics = bus();
    topics.create("a", TopicOptions::new(4).many()).unwrap();
    let mut subscriber = topics.subscribe("a").unwrap();
    let publisher = topics.shared_publisher("a").unwrap();
    topics.remove("a").unwrap();
    publisher.publish(1);
    assert_eq!(subscriber.try_recv(), Ok(1));
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
    drop(publisher);
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Closed));
}

#[test]
fn a_waker_that_panics_leaves_the_bus_in_order() {
    let topics = bus();
    let mut panics = topics.subscribe("a").unwrap();
    let mut counts = topics.subscribe("a").unwrap();
    let woken = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&woken);
    let (alarm, bell) = (
        waker(|| panic!("as asked")),
        waker(move || _ = seen.fetch_add(1, Relaxed)),
    );
    {
        let (mut first, mut second) = (pin!(panics.recv_async()), pin!(counts.recv_async()));
        assert!(
            first
                .as_mut()
                .poll(&mut Context::from_waker(&alarm))
                .is_pending()
        );
        assert!(
            second
                .as_mut()
                .poll(&mut Context::from_waker(&bell))
                .is_pending()
        );
        let removed = catch_unwind(AssertUnwindSafe(|| topics.remove("a")));
        assert!(removed.is_err(), "the panic goes on to whoever removed it");
    }
    assert_eq!(woken.load(Relaxed), 1, "the others were woken");
    assert_eq!(counts.try_recv(), Err(TryRecvError::Closed));
    assert!(!topics.contains("a"));
    assert!(topics.create("a", TopicOptions::new(1)).is_ok());
}

#[test]
fn a_waker_may_use_the_bus() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let theirs = topics.clone();
    let waker = waker(move || {
        assert!(!theirs.contains("a"));
        assert_eq!(theirs.list().len(), 0);
        theirs.publisher("a").unwrap().publish(9);
    });
    let mut waiting = pin!(subscriber.recv_async());
    assert!(
        waiting
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_pending()
    );
    topics.remove("a").unwrap();
    assert_eq!(topics.list()[0].published, 1);
}

#[test]
fn the_last_handle_may_go_while_its_thread_unwinds() {
    let topics = bus();
    let mut idle = topics.subscribe("idle").unwrap();
    let mut busy = topics.subscribe("busy").unwrap();
    let unwound = catch_unwind(AssertUnwindSafe(move || {
        let mut publisher = topics.publisher("busy").unwrap();
        publisher.publish(1);
        // The bus goes first here, and the publisher second.
        let (_second, _first) = (publisher, topics);
        panic!("as asked");
    }));
    assert!(unwound.is_err());
    assert_eq!(idle.recv(), Err(RecvError));
    assert_eq!((busy.recv(), busy.recv()), (Ok(1), Err(RecvError)));
}

#[test]
fn any_string_is_a_name() {
    let topics = bus();
    let long = "n".repeat(100_000);
    let names = ["", " ", "a\0b", "été", "🦀/+/#", long.as_str()];
    for (n, name) in names.into_iter().enumerate() {
        topics.publisher(name).unwrap().publish(n as u64);
    }
    assert_eq!(topics.list().len(), names.len());
    for (n, name) in names.into_iter().enumerate() {
        let mut subscriber = topics.subscribable(name).unwrap().subscribe_from_oldest();
        assert_eq!(subscriber.try_recv(), Ok(n as u64));
        topics.remove(name).unwrap();
        assert_eq!(topics.remove(name), Err(TopicError::Unknown));
    }
    assert!(topics.list().is_empty());
}

#[test]
fn many_topics_are_listed_in_order_and_end_together() {
    let topics = bus();
    let count = if cfg!(miri) { 20 } else { 1000 };
    let mut subscribers: Vec<_> = (0..count)
        .rev()
        .map(|n| topics.subscribe(&format!("{n:04}")).unwrap())
        .collect();
    let names: Vec<String> = topics
        .list()
        .iter()
        .map(|topic| topic.name.to_string())
        .collect();
    assert!(names.is_sorted() && names.len() == count);
    drop(topics);
    assert!(
        subscribers
            .iter_mut()
            .all(|subscriber| subscriber.recv().is_err())
    );
}

#[test]
fn one_of_those_who_ask_for_the_publisher_gets_it() {
    for _ in 0..if cfg!(miri) { 2 } else { 100 } {
        let topics = bus();
        let got: usize = std::thread::scope(|scope| {
            let ask = || topics.publisher("a").map(|publisher| (publisher, true));
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            let answers: Vec<_> = threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect();
            assert!(
                answers
                    .iter()
                    .flatten()
                    .all(|(publisher, _)| publisher.capacity() == 8)
            );
            answers.iter().filter(|answer| answer.is_ok()).count()
        });
        assert_eq!(got, 1);
    }
}

#[test]
fn one_of_those_who_create_a_topic_makes_it() {
    for _ in 0..if cfg!(miri) { 2 } else { 100 } {
        let topics = AnyTopics::new(TopicOptions::new(2));
        let made: Vec<bool> = std::thread::scope(|scope| {
            let of = |mode| {
                let topics = &topics;
                move || {
                    topics
                        .create::<u32>("a", TopicOptions::new(4).mode(mode))
                        .is_ok()
                }
            };
            let threads = [
                scope.spawn(of(TopicMode::Lossy)),
                scope.spawn(of(TopicMode::Gating)),
            ];
            threads.map(|thread| thread.join().unwrap()).to_vec()
        });
        assert_ne!(made[0], made[1]);
        let expected = if made[0] {
            TopicMode::Lossy
        } else {
            TopicMode::Gating
        };
        assert_eq!(topics.list()[0].mode, expected);
    }
}

#[test]
fn names_and_errors_say_what_was_wrong() {
    assert_eq!(
        TopicError::Ended.to_string(),
        "the topic's publisher was dropped elsewhere"
    );
    assert_eq!(
        TopicError::Taken.to_string(),
        "the topic's publisher is in use"
    );
    let topics = AnyTopics::new(TopicOptions::new(0));
    let error = topics.subscribe::<u64>("a").unwrap_err();
    assert_eq!(
        error.to_string(),
        "capacity is 0: a ring holds at least one message"
    );
    assert!(!topics.contains("a"), "what cannot be made leaves no name");
}
