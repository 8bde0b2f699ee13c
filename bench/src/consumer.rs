//! What every consumer thread does with a message, the same for every engine: count and sum, in its own memory.
//!
//! A stream is messages, marker, messages, marker …; at a marker the consumer tells the main thread what it has seen
//! since the last one. Nothing is shared per message, nothing is shared but the note at the end of a phase.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use crate::engine::ring::Sink;
use crate::message::{END, Plain, SEED_SHIFT};
use crate::round::verify;

/// What one consumer saw in one phase.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    /// Messages received.
    pub received: u64,
    /// Messages that the engine said were skipped.
    pub skipped: u64,
    /// Sum of the digests of those received.
    pub sum: u64,
    /// False when a message came out of order, or a gap did not equal what was said to be skipped.
    pub in_order: bool,
    /// When the marker was seen.
    pub at: Instant,
}

/// Counts for one consumer. `LOSSY` consumers prove order and gaps; the others are proved by the sum.
pub struct Consumer<T, const LOSSY: bool> {
    received: u64,
    skipped: u64,
    sum: u64,
    next: Option<u64>,
    in_order: bool,
    phase: usize,
    notes: Sender<Note>,
    kind: std::marker::PhantomData<fn(T)>,
}

impl<T: Plain, const LOSSY: bool> Consumer<T, LOSSY> {
    /// A consumer that reports to `notes`.
    pub fn new(notes: Sender<Note>) -> Self {
        Self {
            received: 0,
            skipped: 0,
            sum: 0,
            next: None,
            in_order: true,
            phase: 0,
            notes,
            kind: std::marker::PhantomData,
        }
    }

    /// How many markers were seen.
    pub fn phase(&self) -> usize {
        self.phase
    }

    #[cold]
    fn mark(&mut self) {
        let note = Note {
            received: self.received,
            skipped: self.skipped,
            sum: self.sum,
            in_order: self.in_order,
            at: Instant::now(),
        };
        self.phase += 1;
        (self.received, self.skipped, self.sum) = (0, 0, 0);
        // The main thread hangs up only after it has failed for another reason.
        let _ = self.notes.send(note);
    }
}

impl<T: Plain, const LOSSY: bool> Sink<T> for Consumer<T, LOSSY> {
    #[inline(always)]
    fn message(&mut self, message: &T) {
        let key = message.key();
        if key == END {
            return self.mark();
        }
        self.received += 1;
        self.sum = self.sum.wrapping_add(message.digest());
        if LOSSY {
            self.in_order &= self.next.is_none_or(|next| next == key);
            self.next = Some(key + 1);
        }
    }

    #[inline(always)]
    fn skipped(&mut self, skipped: u64) {
        self.skipped += skipped;
        self.next = self.next.map(|next| next + skipped);
    }
}

/// How many publishers `OfMany` tells apart.
const PUBLISHERS: usize = 8;

/// Counts for one consumer of a stream of several publishers. `LOSSY`: proves the order of each publisher; which publisher's
/// messages a gap took nobody can know.
pub struct OfMany<const LOSSY: bool> {
    consumer: Consumer<u64, false>,
    last: [u64; PUBLISHERS],
}

impl<const LOSSY: bool> OfMany<LOSSY> {
    /// A consumer that reports to `notes`.
    pub fn new(notes: Sender<Note>) -> Self {
        Self {
            consumer: Consumer::new(notes),
            last: [0; PUBLISHERS],
        }
    }

    /// The seed of that publisher's stream: its number stands in the messages.
    pub fn seed(seed: u64, publisher: usize) -> u64 {
        seed * PUBLISHERS as u64 + publisher as u64 % PUBLISHERS as u64
    }

    /// How many markers were seen.
    pub fn phase(&self) -> usize {
        self.consumer.phase()
    }
}

impl<const LOSSY: bool> Sink<u64> for OfMany<LOSSY> {
    #[inline(always)]
    fn message(&mut self, message: &u64) {
        if LOSSY && *message != END {
            let last = &mut self.last[(*message >> SEED_SHIFT) as usize % PUBLISHERS];
            self.consumer.in_order &= *last < *message;
            *last = *message;
        }
        self.consumer.message(message);
    }

    #[inline(always)]
    fn skipped(&mut self, skipped: u64) {
        self.consumer.skipped(skipped);
    }
}

/// The main thread's end.
pub struct Notes {
    receiver: Receiver<Note>,
    consumers: usize,
}

/// What all consumers saw in one phase.
pub struct Summary {
    /// The moment the last of them was done.
    pub end: Instant,
    /// Messages received by all.
    pub received: u64,
    /// Messages skipped by all.
    pub skipped: u64,
}

impl Notes {
    /// Consumers' end and main thread's end, for so many consumers.
    pub fn open(consumers: usize) -> (Sender<Note>, Self) {
        let (sender, receiver) = channel();
        (
            sender,
            Self {
                receiver,
                consumers,
            },
        )
    }

    /// Waits until every consumer has seen the next marker. Each must have received `sum` and `count`, or, where the
    /// engine may skip, have received and skipped `count` in order.
    pub fn collect(&self, count: u64, sum: Option<u64>) -> Result<Summary, String> {
        let mut summary = Summary {
            end: Instant::now(),
            received: 0,
            skipped: 0,
        };
        for consumer in 0..self.consumers {
            let note = self.receiver.recv().map_err(|_| {
                format!(
                    "{} of {} consumers ended early",
                    self.consumers - consumer,
                    self.consumers
                )
            })?;
            verify("received and skipped", note.received + note.skipped, count)?;
            if let Some(sum) = sum {
                verify("skipped on a lossless engine", note.skipped, 0)?;
                verify("checksum", note.sum, sum)?;
            }
            verify("messages in order, gaps as told", note.in_order, true)?;
            summary.end = if consumer == 0 {
                note.at
            } else {
                summary.end.max(note.at)
            };
            summary.received += note.received;
            summary.skipped += note.skipped;
        }
        Ok(summary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_message_is_found() {
        let (sender, notes) = Notes::open(1);
        let mut consumer = Consumer::<u64, true>::new(sender);
        consumer.message(&1);
        consumer.message(&3);
        consumer.message(&END);
        assert!(notes.collect(2, None).is_err());
    }

    #[test]
    fn a_publisher_out_of_order_is_found_among_many() {
        let (sender, notes) = Notes::open(1);
        let mut consumer = OfMany::<true>::new(sender);
        let first = |publisher| OfMany::<true>::seed(1, publisher) << SEED_SHIFT;
        for message in [first(0) + 1, first(1) + 5, first(0) + 2, END] {
            consumer.message(&message);
        }
        assert!(notes.collect(3, None).is_ok());
        for message in [first(1) + 4, END] {
            consumer.message(&message);
        }
        assert!(notes.collect(1, None).is_err());
    }

    #[test]
    fn a_told_gap_is_accepted_and_counted() {
        let (sender, notes) = Notes::open(1);
        let mut consumer = Consumer::<u64, true>::new(sender);
        consumer.message(&1);
        consumer.skipped(2);
        consumer.message(&4);
        consumer.message(&END);
        let summary = notes.collect(4, None).expect("consistent");
        assert_eq!((summary.received, summary.skipped), (2, 2));
    }
}
