//! How many tests the test runners counted that this process started.

use std::sync::atomic::{AtomicU64, Ordering};

/// How many tests ran in the test runners that this process started.
pub struct Tally;

static PASSED: AtomicU64 = AtomicU64::new(0);
static FAILED: AtomicU64 = AtomicU64::new(0);
static IGNORED: AtomicU64 = AtomicU64::new(0);

impl Tally {
    /// Adds a closing line such as `test result: ok. 3 passed; 0 failed; 1 ignored; …`; other lines count nothing.
    pub fn count(line: &str) {
        if let Some(result) = line.strip_prefix("test result: ") {
            Tally::add(
                before(result, " passed"),
                before(result, " failed"),
                before(result, " ignored"),
            );
        }
    }

    pub fn add(passed: u64, failed: u64, ignored: u64) {
        for (total, number) in [(&PASSED, passed), (&FAILED, failed), (&IGNORED, ignored)] {
            total.fetch_add(number, Ordering::Relaxed);
        }
    }

    /// `N passed, N failed, N skipped`.
    pub fn line() -> String {
        let [passed, failed, ignored] =
            [&PASSED, &FAILED, &IGNORED].map(|total| total.load(Ordering::Relaxed));
        format!("{passed} passed, {failed} failed, {ignored} skipped")
    }
}

fn before(text: &str, word: &str) -> u64 {
    let number = text
        .split_once(word)
        .and_then(|(head, _)| head.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_closing_line_are_read() {
        let line = "ok. 12 passed; 3 failed; 4 ignored; 0 measured";
        assert_eq!(
            [" passed", " failed", " ignored"].map(|word| before(line, word)),
            [12, 3, 4]
        );
    }
}
