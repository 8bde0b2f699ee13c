//! What a person sees while it runs: a live table on a terminal, a line now and then elsewhere, or nothing.
//!
//! Standard output belongs to the consumers. Everything here goes to standard error, except what commands print: while
//! a live table is up, their output is taken in and let through above the table, to the stream it was meant for.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use console::{Style, Term};

use crate::plan::{Plan, Progress, Summary};

use super::live::Live;
use super::spec::Target;
use super::table::{self, View};
use super::writer::Writer;

/// Time between two lines of progress.
const PERIOD: Duration = Duration::from_secs(5);

/// Cells of the progress bar.
const BAR: usize = 30;

/// Where progress, messages and the output of commands are shown.
pub struct Screen {
    mode: Mode,
    writer: Writer,
    /// Bytes of the whole input, if that is known.
    total: Option<u64>,
}

#[derive(Clone)]
enum Mode {
    Table(Arc<Live>),
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
    /// Bytes and records published, and bytes a second.
    pub bytes: u64,
    pub records: u64,
    pub byte_rate: f64,
}

impl Screen {
    /// The screen for a run over `total` bytes, if that is known.
    pub fn new(plan: &Plan, total: Option<u64>) -> io::Result<Screen> {
        let mode = match plan.progress {
            Progress::Never => Mode::Quiet,
            Progress::Table if can_draw() => Mode::Table(Arc::default()),
            Progress::Auto if can_draw() && !terminal_is_shared(plan) => {
                Mode::Table(Arc::default())
            }
            Progress::Auto if io::stderr().is_terminal() || plan.summary != Summary::Text => {
                Mode::Quiet
            }
            Progress::Auto | Progress::Table | Progress::Lines => Mode::Lines,
        };
        Ok(Screen {
            mode,
            writer: Writer::start()?,
            total,
        })
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
        self.mode.above(|| {
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
        let (mode, line) = (self.mode.clone(), format!("tidings: {message}"));
        self.writer.write(move || mode.above(|| say(&line)));
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
            Mode::Table(live) => {
                let (width, colour) = (width(), console::colors_enabled_stderr());
                let mut lines = table::render(&picture.views, width, colour);
                let progress = self.progress(picture, elapsed, colour);
                lines.push(console::truncate_str(&progress, width, "…").into_owned());
                let live = live.clone();
                self.writer.draw(move || live.draw(lines));
            }
            Mode::Lines => {
                let line = progress_line(picture, elapsed);
                self.writer.draw(move || say(&line));
            }
            Mode::Quiet => {}
        }
    }

    /// Takes the live table away.
    pub fn close(&self) {
        if let Mode::Table(live) = self.mode.clone() {
            self.writer.write(move || live.clear());
        }
    }

    /// Prints the last lines, below all that was printed before, and waits for `patience` at most until that is done.
    pub fn end(&self, lines: Vec<String>, patience: Option<Duration>) {
        self.writer
            .write(move || lines.iter().for_each(|line| say(line)));
        self.writer.finish(patience);
    }

    /// The line below the table: a bar where the length of the input is known.
    fn progress(&self, picture: &Picture, elapsed: Duration, colour: bool) -> String {
        let (bytes, rate) = (picture.bytes as f64, table::bytes(picture.byte_rate));
        let read = table::bytes(bytes);
        let Some(total) = self.total.filter(|total| *total > 0) else {
            return format!("{read}  {rate}/s  {}", clock(elapsed));
        };
        let share = (bytes / total as f64).min(1.0);
        let done = (share * BAR as f64) as usize;
        let style = |style: Style| style.for_stderr().force_styling(colour);
        let full = style(Style::new().green()).apply_to("━".repeat(done));
        let rest = style(Style::new().dim()).apply_to("─".repeat(BAR - done));
        let (percent, total) = ((share * 100.0) as u32, table::bytes(total as f64));
        let time = match share {
            1.0 => return format!("{full} 100%  {total}  {}", clock(elapsed)),
            0.0 => "ETA -".into(),
            _ => format!("ETA {}", clock(elapsed.mul_f64((1.0 - share) / share))),
        };
        format!("{full}{rest} {percent:>3}%  {read} of {total}  {rate}/s  {time}")
    }
}

impl Mode {
    fn above(&self, write: impl FnOnce()) {
        match self {
            Mode::Table(live) => live.above(write),
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

/// Minutes and seconds, with hours if there are any.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
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
