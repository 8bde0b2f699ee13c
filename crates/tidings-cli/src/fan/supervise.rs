//! Watches over a run: hears of every end, draws the screen, and gives the orders to stop.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::plan::{OnExit, Plan};

use super::board::{Board, Halt, Stage};
use super::feed::{FeedEnd, Report};
use super::gauge::{Gauge, Reading};
use super::outcome::{End, Outcome};
use super::screen::{Picture, Screen};
use super::spec::Contract;
use super::table::{self, Tone, View};

/// How often the screen is drawn and the clocks are looked at.
const TICK: Duration = Duration::from_millis(100);

/// How long consumers may go on after a signal.
const DRAIN: Duration = Duration::from_secs(3);

/// How long threads may take to give up before they are left behind.
const GIVE_UP: Duration = Duration::from_secs(4);

/// What the supervisor hears of.
pub enum Event {
    /// The input thread has ended.
    Fed(Report),
    /// A consumer has ended.
    Ended(usize, Outcome),
    /// A signal has come.
    Signal(i32),
}

/// The result of a run.
pub struct Finish {
    pub report: Report,
    pub outcomes: Vec<Outcome>,
    pub signal: Option<i32>,
    /// The consumer whose end stopped the run, with `--on-exit stop`.
    pub stopped_by: Option<usize>,
    /// From the start to the end of the input, and to the end of everything.
    pub reading: Duration,
    pub elapsed: Duration,
}

/// The state of the watch.
pub struct Supervisor<'a> {
    plan: &'a Plan,
    board: Arc<Board>,
    screen: Arc<Screen>,
    started: Instant,
    drawn: Instant,
    gauges: Vec<Gauge>,
    /// Of the bytes published.
    intake: Gauge,
    outcomes: Vec<Option<Outcome>>,
    report: Option<Report>,
    reading: Option<Duration>,
    signal: Option<i32>,
    stopped_by: Option<usize>,
    /// When the signal came; when the last gating consumer ended, the input having ended before.
    signalled: Option<Instant>,
    lingering: Option<Instant>,
}

impl<'a> Supervisor<'a> {
    /// A watch over the run of `plan` that begins now.
    pub fn new(plan: &'a Plan, board: Arc<Board>, screen: Arc<Screen>) -> Supervisor<'a> {
        let now = Instant::now();
        let gauges = plan.consumers.iter().map(|_| Gauge::new(now)).collect();
        let outcomes = plan.consumers.iter().map(|_| None).collect();
        Supervisor {
            plan,
            board,
            screen,
            started: now,
            drawn: now,
            gauges,
            intake: Gauge::new(now),
            outcomes,
            report: None,
            reading: None,
            signal: None,
            stopped_by: None,
            signalled: None,
            lingering: None,
        }
    }

    /// Watches until the input and every consumer have ended.
    pub fn watch(mut self, events: &Receiver<Event>) -> Finish {
        while self.report.is_none() || self.outcomes.iter().any(Option::is_none) {
            match events.recv_timeout(TICK) {
                Ok(event) => self.hear(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let now = Instant::now();
            self.read_gauges(now);
            self.check_linger(now);
            if self.check_signal(now) {
                break;
            }
            self.draw(now);
        }
        self.screen.close();
        self.finish()
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Fed(report) => self.hear_fed(report),
            Event::Ended(index, outcome) => self.hear_ended(index, outcome),
            Event::Signal(signal) => {
                self.signal.get_or_insert(signal);
                self.signalled.get_or_insert(Instant::now());
                self.board.stop.set(true);
            }
        }
    }

    fn hear_fed(&mut self, report: Report) {
        if let FeedEnd::Failed(message) = &report.end {
            self.screen.note(&format!("input: {message}"));
        }
        if let Some(warning) = &report.warning {
            self.screen.note(&format!("warning: input: {warning}"));
        }
        self.report = Some(report);
        self.reading = Some(self.started.elapsed());
    }

    fn hear_ended(&mut self, index: usize, outcome: Outcome) {
        let spec = &self.plan.consumers[index];
        if let Some(complaint) = outcome.end.complaint() {
            let (kind, level) = match spec.contract {
                Contract::Gating => ("gating", "error"),
                Contract::Lossy => ("lossy", "warning"),
            };
            self.screen.note(&format!(
                "{level}: {kind} consumer `{}`: {complaint}",
                table::plain(&spec.name)
            ));
        }
        let early = self.report.is_none() && self.signal.is_none();
        if early && self.plan.on_exit == OnExit::Stop {
            self.stopped_by.get_or_insert(index);
            self.board.stop.set(true);
        }
        self.outcomes[index] = Some(outcome);
        if self.outcomes.iter().all(Option::is_some) {
            // Nobody is left to read the input for.
            self.board.stop.set(true);
        }
    }

    /// Reads the gauges, and takes off a gating consumer that has held everything back for too long.
    fn read_gauges(&mut self, now: Instant) {
        let Board { input, rows, .. } = &*self.board;
        self.intake.note(Reading::of(now, input.bytes.get()));
        for (index, gauge) in self.gauges.iter_mut().enumerate() {
            let row = &rows[index];
            let capacity = self.plan.capacity as u64;
            let behind = input.frames.get().saturating_sub(row.cursor.get());
            let attached = matches!(row.stage(), Stage::Opening | Stage::Running);
            let gating = self.plan.consumers[index].contract == Contract::Gating;
            gauge.note(Reading {
                at: now,
                delivered: row.delivered.get(),
                skipped: row.skipped.get(),
                cursor: row.cursor.get(),
                far: behind > capacity / 2,
                holds: gating && attached && input.waits.is_on() && behind >= capacity,
            });
            let held = gauge.held_for(now).filter(|_| row.halt().is_none());
            if self.plan.stall.is_some_and(|limit| held >= Some(limit)) {
                row.set_halt(Halt::Stall);
            }
        }
    }

    /// Ends the lossy consumers some time after the input and the gating consumers have ended.
    fn check_linger(&mut self, now: Instant) {
        let busy = |index: usize| self.outcomes[index].is_none();
        let contracts = || {
            self.plan
                .consumers
                .iter()
                .map(|spec| spec.contract)
                .enumerate()
        };
        if self.report.is_none()
            || contracts().any(|(index, contract)| contract == Contract::Gating && busy(index))
        {
            return;
        }
        let since = *self.lingering.get_or_insert(now);
        if now.duration_since(since) >= self.plan.linger {
            self.halt_all(Halt::Linger);
        }
    }

    /// After a signal: ends what has not ended by itself in time, and says when to wait no longer.
    fn check_signal(&mut self, now: Instant) -> bool {
        let Some(waited) = self.signalled.map(|since| now.duration_since(since)) else {
            return false;
        };
        if waited >= DRAIN {
            self.board.abort.set(true);
            self.halt_all(Halt::Abort);
        }
        waited >= DRAIN + GIVE_UP
    }

    fn halt_all(&self, halt: Halt) {
        let rows = self.board.rows.iter().filter(|row| row.halt().is_none());
        rows.for_each(|row| row.set_halt(halt));
    }

    fn draw(&mut self, now: Instant) {
        if !self.screen.is_due(self.drawn) {
            return;
        }
        self.drawn = now;
        let views = (0..self.plan.consumers.len())
            .map(|index| self.view(index))
            .collect();
        let input = &self.board.input;
        let picture = Picture {
            views,
            bytes: input.bytes.get(),
            records: input.records.get(),
            byte_rate: self.intake.rate(),
        };
        self.screen.draw(&picture, self.started.elapsed());
    }

    fn view(&self, index: usize) -> View {
        let (spec, row) = (&self.plan.consumers[index], &self.board.rows[index]);
        let (delivered, skipped) = (row.delivered.get(), row.skipped.get());
        let records = self.board.input.records.get();
        let mut view = View {
            name: spec.name.clone(),
            contract: spec.contract,
            delivered,
            rate: 0.0,
            lag: None,
            skipped,
            state: String::new(),
            tone: Tone::Plain,
        };
        if let Some(outcome) = &self.outcomes[index] {
            view.state = outcome.end.to_string();
            view.tone = outcome.end.tone(spec.contract);
        } else {
            view.rate = self.gauges[index].rate();
            view.lag = Some(records.saturating_sub(delivered + skipped));
            (view.state, view.tone) = self.gauges[index].state(row);
        }
        view
    }

    fn finish(self) -> Finish {
        let elapsed = self.started.elapsed();
        let board = &self.board;
        // A thread that did not give up in time has left its counters.
        let lost =
            |index: usize| Outcome::new(End::Halted(Halt::Abort), &board.rows[index], elapsed);
        let outcomes = self.outcomes.into_iter().enumerate();
        Finish {
            report: self.report.unwrap_or(Report {
                end: FeedEnd::Stopped,
                warning: None,
            }),
            outcomes: outcomes
                .map(|(index, outcome)| outcome.unwrap_or_else(|| lost(index)))
                .collect(),
            signal: self.signal,
            stopped_by: self.stopped_by,
            reading: self.reading.unwrap_or(elapsed),
            elapsed,
        }
    }
}
