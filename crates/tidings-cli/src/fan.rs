//! `tidings fan`: one input, many consumers.
//!
//! Threads: one reads the input and publishes records into one ring (`feed`); one for each consumer takes them from
//! the ring and writes them (`consumer`, with `gate` or `tap`); one hears signals; the main thread watches over them
//! (`supervise`) and draws the screen. Records travel through the ring only, results through one channel to the
//! supervisor, and counters and orders over the `board`.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tidings::ring::Builder;

use crate::args;
use crate::plan::Plan;

use board::Board;
use child::Groups;
use consumer::Consumer;
use feed::{Feed, FeedEnd, Report};
use frame::Frame;
use outcome::{End, Outcome};
use outputs::Refusal;
use screen::Screen;
use source::Source;
use spec::{Spec, Target};
use summary::Account;
use supervise::{Event, Supervisor};

mod board;
mod child;
mod consumer;
mod feed;
mod feeding;
mod frame;
mod gate;
mod gauge;
mod live;
mod outcome;
mod outlet;
mod outputs;
mod rate;
mod ready;
pub mod records;
mod relay;
mod screen;
mod signals;
mod source;
pub mod spec;
mod summary;
mod supervise;
mod table;
mod tap;
mod writer;

/// How long an interrupted run tries to print its summary.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Runs the plan from its first record to its summary.
pub fn run(plan: Plan) -> ExitCode {
    match try_run(&plan) {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            screen::say(&format!("tidings: error: {message}"));
            ExitCode::FAILURE
        }
    }
}

fn try_run(plan: &Plan) -> Result<u8, String> {
    let source = open(plan)?;
    let (publisher, ring) = match Builder::new(plan.capacity).gating::<Frame>() {
        Ok(pair) => pair,
        Err(error) => args::usage_error(&format!("--capacity {}: {error}", plan.capacity)),
    };
    let board = Arc::new(Board::new(plan.consumers.len()));
    let screen = Screen::new(plan, source.total())
        .map(Arc::new)
        .map_err(|error| format!("cannot start a thread: {error}"))?;
    let groups = Groups::default();
    let (events, heard) = mpsc::channel();
    signals::listen(events.clone(), groups.clone())
        .map_err(|error| format!("cannot listen for signals: {error}"))?;
    // Files first: one that cannot be written is reported before any command has run.
    let outputs = open_outputs(&plan.consumers, &source)?;
    let mut consumers = Vec::new();
    for ((index, spec), output) in plan.consumers.iter().enumerate().zip(outputs) {
        let started = Consumer::start(index, spec, output, &ring, &board, &groups, &screen);
        consumers.push(started.map_err(|error| cannot_start(spec, &error))?);
    }
    drop(ring);
    let supervisor = Supervisor::new(plan, board.clone(), screen.clone());
    let feed = Feed::new(
        publisher,
        board.clone(),
        plan.framing,
        plan.max_record,
        plan.rate,
    );
    start_threads(consumers, feed, source, &board, &events).map_err(|error| {
        groups.kill_all();
        format!("cannot start a thread: {error}")
    })?;
    drop(events);
    let account = Account::new(plan, supervisor.watch(&heard), &board);
    // Who ends a run with a signal may have stopped the terminal before.
    screen.end(
        account.lines(),
        account.is_interrupted().then_some(LAST_WORDS),
    );
    Ok(account.status())
}

fn open(plan: &Plan) -> Result<Source, String> {
    let name = || {
        plan.input
            .as_ref()
            .map_or("standard input".into(), |path| path.display().to_string())
    };
    let source = Source::open(plan.input.as_deref(), plan.repeat)
        .map_err(|error| format!("cannot read INPUT {}: {error}", name()))?;
    if plan.repeat > 1 && !source.is_regular() {
        args::usage_error(&format!(
            "--repeat needs a regular file as INPUT, and {} is none",
            name()
        ));
    }
    Ok(source)
}

fn open_outputs(specs: &[Spec], source: &Source) -> Result<Vec<Option<File>>, String> {
    outputs::open(specs, source.file()).map_err(|refusal| match refusal {
        Refusal::Conflict(message) => args::usage_error(&message),
        Refusal::Unwritable(index, error) => cannot_start(&specs[index], &error),
    })
}

fn cannot_start(spec: &Spec, error: &io::Error) -> String {
    match &spec.target {
        Target::Command(command) => format!(
            "cannot start sh for `{}`: {error}",
            command.to_string_lossy()
        ),
        Target::File(path) => format!("cannot write to {}: {error}", path.display()),
        Target::Stdout => format!("cannot write to standard output: {error}"),
    }
}

fn start_threads(
    consumers: Vec<Consumer>,
    feed: Feed,
    source: Source,
    board: &Arc<Board>,
    events: &Sender<Event>,
) -> io::Result<()> {
    for consumer in consumers {
        let index = consumer.index();
        let (events, board) = (events.clone(), board.clone());
        thread::Builder::new().spawn(move || {
            let started = Instant::now();
            let outcome = catch_unwind(AssertUnwindSafe(|| consumer.run()));
            let outcome = outcome.unwrap_or_else(|_| {
                Outcome::new(End::Defect, &board.rows[index], started.elapsed())
            });
            let _ = events.send(Event::Ended(index, outcome));
        })?;
    }
    let events = events.clone();
    thread::Builder::new().spawn(move || {
        let report = catch_unwind(AssertUnwindSafe(|| feed.run(source)));
        let failed = || Report {
            end: FeedEnd::Failed("internal error; please report it".into()),
            warning: None,
        };
        let _ = events.send(Event::Fed(report.unwrap_or_else(|_| failed())));
    })?;
    Ok(())
}
