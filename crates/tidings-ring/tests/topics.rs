//! Rings by name: made when asked for, found by anybody, lent, taken back, taken away.
#![cfg(not(loom))]

use std::sync::Barrier;
use tidings_ring::{
    AnyTopics, BuildError, Gating, RecvError, Subscriber, TopicError, TopicMode, TopicOptions,
    TopicPublisher, Topics, TryRecvError,
};

fn bus() -> Topics<u64> {
    Topics::new(TopicOptions::new(8))
}

fn gating() -> TopicOptions {
    TopicOptions::new(4).mode(TopicMode::Gating)
}

#[test]
fn a_topic_is_made_by_whoever_asks_first() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    assert!(topics.contains("a") && !topics.contains("b"));
    topics.clone().publisher("a").unwrap().publish(7);
    assert_eq!(subscriber.try_recv(), Ok(7));
    topics.publisher("b").unwrap().publish(1);
    assert_eq!(
        topics
            .subscribable("b")
            .unwrap()
            .subscribe_from_oldest()
            .try_recv(),
        Ok(1)
    );
}

#[test]
fn a_publisher_that_comes_back_goes_on_with_its_stream() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    for n in 0..3 {
        let mut publisher = topics.publisher("a").unwrap();
        assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Taken);
        assert_eq!(publisher.published(), n);
        publisher.publish(n);
    }
    assert!(subscriber.drain().eq(0..3));
    assert_eq!(
        subscriber.try_recv(),
        Err(TryRecvError::Empty),
        "it is not closed"
    );
}

#[test]
fn a_publisher_comes_back_from_a_thread_that_panics() {
    let topics = bus();
    let theirs = topics.clone();
    let thread = std::thread::spawn(move || {
        let _publisher = theirs.publisher("a").unwrap();
        panic!("as asked");
    });
    assert!(thread.join().is_err());
    assert!(topics.publisher("a").is_ok());
}

#[test]
fn a_gating_topic_loses_nothing_and_has_taps() {
    let topics = bus();
    topics.create("a", gating()).unwrap();
    let mut subscriber = topics.subscribe_gating("a").unwrap();
    let mut tap = topics.subscribe("a").unwrap();
    let mut publisher = topics.gating_publisher("a").unwrap();
    assert_eq!(publisher.try_publish_batch(&[1, 2, 3, 4, 5]), 4);
    assert!(subscriber.drain().eq([1, 2, 3, 4]) && tap.drain().eq([1, 2, 3, 4]));
}

#[test]
fn a_topic_of_many_gives_as_many_publishers_as_are_asked_for() {
    let topics = bus();
    topics.create("a", gating().many()).unwrap();
    topics.create("b", TopicOptions::new(4).many()).unwrap();
    let mut subscriber = topics.subscribe_gating("a").unwrap();
    let (one, two) = (
        topics.shared_gating_publisher("a").unwrap(),
        topics.shared_gating_publisher("a").unwrap(),
    );
    one.publish(1);
    two.publish(2);
    assert!(subscriber.drain().eq([1, 2]));
    assert!(topics.shared_publisher("b").is_ok());
}

#[test]
fn what_a_topic_is_not_is_an_error_that_says_what_it_is() {
    let topics = bus();
    topics.create("gating", gating()).unwrap();
    topics.create("many", TopicOptions::new(4).many()).unwrap();
    let mode = |asked, found| TopicError::Mode { asked, found };
    let (lossy, gates) = (TopicMode::Lossy, TopicMode::Gating);
    assert_eq!(topics.publisher("gating").unwrap_err(), mode(lossy, gates));
    assert_eq!(
        topics.subscribe_gating("many").unwrap_err(),
        mode(gates, lossy)
    );
    assert_eq!(topics.publisher("many").unwrap_err(), TopicError::Many);
    assert_eq!(
        topics.shared_gating_publisher("gating").unwrap_err(),
        TopicError::One
    );
    assert_eq!(
        topics.create("many", gating()).unwrap_err(),
        TopicError::Exists
    );
    assert_eq!(topics.remove("none").unwrap_err(), TopicError::Unknown);
    let refused = topics.create("none", TopicOptions::new(0)).unwrap_err();
    assert_eq!(refused, TopicError::Build(BuildError::ZeroCapacity));
    assert_eq!(
        mode(lossy, gates).to_string(),
        "the topic is gating, not lossy"
    );
}

#[test]
fn topics_of_several_types_share_a_bus() {
    let topics = AnyTopics::new(TopicOptions::new(4));
    let mut letters = topics.subscribe::<char>("letters").unwrap();
    let mut numbers = topics.subscribe::<u64>("numbers").unwrap();
    topics.publisher("letters").unwrap().publish('a');
    topics.publisher("numbers").unwrap().publish(7_u64);
    assert_eq!((letters.try_recv(), numbers.try_recv()), (Ok('a'), Ok(7)));
    let error = topics.publisher::<u32>("letters").unwrap_err();
    let expected = TopicError::Type {
        asked: "u32",
        found: "char",
    };
    assert_eq!(error, expected);
}

#[test]
fn a_list_says_what_there_is_by_name() {
    let topics = bus();
    topics.create("b", gating()).unwrap();
    let publisher = topics.publisher("a").unwrap();
    let told: Vec<_> = topics
        .list()
        .into_iter()
        .map(|topic| {
            (
                topic.name.to_string(),
                topic.mode,
                topic.capacity,
                topic.is_published,
            )
        })
        .collect();
    let expected = [
        ("a".to_owned(), TopicMode::Lossy, 8, true),
        ("b".to_owned(), TopicMode::Gating, 4, false),
    ];
    assert_eq!(told, expected);
    drop(publisher);
    assert!(!topics.list()[0].is_published);
    assert_eq!(topics.list()[0].message, "u64");
}

#[test]
fn a_topic_is_published_while_somebody_has_a_publisher() {
    let topics = bus();
    topics.create("one", TopicOptions::new(4)).unwrap();
    topics.create("many", TopicOptions::new(4).many()).unwrap();
    let told = || {
        let list = topics.list();
        let told = list.iter().map(|topic| (topic.many, topic.is_published));
        told.collect::<Vec<_>>()
    };
    assert_eq!(told(), [(true, false), (false, false)]);
    let (one, many) = (
        topics.publisher("one").unwrap(),
        topics.shared_publisher("many").unwrap(),
    );
    assert_eq!(told(), [(true, true), (false, true)]);
    drop((one, many));
    assert_eq!(told(), [(true, false), (false, false)]);
}

#[test]
fn whether_a_publisher_can_be_had_is_told() {
    let topics = bus();
    assert!(!topics.has_publisher("a"), "nor is there a topic");
    assert!(!topics.contains("a"), "asking makes none");
    topics.create("a", gating()).unwrap();
    assert!(topics.has_publisher("a") && topics.list()[0].has_publisher);
    let publisher = topics.gating_publisher("a").unwrap();
    assert!(!topics.has_publisher("a") && !topics.list()[0].has_publisher);
    drop(publisher);
    assert!(topics.has_publisher("a"));
    topics.create("b", gating().many()).unwrap();
    let _publisher = topics.shared_gating_publisher("b").unwrap();
    assert!(topics.has_publisher("b") && topics.list()[1].has_publisher);
}

#[test]
fn what_the_bus_would_not_make_leaves_no_name() {
    let topics = bus();
    let gates = TopicError::Mode {
        asked: TopicMode::Gating,
        found: TopicMode::Lossy,
    };
    assert_eq!(topics.gating_publisher("a").unwrap_err(), gates);
    assert_eq!(topics.shared_gating_publisher("a").unwrap_err(), gates);
    assert_eq!(topics.subscribe_gating("a").unwrap_err(), gates);
    assert_eq!(topics.gating_subscribable("a").unwrap_err(), gates);
    assert_eq!(topics.shared_publisher("a").unwrap_err(), TopicError::One);
    let many = Topics::<u64>::new(TopicOptions::new(8).many());
    assert_eq!(many.publisher("a").unwrap_err(), TopicError::Many);
    assert!(topics.list().is_empty() && many.list().is_empty());
    assert!(many.shared_publisher("a").is_ok());
}

#[test]
fn each_topic_is_as_its_options_say() {
    let topics = bus();
    for capacity in [1, 3, 1000] {
        let name = capacity.to_string();
        topics.create(&name, TopicOptions::new(capacity)).unwrap();
        assert_eq!(topics.publisher(&name).unwrap().capacity(), capacity);
    }
    let marked = TopicOptions::new(4).mode(TopicMode::Gating).watermark(1);
    topics.create("marked", marked).unwrap();
    let _subscriber = topics.subscribe_gating("marked").unwrap();
    let mut publisher = topics.gating_publisher("marked").unwrap();
    assert_eq!(publisher.try_publish_batch(&[1, 2, 3, 4, 5]), 3);
}

#[test]
fn another_type_is_refused_at_every_door() {
    let topics = AnyTopics::new(TopicOptions::new(4));
    topics.create::<char>("a", TopicOptions::new(4)).unwrap();
    let wrong = TopicError::Type {
        asked: "u8",
        found: "char",
    };
    assert_eq!(topics.publisher::<u8>("a").unwrap_err(), wrong);
    assert_eq!(topics.gating_publisher::<u8>("a").unwrap_err(), wrong);
    assert_eq!(topics.shared_publisher::<u8>("a").unwrap_err(), wrong);
    assert_eq!(
        topics.shared_gating_publisher::<u8>("a").unwrap_err(),
        wrong
    );
    assert_eq!(topics.subscribe::<u8>("a").unwrap_err(), wrong);
    assert_eq!(topics.subscribe_gating::<u8>("a").unwrap_err(), wrong);
    assert_eq!(topics.subscribable::<u8>("a").unwrap_err(), wrong);
    assert_eq!(topics.gating_subscribable::<u8>("a").unwrap_err(), wrong);
    assert_eq!(
        topics.create::<u8>("a", TopicOptions::new(4)),
        Err(TopicError::Exists)
    );
    assert!(topics.has_publisher("a"), "it was lent to nobody");
    topics.remove("a").unwrap();
    assert!(topics.publisher::<u8>("a").is_ok(), "the name is free");
}

#[test]
fn buses_share_no_names() {
    let (one, other) = (bus(), bus());
    let mut subscriber = other.subscribe("a").unwrap();
    one.publisher("a").unwrap().publish(1);
    assert_eq!(subscriber.try_recv(), Err(TryRecvError::Empty));
    one.remove("a").unwrap();
    assert!(other.contains("a"));
}

#[test]
fn a_topic_that_is_removed_ends_and_its_name_is_free() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    topics.publisher("a").unwrap().publish(1);
    let late = topics.subscribable("a").unwrap();
    topics.remove("a").unwrap();
    assert_eq!(subscriber.recv(), Ok(1));
    assert_eq!(subscriber.recv(), Err(RecvError));
    // Trial B38: every way to what is closed says so at once.
    assert_eq!(late.subscribe().try_recv(), Err(TryRecvError::Closed));
    assert_eq!(late.subscribe().recv(), Err(RecvError));
    assert_eq!(subscriber.resubscribe().recv(), Err(RecvError));
    assert_eq!(
        topics.publisher("a").unwrap().published(),
        0,
        "it is a new one"
    );
}

#[test]
fn a_bus_that_is_dropped_ends_its_topics() {
    let topics = bus();
    let mut idle = topics.subscribe("idle").unwrap();
    let mut busy = topics.subscribe("busy").unwrap();
    let mut publisher = topics.publisher("busy").unwrap();
    publisher.publish(1);
    drop(topics.clone());
    assert_eq!(idle.try_recv(), Err(TryRecvError::Empty), "it has a handle");
    drop(topics);
    assert_eq!(idle.recv(), Err(RecvError));
    assert_eq!((busy.recv(), busy.recv()), (Ok(1), Err(RecvError)));
    assert!(publisher.is_removed());
}

#[test]
fn those_who_ask_at_the_same_time_get_one_ring() {
    for _ in 0..if cfg!(miri) { 2 } else { 200 } {
        let (topics, together) = (bus(), Barrier::new(4));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    together.wait();
                    let mut subscriber = topics.subscribe("a").unwrap();
                    if together.wait().is_leader() {
                        topics.publisher("a").unwrap().publish(7);
                    }
                    assert_eq!(subscriber.recv(), Ok(7));
                });
            }
        });
    }
}

#[test]
fn a_publisher_handed_from_thread_to_thread_loses_nothing() {
    const EACH: u64 = if cfg!(miri) { 20 } else { 500 };
    let topics = bus();
    topics.create("a", gating()).unwrap();
    let mut subscriber: Subscriber<u64, Gating> = topics.subscribe_gating("a").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..EACH {
                    let mut publisher: TopicPublisher<u64, Gating> = loop {
                        match topics.gating_publisher("a") {
                            Ok(publisher) => break publisher,
                            Err(error) => assert_eq!(error, TopicError::Taken),
                        }
                        std::thread::yield_now();
                    };
                    let next = publisher.published();
                    publisher.publish(next);
                }
            });
        }
        for n in 0..3 * EACH {
            assert_eq!(subscriber.recv(), Ok(n));
        }
    });
}

#[test]
fn topics_come_and_go_while_others_use_them() {
    let topics = bus();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for n in 0..if cfg!(miri) { 10 } else { 500 } {
                    let mut subscriber = topics.subscribe("a").unwrap();
                    if let Ok(mut publisher) = topics.publisher("a") {
                        publisher.publish(n);
                    }
                    let _ = topics.remove("a");
                    while subscriber.try_recv().is_ok() {}
                }
            });
        }
    });
}

#[test]
fn handles_cross_threads_and_print() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Topics<u64>>();
    crosses::<AnyTopics>();
    crosses::<TopicPublisher<u64>>();
    let topics = bus();
    let publisher = topics.publisher("a").unwrap();
    assert!(format!("{topics:?}").starts_with("Topics(AnyTopics([TopicInfo { name: \"a\""));
    assert!(format!("{publisher:?}").starts_with("TopicPublisher(Some(Publisher"));
}
