//! An even pace for `--rate`.

use std::time::{Duration, Instant};

/// Says when the next record is due.
pub struct Pace {
    interval: Duration,
    /// When the next record is due.
    next: Instant,
}

/// How much time that was lost (to a full ring, a busy machine) may be caught up on by going faster for a while.
const DEBT: Duration = Duration::from_millis(100);

impl Pace {
    /// A pace of `rate` records a second from `now` on.
    pub fn new(rate: f64, now: Instant) -> Pace {
        Pace {
            interval: Duration::from_secs_f64(1.0 / rate),
            next: now,
        }
    }

    /// How long to wait from `now` until the next record is due: `None` when it is, and it is then counted as sent.
    pub fn wait(&mut self, now: Instant) -> Option<Duration> {
        let early = self.next.saturating_duration_since(now);
        if !early.is_zero() {
            return Some(early);
        }
        let earliest = now.checked_sub(DEBT).unwrap_or(now);
        self.next = self.next.max(earliest) + self.interval;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_due_one_interval_apart() {
        let start = Instant::now();
        let mut pace = Pace::new(100.0, start);
        assert_eq!(pace.wait(start), None);
        assert_eq!(pace.wait(start), Some(Duration::from_millis(10)));
        assert_eq!(
            pace.wait(start + Duration::from_millis(4)),
            Some(Duration::from_millis(6))
        );
        assert_eq!(pace.wait(start + Duration::from_millis(10)), None);
    }

    #[test]
    fn a_short_delay_is_caught_up_and_a_long_one_is_not() {
        let start = Instant::now();
        let mut pace = Pace::new(1000.0, start);
        let late = start + Duration::from_millis(50);
        let burst = (0..1000).take_while(|_| pace.wait(late).is_none()).count();
        assert_eq!(burst, 51);
        let later = start + Duration::from_secs(60);
        let burst = (0..1000).take_while(|_| pace.wait(later).is_none()).count();
        assert_eq!(burst, 101);
    }
}
