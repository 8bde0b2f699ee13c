//! Measures one consumer over the last second: how fast it is, whether it loses records, whether it holds back others.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::board::{Row, Stage};
use super::table::Tone;

/// The span over which rates are measured.
const SPAN: Duration = Duration::from_secs(1);

/// Readings of one consumer.
pub struct Gauge {
    /// Those of the last second, the oldest first; never empty.
    readings: VecDeque<Reading>,
    /// Since when it has held everything back without moving.
    holding: Option<Instant>,
}

/// One look at a consumer.
#[derive(Clone, Copy)]
pub struct Reading {
    pub at: Instant,
    /// Records delivered and skipped (or bytes, of the input).
    pub delivered: u64,
    pub skipped: u64,
    /// Frames taken from the ring.
    pub cursor: u64,
    /// Whether it is far behind.
    pub far: bool,
    /// Whether the ring is full because of it.
    pub holds: bool,
}

impl Reading {
    /// A look at `at` that saw this many delivered, and nothing else.
    pub fn of(at: Instant, delivered: u64) -> Reading {
        Reading {
            at,
            delivered,
            skipped: 0,
            cursor: 0,
            far: false,
            holds: false,
        }
    }
}

impl Gauge {
    /// A gauge that has read nothing but zero at `now`.
    pub fn new(now: Instant) -> Gauge {
        Gauge {
            readings: VecDeque::from([Reading::of(now, 0)]),
            holding: None,
        }
    }

    /// Takes a reading. Those that follow each other quickly replace one another.
    pub fn note(&mut self, reading: Reading) {
        let latest = *self.readings.back().expect("never empty");
        let moved = reading.cursor != latest.cursor;
        self.holding = match self.holding {
            Some(since) if reading.holds && !moved => Some(since),
            _ => reading.holds.then_some(reading.at),
        };
        let len = self.readings.len();
        if len > 1 && reading.at.duration_since(self.readings[len - 2].at) < SPAN / 10 {
            self.readings.pop_back();
        }
        self.readings.push_back(reading);
        while self.readings.len() > 2 && reading.at.duration_since(self.readings[1].at) >= SPAN {
            self.readings.pop_front();
        }
    }

    /// Records a second.
    pub fn rate(&self) -> f64 {
        let (first, last) = self.ends();
        let seconds = last.at.duration_since(first.at).as_secs_f64();
        let delivered = last.delivered.saturating_sub(first.delivered);
        if seconds > 0.0 {
            delivered as f64 / seconds
        } else {
            0.0
        }
    }

    /// How long it has held everything back without moving; `None` if it does not.
    pub fn held_for(&self, now: Instant) -> Option<Duration> {
        self.holding.map(|since| now.duration_since(since))
    }

    /// What it is doing. At full speed some consumer is always the slowest, so only what lasts is told.
    pub fn state(&self, row: &Row) -> (String, Tone) {
        let (first, last) = self.ends();
        let (state, tone) = match row.stage() {
            _ if row.halt().is_some() => ("ending", Tone::Warning),
            Stage::Opening => ("waiting for a reader", Tone::Warning),
            Stage::Finishing | Stage::Ended => ("finishing", Tone::Plain),
            Stage::Running if self.mostly(|reading| reading.holds) => {
                ("holding back", Tone::Warning)
            }
            Stage::Running if first.skipped < last.skipped => ("skipping", Tone::Warning),
            Stage::Running if self.mostly(|reading| reading.far) => ("behind", Tone::Warning),
            Stage::Running => ("running", Tone::Good),
        };
        (state.into(), tone)
    }

    fn ends(&self) -> (Reading, Reading) {
        (self.readings[0], self.readings[self.readings.len() - 1])
    }

    /// Whether at least four of five readings are so.
    fn mostly(&self, so: impl Fn(&Reading) -> bool) -> bool {
        5 * self.readings.iter().filter(|reading| so(reading)).count() >= 4 * self.readings.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_second() {
        let start = Instant::now();
        let mut gauge = Gauge::new(start);
        for tenth in 1..=40 {
            let delivered = if tenth <= 20 { 0 } else { 10 * (tenth - 20) };
            gauge.note(Reading::of(start + SPAN / 10 * tenth as u32, delivered));
        }
        assert!((gauge.rate() - 100.0).abs() < 1.0, "{}", gauge.rate());
    }

    #[test]
    fn quick_readings_do_not_pile_up() {
        let start = Instant::now();
        let mut gauge = Gauge::new(start);
        for milli in 1..=10_000 {
            gauge.note(Reading::of(start + Duration::from_millis(milli), milli));
        }
        assert!(gauge.readings.len() <= 13, "{}", gauge.readings.len());
        assert!((gauge.rate() - 1000.0).abs() < 1.0, "{}", gauge.rate());
    }

    #[test]
    fn holding_back_counts_from_the_last_move() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut gauge = Gauge::new(start);
        let mut note = |millis, cursor, holds| {
            gauge.note(Reading {
                cursor,
                holds,
                ..Reading::of(at(millis), 0)
            });
            gauge.held_for(at(millis + 100))
        };
        assert_eq!(note(100, 5, true), Some(Duration::from_millis(100)));
        assert_eq!(note(400, 5, true), Some(Duration::from_millis(400)));
        assert_eq!(note(600, 6, true), Some(Duration::from_millis(100)));
        assert_eq!(note(800, 6, false), None);
    }
}
