//! What a user's code may do to a bus: wakers that panic, and that use the bus themselves; threads that unwind.
#![cfg(not(loom))]

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Wake, Waker};
use tidings_ring::{
    RecvError, Subscriber, TopicError, TopicOptions, TopicPublisher, Topics, TryRecvError,
};

fn bus() -> Topics<u64> {
    Topics::new(TopicOptions::new(8))
}

/// A waker that calls one function when it wakes, and one when it is dropped.
struct Calls<W: Fn(), D: Fn()>(W, D);

impl<W: Fn() + Send + Sync + 'static, D: Fn() + Send + Sync + 'static> Wake for Calls<W, D> {
    fn wake(self: Arc<Self>) {
        (self.0)();
    }
}

impl<W: Fn(), D: Fn()> Drop for Calls<W, D> {
    fn drop(&mut self) {
        (self.1)();
    }
}

fn waker(wakes: impl Fn() + Send + Sync + 'static) -> Waker {
    Waker::from(Arc::new(Calls(wakes, || ())))
}

/// A task that waits for a message with that waker.
fn wait<'a>(
    subscriber: &'a mut Subscriber<u64>,
    waker: &Waker,
) -> Pin<Box<dyn Future<Output = ()> + 'a>> {
    let mut future = Box::pin(async { _ = subscriber.recv_async().await });
    let polled = future.as_mut().poll(&mut Context::from_waker(waker));
    assert!(polled.is_pending());
    future
}

/// What was thrown, if it was a text.
fn thrown(act: impl FnOnce()) -> Option<&'static str> {
    let payload = catch_unwind(AssertUnwindSafe(act)).err()?;
    Some(payload.downcast_ref::<&str>().copied().unwrap_or("no text"))
}

#[test]
fn a_waker_that_panics_leaves_the_bus_in_order() {
    let topics = bus();
    let mut panics = topics.subscribe("a").unwrap();
    let mut counts = topics.subscribe("a").unwrap();
    let woken = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&woken);
    let first = wait(&mut panics, &waker(|| panic!("as asked")));
    let second = wait(&mut counts, &waker(move || _ = seen.fetch_add(1, Relaxed)));
    let said = thrown(|| topics.remove("a").unwrap());
    assert_eq!(said, Some("as asked"), "it goes on to whoever removed it");
    assert_eq!(woken.load(Relaxed), 1, "the others were woken");
    drop((first, second));
    assert_eq!(counts.try_recv(), Err(TryRecvError::Closed));
    assert!(!topics.contains("a"));
    assert!(topics.create("a", TopicOptions::new(1)).is_ok());
}

#[test]
fn a_waker_that_panics_while_its_publisher_is_out_leaves_it_usable() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let mut publisher = topics.publisher("a").unwrap();
    let waiting = wait(&mut subscriber, &waker(|| panic!("as asked")));
    assert_eq!(thrown(|| publisher.publish(1)), Some("as asked"));
    drop(waiting);
    assert_eq!(subscriber.try_recv(), Ok(1), "it was published");
    let waiting = wait(&mut subscriber, &waker(|| panic!("again")));
    assert_eq!(thrown(|| topics.remove("a").unwrap()), Some("again"));
    drop(waiting);
    publisher.publish(2);
    drop(publisher);
    assert!(topics.publisher("a").is_ok());
}

#[test]
fn a_bus_that_is_dropped_ends_every_topic_whatever_wakers_do() {
    let topics = bus();
    let names = ["a", "b", "c", "d"];
    let mut subscribers = names.map(|name| topics.subscribe(name).unwrap());
    // Of two, the publisher is out.
    let publishers = ["b", "c"].map(|name| topics.publisher(name).unwrap());
    let alarm = waker(|| panic!("as asked"));
    let tasks: Vec<_> = subscribers
        .iter_mut()
        .map(|one| wait(one, &alarm))
        .collect();
    assert_eq!(
        thrown(|| drop(topics)),
        Some("as asked"),
        "the first one goes on"
    );
    drop(tasks);
    assert_eq!(subscribers.map(|mut one| one.recv()), [Err(RecvError); 4]);
    assert!(publishers.iter().all(TopicPublisher::is_removed));
}

#[test]
fn a_bus_may_be_dropped_by_a_thread_that_unwinds_though_wakers_panic() {
    let topics = bus();
    let mut subscribers = ["a", "b"].map(|name| topics.subscribe(name).unwrap());
    let alarm = waker(|| panic!("as asked"));
    let tasks: Vec<_> = subscribers
        .iter_mut()
        .map(|one| wait(one, &alarm))
        .collect();
    let said = thrown(move || {
        let _topics = topics;
        panic!("before");
    });
    assert_eq!(said, Some("before"), "a second one would end the process");
    drop(tasks);
    assert_eq!(subscribers.map(|mut one| one.recv()), [Err(RecvError); 2]);
}

#[test]
fn a_topic_may_be_removed_by_a_thread_that_unwinds_though_wakers_panic() {
    struct Removes(Topics<u64>);
    impl Drop for Removes {
        fn drop(&mut self) {
            self.0.remove("a").unwrap();
        }
    }
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let waiting = wait(&mut subscriber, &waker(|| panic!("as asked")));
    let theirs = topics.clone();
    let said = thrown(move || {
        let _removes = Removes(theirs);
        panic!("before");
    });
    assert_eq!(said, Some("before"));
    drop(waiting);
    assert_eq!(subscriber.recv(), Err(RecvError));
    assert!(topics.publisher("a").is_ok());
}

#[test]
fn a_foreign_publisher_may_be_dropped_by_a_thread_that_unwinds_though_wakers_panic() {
    let topics = bus();
    let mut lent = topics.publisher("a").unwrap();
    let (foreign, place) = tidings_ring::channel::<u64>(2);
    let mut subscriber = place.subscribe();
    let waiting = wait(&mut subscriber, &waker(|| panic!("as asked")));
    let own = std::mem::replace(&mut *lent, foreign);
    let said = thrown(move || {
        let _lent = lent;
        panic!("before");
    });
    assert_eq!(said, Some("before"));
    assert_eq!(topics.publisher("a").unwrap_err(), TopicError::Ended);
    drop((waiting, own));
    assert_eq!(subscriber.recv(), Err(RecvError));
}

#[test]
fn a_foreign_publisher_whose_waker_panics_is_dropped_and_the_topic_told() {
    let topics = bus();
    let mut lent = topics.publisher("a").unwrap();
    let (foreign, place) = tidings_ring::channel::<u64>(2);
    let mut subscriber = place.subscribe();
    let theirs = topics.clone();
    // By then the handle has come home, and no lock is held.
    let looks = move || {
        assert!(!theirs.has_publisher("a"));
        assert_eq!(theirs.publisher("a").unwrap_err(), TopicError::Ended);
        panic!("as asked");
    };
    let waiting = wait(&mut subscriber, &waker(looks));
    let own = std::mem::replace(&mut *lent, foreign);
    assert_eq!(thrown(|| drop(lent)), Some("as asked"));
    drop((waiting, own));
    topics.remove("a").unwrap();
    assert!(topics.publisher("a").is_ok());
}

#[test]
fn publishers_come_home_from_threads_that_unwind() {
    let topics = bus();
    let mut idle = topics.subscribe("idle").unwrap();
    let mut busy = topics.subscribe("busy").unwrap();
    let said = thrown(move || {
        let mut publisher = topics.publisher("busy").unwrap();
        publisher.publish(1);
        let theirs = topics.clone();
        let inner = thrown(move || {
            let _publisher = publisher;
            panic!("inner");
        });
        assert_eq!(inner, Some("inner"));
        // The bus goes first here, and the publisher second.
        let (_second, _first) = (theirs.publisher("busy").unwrap(), [topics, theirs]);
        panic!("outer");
    });
    assert_eq!(said, Some("outer"));
    assert_eq!(idle.recv(), Err(RecvError));
    assert_eq!((busy.recv(), busy.recv()), (Ok(1), Err(RecvError)));
}

#[test]
fn what_a_panic_carries_may_panic_when_it_is_dropped() {
    struct Carried;
    impl Drop for Carried {
        fn drop(&mut self) {
            panic_any(Carried);
        }
    }
    let topics = bus();
    let mut subscribers = ["a", "b", "c"].map(|name| topics.subscribe(name).unwrap());
    let alarm = waker(|| panic_any(Carried));
    let tasks: Vec<_> = subscribers
        .iter_mut()
        .map(|one| wait(one, &alarm))
        .collect();
    let first = catch_unwind(AssertUnwindSafe(|| drop(topics))).unwrap_err();
    assert!(first.is::<Carried>());
    std::mem::forget(first);
    drop(tasks);
    assert_eq!(subscribers.map(|mut one| one.recv()), [Err(RecvError); 3]);
}

#[test]
fn a_waker_may_use_the_bus() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let theirs = topics.clone();
    let uses = move || {
        assert!(!theirs.contains("a") && theirs.list().is_empty());
        theirs.publisher("a").unwrap().publish(9);
        assert_eq!(theirs.remove("b"), Err(TopicError::Unknown));
    };
    let _waiting = wait(&mut subscriber, &waker(uses));
    topics.remove("a").unwrap();
    assert_eq!(topics.list()[0].published, 1);
}

#[test]
fn a_waker_may_remove_another_topic_whose_waker_does_the_same() {
    let topics = bus();
    let names = ["a", "b", "c"];
    let mut subscribers = names.map(|name| topics.subscribe(name).unwrap());
    let next = |n: usize| {
        let theirs = topics.clone();
        waker(move || theirs.remove(names[(n + 1) % 3]).unwrap_or_default())
    };
    let wakers = [0, 1, 2].map(next);
    let pairs = subscribers.iter_mut().zip(&wakers);
    let tasks: Vec<_> = pairs.map(|(one, waker)| wait(one, waker)).collect();
    topics.remove("a").unwrap();
    drop(tasks);
    assert!(topics.list().is_empty());
    assert_eq!(subscribers.map(|mut one| one.recv()), [Err(RecvError); 3]);
}

#[test]
fn a_waker_whose_destructor_has_the_last_handle_may_drop_it() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let mut other = topics.subscribe("b").unwrap();
    let publisher = topics.publisher("a").unwrap();
    let uses = topics.clone();
    let destructor = move || {
        assert!(uses.list().len() == 2 && !uses.has_publisher("a"));
    };
    // The functions, and with them the bus, go with the waker.
    let waker = Waker::from(Arc::new(Calls(|| (), destructor)));
    let waiting = wait(&mut subscriber, &waker);
    drop((waker, topics));
    assert_eq!(other.try_recv(), Err(TryRecvError::Empty));
    drop(waiting);
    assert_eq!(other.recv(), Err(RecvError));
    assert!(publisher.is_removed());
    drop(publisher);
    assert_eq!(subscriber.recv(), Err(RecvError));
}

#[test]
fn a_destructor_may_give_a_publisher_back() {
    let topics = bus();
    let mut subscriber = topics.subscribe("a").unwrap();
    let lent = std::sync::Mutex::new(topics.publisher("b").ok());
    let theirs = topics.clone();
    let gives_back = move || {
        drop(lent.lock().unwrap().take());
        assert!(theirs.has_publisher("b") && !theirs.contains("a"));
    };
    let waker = Waker::from(Arc::new(Calls(|| (), gives_back)));
    let waiting = wait(&mut subscriber, &waker);
    drop(waker);
    // The waker is taken, woken and dropped while the topic ends.
    topics.remove("a").unwrap();
    assert!(topics.has_publisher("b"));
    drop(waiting);
}

/// What listens to `tracing` is a user's code too.
#[cfg(feature = "tracing")]
mod traced {
    use super::*;
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata};

    struct Listens<F>(F);

    impl<F: Fn() + 'static> tracing::Subscriber for Listens<F> {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target() == "tidings::ring"
        }

        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, _: &Record<'_>) {}

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, _: &Event<'_>) {
            (self.0)();
        }

        fn enter(&self, _: &Id) {}

        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn a_listener_may_use_the_bus_and_make_the_topic_first() {
        let topics = bus();
        let theirs = topics.clone();
        // The first event tells of a ring that is made for the topic, the next one that it was made for nothing.
        let listener = Listens(move || {
            let made = theirs.create("a", TopicOptions::new(3));
            assert_eq!(made.is_ok(), theirs.list()[0].published == 0);
            theirs.publisher("a").unwrap().publish(1);
        });
        let subscriber = tracing::subscriber::with_default(listener, || topics.subscribe("a"));
        assert_eq!(subscriber.unwrap().capacity(), 3);
        assert!(topics.list()[0].published >= 2);
    }

    #[test]
    fn a_listener_may_remove_the_topic_whose_publisher_is_asked_for() {
        for options in [TopicOptions::new(4), TopicOptions::new(4).many()] {
            let topics = Topics::<u64>::new(options);
            let (theirs, events) = (topics.clone(), AtomicUsize::new(0));
            // A ring is made for the topic, and then it is known that it was made for nothing.
            let listener = Listens(move || match events.fetch_add(1, Relaxed) {
                0 => theirs.create("a", options).unwrap(),
                1 => theirs.remove("a").unwrap(),
                _ => (),
            });
            tracing::subscriber::with_default(listener, || {
                let is_one = topics.publisher("a").is_ok();
                assert!(is_one || topics.shared_publisher("a").is_ok());
            });
            assert!(topics.contains("a"));
        }
    }
}
