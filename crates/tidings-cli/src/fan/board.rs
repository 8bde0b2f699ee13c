//! What the threads of a run tell each other: counters, stages, and orders to stop.
//!
//! Every cell has one writer. Nothing is published through them (records travel through the ring, results through a
//! channel), so each access may be Relaxed: a reader sees some recent value, and counters only grow.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use tidings::CachePadded;

/// How long a thread waits for anything before it looks at its orders again.
pub const POLL: Duration = Duration::from_millis(20);

/// A number with one writer.
#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// The number, as of some recent moment.
    #[inline]
    pub fn get(&self) -> u64 {
        // ORDERING: Relaxed, see the header.
        self.0.load(Ordering::Relaxed)
    }

    /// Replaces the number; for its one writer.
    #[inline]
    pub fn set(&self, value: u64) {
        // ORDERING: Relaxed, see the header.
        self.0.store(value, Ordering::Relaxed);
    }
}

/// A switch with one writer.
#[derive(Default)]
pub struct Switch(AtomicBool);

impl Switch {
    /// Whether it is on, as of some recent moment.
    #[inline]
    pub fn is_on(&self) -> bool {
        // ORDERING: Relaxed, see the header.
        self.0.load(Ordering::Relaxed)
    }

    /// Turns it on or off; for its one writer.
    #[inline]
    pub fn set(&self, on: bool) {
        // ORDERING: Relaxed, see the header.
        self.0.store(on, Ordering::Relaxed);
    }
}

/// One of a few named states with one writer.
struct State(AtomicU32);

impl State {
    fn get(&self) -> usize {
        // ORDERING: Relaxed, see the header.
        self.0.load(Ordering::Relaxed) as usize
    }

    fn set(&self, state: u32) {
        // ORDERING: Relaxed, see the header.
        self.0.store(state, Ordering::Relaxed);
    }
}

/// Everything that is counted while a run goes on.
pub struct Board {
    /// Written by the input thread.
    pub input: CachePadded<InputRow>,
    /// One for each consumer, written by its thread.
    pub rows: Vec<CachePadded<Row>>,
    /// Written by the supervisor: read no more input.
    pub stop: Switch,
    /// Written by the supervisor: publish no more either, give up.
    pub abort: Switch,
}

/// What the input thread counts.
#[derive(Default)]
pub struct InputRow {
    /// Bytes of the records published.
    pub bytes: Counter,
    /// Whole records published.
    pub records: Counter,
    /// Frames published.
    pub frames: Counter,
    /// On while a full ring makes the input wait.
    pub waits: Switch,
}

/// What a consumer counts; `halt` is the supervisor's.
pub struct Row {
    /// Whole records that the file or pipe took.
    pub delivered: Counter,
    /// Bytes that it took.
    pub bytes: Counter,
    /// Records known to be lost, by a lossy consumer only.
    pub skipped: Counter,
    /// Frames taken from the ring or lost.
    pub cursor: Counter,
    stage: State,
    halt: State,
}

/// How far a consumer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A named pipe that nobody reads yet.
    Opening,
    Running,
    /// Everything is written; the command has not exited yet.
    Finishing,
    Ended,
}

/// Why a consumer has to end before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A lossy consumer took too long after the end of the input.
    Linger,
    /// A gating consumer held everything back for too long.
    Stall,
    /// The run was interrupted.
    Abort,
}

impl Board {
    /// A board for this many consumers.
    pub fn new(consumers: usize) -> Board {
        Board {
            input: CachePadded::new(InputRow::default()),
            rows: (0..consumers)
                .map(|_| CachePadded::new(Row::default()))
                .collect(),
            stop: Switch::default(),
            abort: Switch::default(),
        }
    }
}

impl Default for Row {
    fn default() -> Row {
        Row {
            delivered: Counter::default(),
            bytes: Counter::default(),
            skipped: Counter::default(),
            cursor: Counter::default(),
            stage: State(AtomicU32::new(Stage::Running as u32)),
            halt: State(AtomicU32::new(0)),
        }
    }
}

impl Row {
    /// How far the consumer has come.
    pub fn stage(&self) -> Stage {
        [
            Stage::Opening,
            Stage::Running,
            Stage::Finishing,
            Stage::Ended,
        ][self.stage.get()]
    }

    /// Notes how far the consumer has come; for its own thread.
    pub fn set_stage(&self, stage: Stage) {
        self.stage.set(stage as u32);
    }

    /// The order to end, if one was given.
    #[inline]
    pub fn halt(&self) -> Option<Halt> {
        [
            None,
            Some(Halt::Linger),
            Some(Halt::Stall),
            Some(Halt::Abort),
        ][self.halt.get()]
    }

    /// Orders the consumer to end; for the supervisor. A later order replaces an earlier one.
    pub fn set_halt(&self, halt: Halt) {
        self.halt.set(1 + halt as u32);
    }
}
