//! In-place rings under threads: whole values, dying readers, waits that end; and many readers at once.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "support/payload.rs"]
mod payload;

use guard::ends;
use payload::Census;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread::{self, scope};
use std::time::Duration;
use tidings_ring::{
    Builder, EventPublisher, EventSubscribable, EventSubscriber, RecvTimeoutError, Ref,
    TryRecvError, WaitStrategy, event_channel,
};

const COUNT: u64 = if cfg!(miri) { 60 } else { 3_000 };
const ROUNDS: u64 = if cfg!(miri) { 4 } else { 400 };

/// A value of many words and an allocation, all of which tell the message.
#[derive(Default)]
struct Page {
    words: [u64; 16],
    text: String,
}

impl Page {
    fn write(&mut self, number: u64) {
        self.words = [number; 16];
        self.text.clear();
        self.text.push_str(&number.to_string());
    }

    #[track_caller]
    fn check(&self, number: u64) {
        assert_eq!(self.words, [number; 16]);
        assert_eq!(self.text, number.to_string());
    }
}

/// Publishes until told to stop.
fn stream(mut publisher: EventPublisher<Page>, stop: &AtomicBool) {
    while !stop.load(SeqCst) {
        let number = publisher.published();
        publisher.publish(|page| page.write(number));
    }
}

#[test]
fn every_reader_sees_every_edit_whole() {
    fn read(mut subscriber: EventSubscriber<Page>, way: usize) {
        let mut next = 0;
        while next < COUNT {
            if subscriber.pending() == 0 {
                thread::yield_now();
            }
            let mut check = |page: &Page, sequence: u64| {
                assert_eq!(sequence, next);
                page.check(next);
                next += 1;
            };
            match way {
                0 => {
                    let lent = subscriber.recv_ref().unwrap();
                    check(&lent, Ref::sequence(&lent));
                }
                1 => drop(subscriber.read_batch(3, check)),
                2 => {
                    let sequence = subscriber.cursor();
                    let _ = subscriber.process(|page| check(page, sequence));
                }
                _ => match subscriber.recv_ref_timeout(Duration::from_micros(50)) {
                    Ok(lent) => check(&lent, Ref::sequence(&lent)),
                    Err(error) => assert_eq!(error, RecvTimeoutError::Timeout),
                },
            }
        }
        assert!(subscriber.recv_ref().is_err());
    }
    ends(|| {
        for capacity in [1, 2, 7] {
            let (mut publisher, subscribable) = event_channel(capacity, Page::default);
            let subscribers = [0, 1, 2, 3].map(|way| (way, subscribable.subscribe()));
            scope(|scope| {
                for (way, subscriber) in subscribers {
                    scope.spawn(move || read(subscriber, way));
                }
                (0..COUNT).for_each(|n| publisher.publish(|page| page.write(n)));
                drop(publisher);
            });
        }
    });
}

/// A reader that dies right after it has read leaves nothing behind: its reads come before the next edit.
#[test]
fn a_dying_reader_has_read_before_its_slot_is_edited() {
    fn visit(subscribable: &EventSubscribable<Page>) {
        let mut subscriber = subscribable.subscribe();
        let lent = subscriber.recv_ref().unwrap();
        lent.check(Ref::sequence(&lent));
        if Ref::sequence(&lent) % 2 == 0 {
            // Leaked, so that only the end of the subscriber gives the slot back.
            std::mem::forget(lent);
        }
    }
    ends(|| {
        for capacity in [1, 2] {
            let (publisher, subscribable) = event_channel(capacity, Page::default);
            let stop = AtomicBool::new(false);
            scope(|scope| {
                let publishing = scope.spawn(|| stream(publisher, &stop));
                let visitors = [(); 3]
                    .map(|()| scope.spawn(|| (0..ROUNDS).for_each(|_| visit(&subscribable))));
                visitors
                    .into_iter()
                    .for_each(|visitor| visitor.join().unwrap());
                stop.store(true, SeqCst);
                publishing.join().unwrap();
            });
        }
    });
}

/// A twin holds its place from the moment it is made.
#[test]
fn a_twin_in_place_goes_on_where_its_model_stands() {
    ends(|| {
        let (publisher, subscribable) = event_channel(2, Page::default);
        let mut model = subscribable.subscribe();
        let stop = AtomicBool::new(false);
        scope(|scope| {
            let publishing = scope.spawn(|| stream(publisher, &stop));
            for _ in 0..ROUNDS {
                let mut twin = model.resubscribe();
                let start = twin.cursor();
                drop(model);
                thread::yield_now();
                twin.recv_ref().unwrap().check(start);
                model = twin;
            }
            stop.store(true, SeqCst);
            drop(model);
            publishing.join().unwrap();
        });
    });
}

/// However the last reader goes, a publisher that waits for it goes on.
#[test]
fn b10_a_dying_reader_frees_the_publisher() {
    fn blocked(strategy: WaitStrategy, act: impl FnOnce(EventSubscriber<u64>)) {
        let built = Builder::new(2).wait(strategy).in_place(|| 0);
        let (mut publisher, subscribable) = built.unwrap();
        let subscriber = subscribable.subscribe();
        (0..2).for_each(|n| publisher.publish(|value| *value = n));
        let full = Barrier::new(2);
        scope(|scope| {
            scope.spawn(|| {
                assert!(
                    publisher
                        .try_publish(|_| unreachable!("it is full"))
                        .is_err()
                );
                full.wait();
                (2..5).for_each(|n| publisher.publish(|value| *value = n));
                assert_eq!(publisher.published(), 5);
            });
            full.wait();
            (0..50).for_each(|_| thread::yield_now());
            act(subscriber);
        });
    }
    ends(|| {
        for strategy in [
            WaitStrategy::ADAPTIVE,
            WaitStrategy::Park,
            WaitStrategy::Yield,
        ] {
            blocked(strategy, drop);
            blocked(strategy, |mut subscriber| {
                let reading = thread::spawn(move || {
                    subscriber.process(|_| std::panic::resume_unwind(Box::new("cannot read")))
                });
                assert!(reading.join().is_err());
            });
            blocked(strategy, |mut subscriber| {
                for n in 0..5 {
                    assert_eq!(*subscriber.recv_ref().unwrap(), n);
                }
            });
        }
    });
}

/// The end comes after the last message, in every form, and after it nothing else.
#[test]
fn b37_the_end_is_told_in_place_in_every_form() {
    let (mut publisher, subscribable) = event_channel(3, || 0);
    let subscriber = subscribable.subscribe();
    publisher.publish(|value| *value = 1);
    drop(publisher);
    assert!(subscriber.is_closed() && subscribable.is_closed());
    let twin = subscriber.resubscribe();
    for mut reader in [subscriber, twin] {
        assert_eq!(reader.recv_ref_timeout(Duration::ZERO).as_deref(), Ok(&1));
        assert!(reader.recv_ref().is_err());
        assert_eq!(reader.process(|_| ()), None);
        assert_eq!(reader.read_batch(2, |_, _| ()), 0);
        assert_eq!(reader.try_recv_ref().err(), Some(TryRecvError::Closed));
        let timed = reader.recv_ref_timeout(Duration::MAX);
        assert_eq!(timed.err(), Some(RecvTimeoutError::Closed));
    }
    assert!(subscribable.subscribe().recv_ref().is_err());
}

/// The last handle, on whatever thread, drops each value once.
#[test]
fn b34_the_last_handle_drops_the_values() {
    ends(|| {
        for _ in 0..ROUNDS {
            let census = Census::default();
            let (publisher, subscribable) = event_channel(3, || census.member());
            let subscriber = subscribable.subscribe();
            let start = Barrier::new(3);
            scope(|scope| {
                let meet = || start.wait().is_leader();
                scope.spawn(move || (meet(), drop(publisher)));
                scope.spawn(move || (meet(), drop(subscriber)));
                scope.spawn(move || (meet(), drop(subscribable)));
            });
            assert_eq!(census.alive(), 0);
        }
    });
}

/// A borrow may be sent to another thread and end there.
#[test]
fn a_borrow_may_end_on_another_thread() {
    let (mut publisher, subscribable) = event_channel(1, Page::default);
    let mut subscriber = subscribable.subscribe();
    for n in 0..20 {
        publisher.publish(|page| page.write(n));
        let lent = subscriber.recv_ref().unwrap();
        scope(|scope| {
            scope.spawn(move || lent.check(n));
        });
        assert_eq!(subscriber.cursor(), n + 1);
    }
}
