//! Storms on rings of many publishers, for the sanitizers: everybody comes and goes in every way there is, and every message is
//! accounted for.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "../../tidings-core/tests/support/guard.rs"]
mod guard;
#[path = "support/payload.rs"]
mod payload;

use guard::ends;
use payload::{Census, Checked, Member};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread::scope;
use tidings_ring::{
    Contract, EventSubscriber, MpEventPublisher, MpPublisher, Subscriber, SubscriberMetrics,
    ValuePublisher, ValueSubscriber, channel_mpmc, channel_mpmc_bounded, event_channel_mpmc,
    value_channel,
};

const PUBLISHERS: u64 = 3;
/// What each publisher does.
const ACTS: u64 = if cfg!(miri) { 10 } else { 600 };
const CAPACITIES: &[usize] = if cfg!(miri) {
    &[1, 3]
} else {
    &[1, 2, 3, 8, 64]
};

type Message = Checked<6>;

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    fn new(seat: u64) -> Self {
        Self((seat + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// A number below `sides`.
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) % sides
    }
}

/// The messages of one publisher, numbered without gaps.
struct Numbers {
    of: u64,
    published: u64,
}

impl Numbers {
    /// The message that comes after `skip` others.
    fn number(&self, skip: u64) -> u64 {
        self.of << 32 | (self.published + skip)
    }

    fn message(&self, skip: u64) -> Message {
        Message::new(self.number(skip))
    }
}

/// What a subscriber saw of each publisher.
struct Seen {
    next: [Option<u64>; PUBLISHERS as usize],
    unbroken: bool,
}

impl Seen {
    fn new(unbroken: bool) -> Self {
        let next = [None; PUBLISHERS as usize];
        Self { next, unbroken }
    }

    /// The messages of a publisher come in order, and where nothing may be lost, without gaps.
    #[track_caller]
    fn see(&mut self, message: &Message) {
        let (of, number) = (message.number() >> 32, message.number() & 0xFFFF_FFFF);
        let next = self.next[of as usize].replace(number + 1);
        match next {
            Some(next) if self.unbroken => assert_eq!(number, next, "lost or doubled"),
            Some(next) => assert!(number >= next, "doubled"),
            None => {}
        }
    }
}

/// How somebody dies on purpose.
struct Death;

/// Runs `body`, in which it is allowed to die, and which publishes nothing.
fn mortal(body: impl FnOnce()) -> u64 {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(body)) {
        if !payload.is::<Death>() {
            resume_unwind(payload);
        }
    }
    0
}

fn die() {
    resume_unwind(Box::new(Death));
}

/// A subscriber of any kind.
trait Reader: Send {
    /// Whether it loses nothing.
    const UNBROKEN: bool;

    /// Takes what is there, or waits for a message; `false` at the end.
    fn read(&mut self, seen: &mut Seen, dice: &mut Dice) -> bool;

    fn counts(&self) -> SubscriberMetrics;

    fn twin(&self) -> Self;
}

impl<C: Contract> Reader for Subscriber<Message, C> {
    const UNBROKEN: bool = C::GATING;

    fn read(&mut self, seen: &mut Seen, dice: &mut Dice) -> bool {
        match dice.roll(3) {
            0 => self.drain().for_each(|message| seen.see(&message)),
            1 => {
                let mut buffer = [Message::new(0); 3];
                let count = self.recv_batch(&mut buffer);
                buffer[..count].iter().for_each(|message| seen.see(message));
            }
            _ => return self.recv().map(|message| seen.see(&message)).is_ok(),
        }
        true
    }

    fn counts(&self) -> SubscriberMetrics {
        self.metrics()
    }

    fn twin(&self) -> Self {
        self.resubscribe()
    }
}

/// A value in a slot, with memory of its own.
struct Page(Message, Box<Message>);

impl Page {
    fn read(&self, seen: &mut Seen) {
        seen.see(&self.0);
        assert_eq!(self.1.number(), self.0.number(), "half an edit");
    }
}

impl Reader for EventSubscriber<Page> {
    const UNBROKEN: bool = true;

    fn read(&mut self, seen: &mut Seen, dice: &mut Dice) -> bool {
        match dice.roll(3) {
            0 => _ = self.process(|page| page.read(seen)),
            1 => _ = self.read_batch(3, |page, _| page.read(seen)),
            _ => return self.recv_ref().map(|page| page.read(seen)).is_ok(),
        }
        true
    }

    fn counts(&self) -> SubscriberMetrics {
        self.metrics()
    }

    fn twin(&self) -> Self {
        self.resubscribe()
    }
}

/// A value that is counted while it is alive.
struct Value(
    Box<Message>,
    #[expect(dead_code, reason = "it counts")] Member,
);

impl Reader for ValueSubscriber<Value> {
    const UNBROKEN: bool = false;

    fn read(&mut self, seen: &mut Seen, dice: &mut Dice) -> bool {
        match dice.roll(4) {
            0 => _ = self.latest_ref().map(|value| seen.see(&value.0)),
            1 => _ = self.read_batch(3, |value, _| seen.see(&value.0)),
            2 => _ = self.try_recv_ref().map(|value| seen.see(&value.0)),
            _ => return self.recv_ref().map(|value| seen.see(&value.0)).is_ok(),
        }
        true
    }

    fn counts(&self) -> SubscriberMetrics {
        self.metrics()
    }

    fn twin(&self) -> Self {
        self.resubscribe()
    }
}

/// Publishes in every way, gives claims up in every way; says how many messages there were.
fn copies<C: Contract>(mut publisher: MpPublisher<Message, C>, of: u64) -> u64 {
    let (mut dice, mut numbers) = (Dice::new(of), Numbers { of, published: 0 });
    let most = publisher.capacity().min(4) as u64;
    for _ in 0..ACTS {
        let count = 1 + dice.roll(most);
        let messages = (0..count).map(|n| numbers.message(n));
        numbers.published += match dice.roll(8) {
            0 => {
                publisher.publish_batch(&messages.collect::<Vec<_>>());
                count
            }
            1 => u64::from(publisher.try_publish(numbers.message(0)).is_ok()),
            2 => {
                let mut claim = publisher.claim(count as usize).unwrap();
                let written = claim.fill(messages.take(count as usize - 1));
                claim.commit(written) as u64
            }
            3 => mortal(|| {
                let mut claim = publisher.claim(count as usize).unwrap();
                claim.fill(messages);
                die();
            }),
            4 => {
                publisher = publisher.clone();
                drop(publisher.try_claim(count as usize));
                0
            }
            _ => {
                publisher.publish(numbers.message(0));
                1
            }
        };
    }
    numbers.published
}

/// The same on a ring in place, where edits die too.
fn edits(mut publisher: MpEventPublisher<Page>, of: u64) -> u64 {
    let (mut dice, mut numbers) = (Dice::new(of), Numbers { of, published: 0 });
    let most = publisher.capacity().min(4) as u64;
    for _ in 0..ACTS {
        let count = 1 + dice.roll(most);
        let messages = (0..count).map(|n| numbers.message(n));
        let message = numbers.message(0);
        let edit = |page: &mut Page| *page = Page(message, Box::new(message));
        numbers.published += match dice.roll(7) {
            0 => {
                let mut claim = publisher.claim(count as usize).unwrap();
                let pages = claim.iter_mut().zip(messages);
                pages.for_each(|(page, message)| *page = Page(message, Box::new(message)));
                claim.commit(count as usize - 1) as u64
            }
            1 => mortal(|| {
                publisher.publish(|page| {
                    page.0 = message;
                    die();
                });
            }),
            2 => {
                publisher = publisher.clone();
                drop(publisher.claim(count as usize));
                0
            }
            3 => u64::from(publisher.try_publish(edit).is_ok()),
            _ => {
                publisher.publish(edit);
                1
            }
        };
    }
    numbers.published
}

/// The same on a ring of values, which has no claims.
fn values((mut publisher, census): (ValuePublisher<Value>, Census), of: u64) -> u64 {
    let (mut dice, mut numbers) = (Dice::new(of), Numbers { of, published: 0 });
    for _ in 0..ACTS {
        let value = Value(Box::new(numbers.message(0)), census.member());
        numbers.published += match dice.roll(5) {
            0 => u64::from(publisher.try_publish(value).is_ok()),
            1 => {
                publisher = publisher.clone();
                publisher.clear();
                0
            }
            _ => {
                publisher.publish(value);
                1
            }
        };
    }
    numbers.published
}

/// Joins, reads, is followed by a twin, and leaves or dies, again and again.
fn visit<R: Reader>(is_closed: impl Fn() -> bool, join: impl Fn(u64) -> R, mut dice: Dice) {
    while !is_closed() {
        let mut reader = join(dice.roll(2));
        let start = reader.counts().cursor;
        mortal(|| {
            let mut seen = Seen::new(R::UNBROKEN);
            let most = dice.roll(12);
            (0..most).any(|_| !reader.read(&mut seen, &mut dice));
            let counts = reader.counts();
            let passed = counts.received + counts.lagged + counts.aborted;
            assert_eq!(passed, counts.cursor - start, "lost or doubled");
            let mut twin = reader.twin();
            drop(reader);
            twin.read(&mut seen, &mut dice);
            if dice.roll(2) == 0 {
                die();
            }
        });
    }
}

/// All publishers, the visits, and one who reads from the start to the end, which is `end()`.
fn storm<P: Send, R: Reader>(
    publishers: Vec<P>,
    publish: fn(P, u64) -> u64,
    mut reader: R,
    visits: [&(dyn Fn(Dice) + Sync); 2],
    end: impl Fn() -> u64,
) {
    let published = &AtomicU64::new(0);
    scope(|scope| {
        for (publisher, of) in publishers.into_iter().zip(0..) {
            scope.spawn(move || published.fetch_add(publish(publisher, of), SeqCst));
        }
        for (visit, seat) in visits.into_iter().zip(0..) {
            scope.spawn(move || visit(Dice::new(PUBLISHERS + seat)));
        }
        let (mut seen, mut dice) = (Seen::new(R::UNBROKEN), Dice::new(9));
        while reader.read(&mut seen, &mut dice) {}
    });
    let (counts, published) = (reader.counts(), published.load(SeqCst));
    let passed = counts.received + counts.lagged + counts.aborted;
    assert_eq!((passed, counts.cursor), (end(), end()), "lost or doubled");
    assert!(counts.received <= published, "doubled");
    assert!(counts.received + counts.lagged >= published, "lost");
}

/// Copies of a handle for each publisher.
fn each<P: Clone>(publisher: P) -> Vec<P> {
    vec![publisher; PUBLISHERS as usize]
}

#[test]
fn a_storm_on_a_lossy_ring_loses_nothing_unsaid() {
    ends(|| {
        for capacity in CAPACITIES {
            let (publisher, at) = channel_mpmc(*capacity);
            let join = |way| match way {
                0 => at.subscribe(),
                _ => at.subscribe_from_oldest(),
            };
            let visits = |dice| visit(|| at.is_closed(), join, dice);
            let reader = at.subscribe();
            storm(each(publisher), copies, reader, [&visits, &visits], || {
                at.published()
            });
        }
    });
}

#[test]
fn a_storm_on_a_gating_ring_loses_nothing() {
    ends(|| {
        for capacity in CAPACITIES {
            let (publisher, at) = channel_mpmc_bounded(*capacity, 0);
            let join = |way| match way {
                0 => at.subscribe(),
                _ => at.subscribe_from_oldest(),
            };
            let gating = |dice| visit(|| at.is_closed(), join, dice);
            let lossy = |dice| visit(|| at.is_closed(), |_| at.subscribe_lossy(), dice);
            let reader = at.subscribe();
            storm(each(publisher), copies, reader, [&gating, &lossy], || {
                at.published()
            });
        }
    });
}

#[test]
fn a_storm_in_place_tears_nothing() {
    ends(|| {
        for capacity in CAPACITIES {
            let blank = Message::new(0);
            let (publisher, at) =
                event_channel_mpmc(*capacity, move || Page(blank, Box::new(blank)));
            let join = |way| match way {
                0 => at.subscribe(),
                _ => at.subscribe_from_oldest(),
            };
            let visits = |dice| visit(|| at.is_closed(), join, dice);
            let reader = at.subscribe();
            storm(each(publisher), edits, reader, [&visits, &visits], || {
                at.published()
            });
        }
    });
}

#[test]
fn a_storm_of_values_leaks_none() {
    ends(|| {
        for capacity in CAPACITIES {
            let census = Census::default();
            let (publisher, at) = value_channel(*capacity);
            let join = |way| match way {
                0 => at.subscribe(),
                _ => at.subscribe_from_oldest(),
            };
            let visits = |dice| visit(|| at.is_closed(), join, dice);
            let reader = at.subscribe();
            let publishers = each((publisher, census.clone()));
            storm(publishers, values, reader, [&visits, &visits], || {
                at.published()
            });
            drop(at);
            assert_eq!(census.alive(), 0);
        }
    });
}
