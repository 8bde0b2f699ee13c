//! Lines that stay at the bottom of a terminal and are drawn again and again, while other text scrolls by above.
//!
//! The cursor rests at the beginning of the line below, so that an echoed `^C` lands there and is wiped with the rest.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use console::Term;

/// The lines at the bottom of the terminal behind standard error.
#[derive(Default)]
pub struct Live {
    lines: Mutex<Vec<String>>,
}

/// Goes to the beginning of the line and clears it.
const CLEAR_LINE: &str = "\r\x1b[2K";

/// Clears everything from the cursor on.
const CLEAR_BELOW: &str = "\x1b[J";

impl Live {
    /// Draws `lines` in place of those before; the last line stays if there are too many for the terminal.
    pub fn draw(&self, lines: Vec<String>) {
        let mut shown = self.lock();
        let mut text = up(&shown);
        *shown = fit(lines, rows());
        text.push_str(&joined(&shown));
        text.push_str(CLEAR_BELOW);
        write(&text);
    }

    /// Takes the lines away, runs `print`, and draws them again below what that has printed.
    pub fn above(&self, print: impl FnOnce()) {
        let shown = self.lock();
        write(&(up(&shown) + "\r" + CLEAR_BELOW));
        print();
        write(&joined(&shown));
    }

    /// Takes the lines away for good.
    pub fn clear(&self) {
        let mut shown = self.lock();
        write(&(up(&shown) + "\r" + CLEAR_BELOW));
        shown.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Moves to the first of the lines that are shown.
fn up(shown: &[String]) -> String {
    match shown.len() {
        0 => String::new(),
        lines => format!("\x1b[{lines}A"),
    }
}

fn joined(lines: &[String]) -> String {
    lines
        .iter()
        .map(|line| format!("{CLEAR_LINE}{line}\n"))
        .collect()
}

/// As many lines as a terminal of `rows` rows can hold above its cursor.
fn fit(mut lines: Vec<String>, rows: usize) -> Vec<String> {
    let most = rows.saturating_sub(1).max(2);
    if lines.len() > most {
        let last = lines.pop();
        let hidden = lines.len() - (most - 2);
        lines.truncate(most - 2);
        lines.push(format!("… and {hidden} more"));
        lines.extend(last);
    }
    lines
}

fn rows() -> usize {
    Term::stderr()
        .size_checked()
        .map_or(24, |(rows, _)| usize::from(rows))
}

/// Writes to the terminal; that it is gone is no reason to stop.
fn write(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr
        .write_all(text.as_bytes())
        .and_then(|()| stderr.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_lines_are_counted_instead_of_shown() {
        let lines = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
        assert_eq!(fit(lines(5), 24), lines(5));
        assert_eq!(fit(lines(5), 6), lines(5));
        assert_eq!(fit(lines(6), 6), ["0", "1", "2", "… and 2 more", "5"]);
        assert_eq!(fit(lines(6), 1), ["… and 5 more", "5"]);
    }
}
