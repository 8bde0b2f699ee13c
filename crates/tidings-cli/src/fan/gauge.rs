//! Measures one consumer over the last second: how fast it is, whether it loses records, whether it holds back others.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::board::{Row, Stage};
use super::table::Tone;

/// The span over which rates are measured.
const SPAN: Duration = Duration::from_secs(1);

/// Readings of one consumer.
pub struct Gauge {
    /// When, how many records delivered, how many skipped; the oldest first.
    readings: VecDeque<(Instant, u64, u64)>,
    /// Since when it has held everything back without moving, and where it stands.
    holding: Option<Instant>,
    cursor: u64,
}

impl Gauge {
    /// A gauge that has read nothing but the zero at `now`.
    pub fn new(now: Instant) -> Gauge {
        Gauge {
            readings: VecDeque::from([(now, 0, 0)]),
            holding: None,
            cursor: 0,
        }
    }

    /// Takes a reading; `holds`: the ring is full because of this consumer.
    pub fn note(&mut self, now: Instant, delivered: u64, skipped: u64, cursor: u64, holds: bool) {
        let latest = self.readings.back().expect("there is always a reading").0;
        if now.duration_since(latest) >= SPAN / 10 {
            self.readings.push_back((now, delivered, skipped));
        }
        while self.readings.len() > 2 && now.duration_since(self.readings[1].0) >= SPAN {
            self.readings.pop_front();
        }
        if !holds || cursor != self.cursor {
            self.holding = holds.then_some(now);
        } else {
            self.holding.get_or_insert(now);
        }
        self.cursor = cursor;
    }

    /// Records a second.
    pub fn rate(&self) -> f64 {
        let (first, last) = (self.readings[0], self.readings[self.readings.len() - 1]);
        let seconds = last.0.duration_since(first.0).as_secs_f64();
        if seconds > 0.0 {
            (last.1 - first.1.min(last.1)) as f64 / seconds
        } else {
            0.0
        }
    }

    /// How long it has held everything back without moving; `None` if it does not.
    pub fn held_for(&self, now: Instant) -> Option<Duration> {
        self.holding.map(|since| now.duration_since(since))
    }

    /// What it is doing, `far` telling whether it is far behind.
    pub fn state(&self, row: &Row, far: bool) -> (String, Tone) {
        let losing = self.readings.front().map(|reading| reading.2)
            < self.readings.back().map(|reading| reading.2);
        let (state, tone) = match row.stage() {
            _ if row.halt().is_some() => ("ending", Tone::Warning),
            Stage::Opening => ("waiting for a reader", Tone::Warning),
            Stage::Finishing | Stage::Ended => ("finishing", Tone::Plain),
            Stage::Running if self.holding.is_some() => ("holding back", Tone::Warning),
            Stage::Running if losing => ("skipping", Tone::Warning),
            Stage::Running if far => ("behind", Tone::Warning),
            Stage::Running => ("running", Tone::Good),
        };
        (state.into(), tone)
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
            gauge.note(start + SPAN / 10 * tenth as u32, delivered, 0, 0, false);
        }
        assert!((gauge.rate() - 100.0).abs() < 1.0, "{}", gauge.rate());
    }

    #[test]
    fn holding_back_counts_from_the_last_move() {
        let start = Instant::now();
        let at = |millis| start + Duration::from_millis(millis);
        let mut gauge = Gauge::new(start);
        gauge.note(at(100), 0, 0, 5, true);
        gauge.note(at(400), 0, 0, 5, true);
        assert_eq!(gauge.held_for(at(500)), Some(Duration::from_millis(400)));
        gauge.note(at(600), 0, 0, 6, true);
        assert_eq!(gauge.held_for(at(700)), Some(Duration::from_millis(100)));
        gauge.note(at(800), 0, 0, 6, false);
        assert_eq!(gauge.held_for(at(900)), None);
    }
}
