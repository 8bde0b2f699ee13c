//! The end of a run in words, as a table, as JSON, and as an exit status.

use serde_json::{Value, json};

use crate::plan::{Plan, Summary};

use super::board::Board;
use super::feed::FeedEnd;
use super::outcome::{End, Outcome, signal_name};
use super::screen::width;
use super::spec::{Contract, Target};
use super::supervise::Finish;
use super::table::{self, View};

/// Everything about a finished run.
pub struct Account<'a> {
    plan: &'a Plan,
    finish: Finish,
    /// Records and bytes published.
    records: u64,
    bytes: u64,
    /// For each consumer, the records that came after its end.
    missed: Vec<u64>,
}

impl<'a> Account<'a> {
    /// Settles the account of a run.
    pub fn new(plan: &'a Plan, mut finish: Finish, board: &Board) -> Account<'a> {
        let (records, bytes) = (board.input.records.get(), board.input.bytes.get());
        let missed = finish
            .outcomes
            .iter_mut()
            .map(|outcome| outcome.close(records))
            .collect();
        Account {
            plan,
            finish,
            records,
            bytes,
            missed,
        }
    }

    /// The lines that `--summary` asks for.
    pub fn lines(&self) -> Vec<String> {
        match self.plan.summary {
            Summary::Text => self.text(),
            Summary::Json => vec![self.json().to_string()],
            Summary::None => Vec::new(),
        }
    }

    /// Whether a signal has ended the run.
    pub fn is_interrupted(&self) -> bool {
        self.finish.signal.is_some()
    }

    /// The exit status.
    pub fn status(&self) -> u8 {
        match self.finish.signal {
            Some(signal) => 128 + signal as u8,
            None if self.failures().is_empty() => 0,
            None => 1,
        }
    }

    /// What made the run fail.
    fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        if let FeedEnd::Failed(message) = &self.finish.report.end {
            failures.push(format!("input: {message}"));
        }
        for (index, (spec, outcome)) in self
            .plan
            .consumers
            .iter()
            .zip(&self.finish.outcomes)
            .enumerate()
        {
            let counts = spec.contract == Contract::Gating || self.finish.stopped_by == Some(index);
            if counts && outcome.end.is_failure(spec.contract) {
                let what = outcome
                    .end
                    .complaint()
                    .unwrap_or_else(|| outcome.end.to_string());
                failures.push(format!("`{}`: {what}", table::plain(&spec.name)));
            }
        }
        failures
    }

    fn text(&self) -> Vec<String> {
        let views: Vec<View> = (0..self.plan.consumers.len())
            .map(|index| self.view(index))
            .collect();
        // A pipe or a log takes lines of any length; a terminal does not.
        let columns = if console::Term::stderr().is_term() {
            width()
        } else {
            1000
        };
        let mut lines = table::render(&views, columns, console::colors_enabled_stderr());
        lines.push(self.throughput());
        lines.push(self.verdict());
        lines
    }

    fn throughput(&self) -> String {
        let seconds = self.finish.reading.as_secs_f64();
        let passes = match self.plan.repeat {
            1 => String::new(),
            passes => format!(" × {passes}"),
        };
        format!(
            "{} {}, {} in {seconds:.2} s ({} records/s, {}/s) from {}{passes}",
            table::count(self.records),
            if self.records == 1 {
                "record"
            } else {
                "records"
            },
            table::bytes(self.bytes as f64),
            table::quantity(self.records as f64 / seconds),
            table::bytes(self.bytes as f64 / seconds),
            input_name(self.plan),
        )
    }

    fn verdict(&self) -> String {
        let seconds = self.finish.elapsed.as_secs_f64();
        let failures = self.failures();
        match self.finish.signal {
            Some(signal) => {
                format!(
                    "interrupted by {} after {seconds:.2} s",
                    signal_name(signal)
                )
            }
            None if !failures.is_empty() => {
                format!("failed after {seconds:.2} s: {}", failures.join("; "))
            }
            None if self.gates_are_complete() => {
                format!("ok after {seconds:.2} s: every gating consumer got every record")
            }
            None => format!("ok after {seconds:.2} s"),
        }
    }

    /// Whether there are gating consumers, and all of them took every record.
    fn gates_are_complete(&self) -> bool {
        let specs = self.plan.consumers.iter().zip(&self.missed);
        let mut gates = specs
            .filter(|(spec, _)| spec.contract == Contract::Gating)
            .peekable();
        gates.peek().is_some() && gates.all(|(_, missed)| *missed == 0)
    }

    fn view(&self, index: usize) -> View {
        let (spec, outcome) = (&self.plan.consumers[index], &self.finish.outcomes[index]);
        let mut state = outcome.end.to_string();
        if self.missed[index] > 0 {
            state += &format!(", {} not taken", table::count(self.missed[index]));
        }
        View {
            name: spec.name.clone(),
            contract: spec.contract,
            delivered: outcome.delivered,
            rate: rate(outcome),
            lag: None,
            skipped: outcome.skipped,
            state,
            tone: outcome.end.tone(spec.contract),
        }
    }

    fn json(&self) -> Value {
        let consumers: Vec<Value> = (0..self.plan.consumers.len())
            .map(|index| self.consumer_json(index))
            .collect();
        let end = match &self.finish.report.end {
            FeedEnd::Complete => "complete",
            FeedEnd::Stopped => "stopped",
            FeedEnd::Failed(_) => "failed",
        };
        json!({
            "tidings": env!("CARGO_PKG_VERSION"),
            "exit_status": self.status(),
            "signal": self.finish.signal,
            "failures": self.failures(),
            "seconds": self.finish.elapsed.as_secs_f64(),
            "seconds_reading": self.finish.reading.as_secs_f64(),
            "capacity": self.plan.capacity,
            "input": {
                "name": input_name(self.plan),
                "format": self.plan.framing.to_string(),
                "repeat": self.plan.repeat,
                "end": end,
                "warning": self.finish.report.warning,
                "records": self.records,
                "bytes": self.bytes,
            },
            "consumers": consumers,
        })
    }

    fn consumer_json(&self, index: usize) -> Value {
        let (spec, outcome) = (&self.plan.consumers[index], &self.finish.outcomes[index]);
        let (exit_status, signal) = match (&spec.target, &outcome.end) {
            (Target::Command(_), End::Done | End::ClosedEarly) => (Some(0), None),
            (_, End::Exited(code)) => (Some(*code), None),
            (_, End::Died(signal)) => (None, Some(*signal)),
            _ => (None, None),
        };
        json!({
            "name": spec.name,
            "contract": match spec.contract { Contract::Gating => "gating", Contract::Lossy => "lossy" },
            "kind": match spec.target { Target::Command(_) => "command", Target::File(_) => "file", Target::Stdout => "stdout" },
            "target": spec.target.to_string(),
            "delivered": outcome.delivered,
            "bytes": outcome.bytes,
            "skipped": outcome.skipped,
            "not_taken": self.missed[index],
            "seconds": outcome.time.as_secs_f64(),
            "state": outcome.end.to_string(),
            "failed": outcome.end.is_failure(spec.contract),
            "error": outcome.end.complaint(),
            "exit_status": exit_status,
            "signal": signal,
        })
    }
}

fn input_name(plan: &Plan) -> String {
    plan.input
        .as_ref()
        .map_or("standard input".into(), |path| path.display().to_string())
}

fn rate(outcome: &Outcome) -> f64 {
    outcome.delivered as f64 / outcome.time.as_secs_f64().max(1e-9)
}
