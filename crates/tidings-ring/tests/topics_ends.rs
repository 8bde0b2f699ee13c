//! How topics end: taken away while their publisher is in or out, swapped, in any order, under any name, and by several at once.
#![cfg(not(loom))]

use std::sync::Barrier;
use std::thread;
use tidings_ring::{
    AnyTopics, Publisher, RecvError, TopicError, TopicMode, TopicOptions, Topics, TryRecvError,
};

fn bus() -> Topics<u64> {
    Topics::new(TopicOptions::new(8))
}

/// How often a race is run.
const RUNS: u64 = if cfg!(miri) { 3 } else { 300 };

#[test]
fn a_topic_that_is_removed_ends_while_its_publisher_is_out() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let place = topics.subscribable("a").unwrap();
    let mut publisher = topics.publisher("a").unwrap();
    publisher.publish(1);
    publisher.publish(2);
    topics.remove("a").unwrap();
    assert!(subscriber.is_closed() && place.is_closed() && publisher.is_removed());
    assert_eq!((subscriber.recv(), subscriber.recv()), (Ok(1), Ok(2)));
    assert_eq!(subscriber.recv(), Err(RecvError));
    assert_eq!(place.subscribe().recv(), Err(RecvError));
}

#[test]
fn a_thread_that_waits_is_told_that_the_topic_was_removed() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let _publisher = topics.publisher("a").unwrap();
    let waits = thread::spawn(move || subscriber.recv());
    topics.remove("a").unwrap();
    assert_eq!(waits.join().unwrap(), Err(RecvError));
}

#[test]
fn a_publisher_goes_on_without_its_topic() {
    let topics = bus();
    let mut behind = topics.subscribe("a").unwrap();
    let mut publisher = topics.publisher("a").unwrap();
    publisher.publish(1);
    topics.remove("a").unwrap();
    publisher.publish(2);
    // Whoever was not at the end yet may receive it; nobody finds it by name.
    assert_eq!((behind.recv(), behind.recv()), (Ok(1), Ok(2)));
    assert_eq!(behind.recv(), Err(RecvError));
    assert_eq!(topics.publisher("a").unwrap().published(), 0);
    assert_eq!(publisher.published(), 2);
}

#[test]
fn a_subscriber_of_a_removed_gating_topic_holds_its_publisher_until_it_goes() {
    let topics = bus();
    let options = TopicOptions::new(2).mode(TopicMode::Gating);
    topics.create("a", options).unwrap();
    let subscriber = topics.subscribe_gating("a").unwrap();
    let mut publisher = topics.gating_publisher("a").unwrap();
    topics.remove("a").unwrap();
    assert_eq!(publisher.try_publish_batch(&[1, 2, 3]), 2);
    assert!(publisher.try_publish(3).is_err());
    drop(subscriber);
    assert!(publisher.try_publish(3).is_ok());
}

#[test]
fn a_publisher_comes_home_to_its_topic_and_not_to_its_successor() {
    let topics = bus();
    let mut old = topics.publisher("a").unwrap();
    topics.remove("a").unwrap();
    let mut subscriber = topics.subscribe("a").unwrap();
    let mut new = topics.publisher("a").unwrap();
    old.publish(1);
    drop(old);
    assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Taken);
    new.publish(2);
    assert!(!new.is_removed());
    drop(new);
    assert_eq!(topics.publisher("a").unwrap().published(), 1);
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
fn a_topic_of_many_ends_at_once_when_nobody_publishes() {
    let topics = bus();
    topics.create("a", TopicOptions::new(4).many()).unwrap();
    let mut subscriber = topics.subscribe("a").unwrap();
    topics.shared_publisher("a").unwrap().publish(1);
    topics.remove("a").unwrap();
    assert_eq!(
        (subscriber.recv(), subscriber.recv()),
        (Ok(1), Err(RecvError))
    );
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
    assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Ended);
    assert_eq!(topics.publisher("b").unwrap_err(), TopicError::Ended);
    assert_eq!((b.recv(), b.recv()), (Ok(2), Err(RecvError)));
    of_b.publish(1);
    drop(of_b);
    assert_eq!((a.recv(), a.recv()), (Ok(1), Err(RecvError)));
    assert!(!topics.has_publisher("a") && !topics.has_publisher("b"));
    topics.remove("a").unwrap();
    assert!(topics.publisher("a").is_ok(), "the name is free");
}

#[test]
fn a_publisher_that_was_replaced_does_not_come_back() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let mut lent = topics.publisher("a").unwrap();
    let (foreign, place) = tidings_ring::channel::<u64>(2);
    let mut own: Publisher<u64> = std::mem::replace(&mut *lent, foreign);
    assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Taken);
    drop(lent);
    assert!(place.is_closed(), "the foreign one is dropped");
    assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Ended);
    own.publish(1);
    assert_eq!(subscriber.try_recv(), Ok(1), "the stream goes on");
    assert!(topics.list()[0].is_published);
    topics.remove("a").unwrap();
    assert_eq!(subscriber.recv(), Err(RecvError), "until it is removed");
}

#[test]
fn a_publisher_that_was_dropped_elsewhere_ends_its_topic() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let mut lent = topics.publisher("a").unwrap();
    *lent = tidings_ring::channel(2).0;
    assert_eq!(subscriber.recv(), Err(RecvError));
    assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Ended);
    let told = &topics.list()[0];
    assert!(!told.is_published && !told.has_publisher);
    drop(lent);
    assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Ended);
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
fn a_publisher_of_a_removed_topic_is_not_taken_for_that_of_its_successor() {
    let topics = bus();
    let mut old = topics.publisher("a").unwrap();
    old.publish(1);
    topics.remove("a").unwrap();
    let mut new = topics.publisher("a").unwrap();
    std::mem::swap(&mut *old, &mut *new);
    assert!(old.is_removed() && !new.is_removed(), "by their topics");
    drop(new);
    assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Ended);
    assert_eq!(old.published(), 0, "it has the new one's");
}

#[test]
fn the_order_of_the_drops_does_not_matter() {
    for order in ["bps", "bsp", "pbs", "psb", "sbp", "spb"] {
        let topics = bus();
        let place = topics.subscribable("a").unwrap();
        let mut subscriber = Some(topics.subscribe("a").unwrap());
        let mut publisher = topics.publisher("a").ok();
        let mut topics = Some(topics);
        for what in order.chars() {
            match what {
                'b' => topics = None,
                'p' => publisher = None,
                _ => subscriber = None,
            }
            assert_eq!(place.is_closed(), topics.is_none(), "{order}");
        }
        assert!(publisher.is_none() && subscriber.is_none());
    }
}

#[test]
fn any_string_is_a_name() {
    let topics = bus();
    let long = "n".repeat(100_000);
    let names = ["", " ", "a\0b", "été", "e\u{301}te\u{301}", "🦀/+/#", &long];
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
    let name = |n| format!("{n:04}");
    let subscribe = |n| topics.subscribe(&name(n)).unwrap();
    let mut subscribers: Vec<_> = (0..count).rev().map(subscribe).collect();
    let out: Vec<_> = (0..count)
        .step_by(2)
        .map(|n| topics.publisher(&name(n)))
        .collect();
    let list = topics.list();
    assert!(list.is_sorted_by(|one, next| one.name < next.name) && list.len() == count);
    drop(topics);
    assert!(subscribers.iter_mut().all(|one| one.recv().is_err()));
    drop(out);
}

#[test]
fn one_of_those_who_ask_for_the_publisher_gets_it() {
    for _ in 0..RUNS {
        let topics = bus();
        let got: usize = thread::scope(|scope| {
            let threads = [(); 3].map(|()| scope.spawn(|| topics.publisher("a")));
            // All answers are there before any publisher comes home.
            let answers = threads.map(|thread| thread.join().unwrap());
            answers.iter().filter(|answer| answer.is_ok()).count()
        });
        assert_eq!(got, 1);
        assert!(topics.has_publisher("a"));
    }
}

#[test]
fn one_of_those_who_create_a_topic_makes_it() {
    for _ in 0..RUNS {
        let topics = AnyTopics::new(TopicOptions::new(2));
        let create = |mode| topics.create::<u32>("a", TopicOptions::new(4).mode(mode));
        let (lossy, gating) = thread::scope(|scope| {
            let other = scope.spawn(|| create(TopicMode::Gating));
            (create(TopicMode::Lossy), other.join().unwrap())
        });
        let (made, lost) = match lossy {
            Ok(()) => (TopicMode::Lossy, gating),
            Err(_) => (TopicMode::Gating, lossy),
        };
        assert_eq!(lost, Err(TopicError::Exists));
        assert_eq!(topics.list()[0].mode, made);
    }
}

#[test]
fn one_of_those_who_remove_a_topic_does() {
    for _ in 0..RUNS {
        let topics = bus();
        let mut subscriber = topics.subscribe("a").unwrap();
        let removed = thread::scope(|scope| {
            let threads = [(); 2].map(|()| scope.spawn(|| topics.remove("a").is_ok()));
            threads.map(|thread| thread.join().unwrap())
        });
        assert_ne!(removed[0], removed[1]);
        assert_eq!(subscriber.recv(), Err(RecvError));
    }
}

#[test]
fn a_publisher_comes_home_or_goes_with_its_topic() {
    for run in 0..RUNS {
        let topics = bus();
        let mut subscriber = topics.subscribe("a").unwrap();
        let mut publisher = topics.publisher("a").unwrap();
        let together = Barrier::new(2);
        thread::scope(|scope| {
            scope.spawn(|| {
                publisher.publish(run);
                together.wait();
                drop(publisher);
            });
            together.wait();
            topics.remove("a").unwrap();
        });
        assert_eq!(
            (subscriber.recv(), subscriber.recv()),
            (Ok(run), Err(RecvError))
        );
        assert_eq!(topics.publisher("a").unwrap().published(), 0);
    }
}

#[test]
fn a_publisher_that_is_out_is_taken_or_gone_and_has_not_ended() {
    let topics = bus();
    let asks = || {
        for n in 0..if cfg!(miri) { 10 } else { 20_000 } {
            match topics.publisher("a") {
                Ok(mut publisher) => {
                    publisher.publish(n);
                    topics.remove("a").unwrap();
                }
                Err(error) => assert_eq!(error, TopicError::Taken),
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(asks);
        asks();
    });
    assert!(topics.list().iter().all(|topic| topic.has_publisher));
}

#[test]
fn whoever_asks_while_the_topic_is_removed_gets_its_publisher_or_its_successors() {
    for many in [false, true] {
        let options = TopicOptions::new(4);
        let topics = Topics::<u64>::new(if many { options.many() } else { options });
        thread::scope(|scope| {
            let asks = scope.spawn(|| {
                for n in 0..RUNS {
                    if many {
                        topics.shared_publisher("a").unwrap().publish(n);
                    } else {
                        topics.publisher("a").unwrap().publish(n);
                    }
                }
            });
            while !asks.is_finished() {
                let _ = topics.remove("a");
            }
        });
    }
}
