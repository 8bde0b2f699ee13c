//! What a person sees while it runs: a live table on a terminal, a line now and then elsewhere, or nothing.
//!
//! Standard output belongs to the consumers. Everything here goes to standard error, except what commands print: while
//! a live table is up, their output is taken in and let through above the table, to the stream it was meant for.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{Plan, Progress, Summary};

use super::consumer::Target;
use super::table::{self, View};

/// Time between two lines of progress.
const PERIOD: Duration = Duration::from_secs(5);

/// Where progress, messages and the output of commands are shown.
pub struct Screen {
    mode: Mode,
}

enum Mode {
    Table(ProgressBar),
    Lines,
    Quiet,
}

/// Which streams of a command have to be taken in.
#[derive(Clone, Copy)]
pub struct Capture {
    pub stdout: bool,
    pub stderr: bool,
}

/// A stream of a command.
#[derive(Clone, Copy)]
pub enum Stream {
    Stdout,
    Stderr,
}

/// What there is to show at one moment.
pub struct Picture {
    pub views: Vec<View>,
    /// Bytes and records published.
    pub bytes: u64,
    pub records: u64,
}

impl Screen {
    /// The screen for a run over `total` bytes, if that is known.
    pub fn new(plan: &Plan, total: Option<u64>) -> Screen {
        let mode = match plan.progress {
            Progress::Never => Mode::Quiet,
            Progress::Table if can_draw() => Mode::Table(bar(total)),
            Progress::Auto if can_draw() && !terminal_is_shared(plan) => Mode::Table(bar(total)),
            Progress::Auto if io::stderr().is_terminal() || plan.summary != Summary::Text => {
                Mode::Quiet
            }
            Progress::Auto | Progress::Table | Progress::Lines => Mode::Lines,
        };
        Screen { mode }
    }

    /// Which streams of a command would run into the live table.
    pub fn capture(&self) -> Capture {
        let live = matches!(self.mode, Mode::Table(_));
        Capture {
            stdout: live && io::stdout().is_terminal(),
            stderr: live,
        }
    }

    /// Lets through what a command printed.
    pub fn show(&self, stream: Stream, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        self.above(|| {
            let end: &[u8] = if text.ends_with(b"\n") { b"" } else { b"\n" };
            // Whoever closed the terminal does not want to know.
            let _ = match stream {
                Stream::Stdout => write_all(&mut io::stdout().lock(), &[text, end]),
                Stream::Stderr => write_all(&mut io::stderr().lock(), &[text, end]),
            };
        });
    }

    /// Prints a message of our own.
    pub fn note(&self, message: &str) {
        self.above(|| say(&format!("tidings: {message}")));
    }

    /// Whether it is time to show something again, `last` being when that was done last.
    pub fn is_due(&self, last: Instant) -> bool {
        match self.mode {
            Mode::Table(_) => true,
            Mode::Lines => last.elapsed() >= PERIOD,
            Mode::Quiet => false,
        }
    }

    /// Shows how it goes.
    pub fn draw(&self, picture: &Picture, elapsed: Duration) {
        match &self.mode {
            Mode::Table(bar) => {
                let lines =
                    table::render(&picture.views, width(), console::colors_enabled_stderr());
                bar.set_position(picture.bytes);
                bar.set_message(lines.join("\n"));
            }
            Mode::Lines => say(&progress_line(picture, elapsed)),
            Mode::Quiet => {}
        }
    }

    /// Takes the live table away.
    pub fn close(&self) {
        if let Mode::Table(bar) = &self.mode {
            bar.finish_and_clear();
        }
    }

    fn above(&self, write: impl FnOnce()) {
        match &self.mode {
            Mode::Table(bar) => bar.suspend(write),
            Mode::Lines | Mode::Quiet => write(),
        }
    }
}

/// Writes a line to standard error; that nobody reads it is no reason to stop.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Columns of the terminal behind standard error.
pub fn width() -> usize {
    Term::stderr()
        .size_checked()
        .map_or(120, |(_, columns)| usize::from(columns))
}

fn can_draw() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether records or typed input would run into a live table.
fn terminal_is_shared(plan: &Plan) -> bool {
    let prints = plan
        .consumers
        .iter()
        .any(|spec| spec.target == Target::Stdout);
    prints && io::stdout().is_terminal() || plan.input.is_none() && io::stdin().is_terminal()
}

fn bar(total: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(20));
    let template = match total {
        Some(_) => {
            "{msg}\n{bar:30.green/dim} {percent:>3}%  {bytes} of {total_bytes}  {bytes_per_sec}  ETA {eta}"
        }
        None => "{msg}\n{spinner:.green} {bytes}  {bytes_per_sec}  {elapsed}",
    };
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    bar.set_style(style.progress_chars("━━─"));
    bar
}

fn progress_line(picture: &Picture, elapsed: Duration) -> String {
    let records = table::count(picture.records);
    let mut line = format!("tidings: {} s, {records} records", elapsed.as_secs());
    for view in &picture.views {
        line += &format!(
            " | {} {}",
            table::plain(&view.name),
            table::count(view.delivered)
        );
        if view.skipped > 0 {
            line += &format!(", skipped {}", table::count(view.skipped));
        }
        line += &format!(" ({})", view.state);
    }
    line
}

fn write_all(out: &mut impl Write, parts: &[&[u8]]) -> io::Result<()> {
    parts.iter().try_for_each(|part| out.write_all(part))?;
    out.flush()
}
