//! Tables for people, JSON for machines.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::machine::Machine;
use crate::round::Round;
use crate::runner::{Outcome, Taken, Verdict, best};
use crate::scenario::{Scenario, Target};
use crate::stats;

/// A whole run.
pub struct Record<'a> {
    /// Where it ran.
    pub machine: Machine,
    /// Rounds that were asked for.
    pub rounds: u32,
    /// What came out.
    pub outcomes: Vec<Outcome<'a>>,
}

impl<'a> Record<'a> {
    /// Puts a run together.
    pub fn new(machine: Machine, rounds: u32, outcomes: Vec<Outcome<'a>>) -> Self {
        Self {
            machine,
            rounds,
            outcomes,
        }
    }
}

/// The names of scenarios and their engines.
pub fn list(scenarios: &[Scenario]) {
    for scenario in scenarios {
        let engines: Vec<&str> = scenario.rows.iter().map(|row| row.engine).collect();
        println!(
            "{:<20} {} · {}",
            scenario.name,
            scenario.operation,
            engines.join(", ")
        );
    }
}

/// One line for a scenario whose engines have all done the right work. Times of a smoke run mean nothing; counts do.
pub fn smoke(outcome: &Outcome) -> Result<String, String> {
    for verdict in &outcome.verdicts {
        if let Target::Bound { counted: true, .. } = verdict.target
            && !verdict.holds
        {
            return Err(format!("{}: {}", outcome.scenario.name, sentence(verdict)));
        }
    }
    Ok(format!(
        "right work: {:<20} {} engines\n",
        outcome.scenario.name,
        outcome.taken.len()
    ))
}

/// One scenario as a Markdown table, which reads well on a terminal too.
pub fn table(outcome: &Outcome) -> String {
    let mut text = heading(outcome.scenario);
    let extras = extra_names(&outcome.taken);
    let mut lines = vec![header(&extras, floor(outcome).is_some())];
    lines.extend(
        outcome
            .taken
            .iter()
            .map(|taken| line(taken, outcome, &extras)),
    );
    text.push_str(&aligned(&lines));
    for verdict in &outcome.verdicts {
        let _ = writeln!(text, "\n{}", sentence(verdict));
    }
    text.push('\n');
    text
}

fn heading(scenario: &Scenario) -> String {
    let Scenario {
        name,
        operation,
        contract,
        payload,
        waiting,
        who,
        plan,
        ..
    } = scenario;
    let ring = match plan.capacity {
        0 => String::new(),
        slots => format!("ring {slots} · "),
    };
    let publishers = match plan.publishers {
        1 => String::new(),
        several => format!("{several} publishers · "),
    };
    format!(
        "### {name}\n\nOperation: {operation} · {contract:?} · {payload} · {ring}{publishers}{} {who} · {} operations a turn · waiting: {waiting:?}\n\n",
        plan.receivers, plan.operations
    )
}

fn extra_names(taken: &[Taken]) -> Vec<&'static str> {
    let first = taken.iter().find_map(|taken| taken.rounds.first());
    first
        .map(|round| round.extra.iter().map(|(name, _)| *name).collect())
        .unwrap_or_default()
}

/// The row called `floor`: what the scenario costs without any engine.
fn floor<'a>(outcome: &'a Outcome) -> Option<&'a Taken> {
    outcome.taken.iter().find(|taken| taken.engine == "floor")
}

fn header(extras: &[&'static str], above_floor: bool) -> Vec<String> {
    let fixed = [
        "engine",
        "mode",
        "min ns",
        "median ns",
        "ours ÷ this, min",
        "median",
        "cores",
        "blocked",
        "preempted",
        "delivered",
    ];
    let above: &[&str] = if above_floor {
        &["above the floor"]
    } else {
        &[]
    };
    fixed
        .iter()
        .chain(above)
        .chain(extras)
        .map(ToString::to_string)
        .collect()
}

fn line(taken: &Taken, outcome: &Outcome, extras: &[&'static str]) -> Vec<String> {
    let times = taken.times();
    let middle = |get: &dyn Fn(&Round) -> f64| {
        stats::median(&taken.rounds.iter().map(get).collect::<Vec<_>>())
    };
    let ours = outcome.taken.first().map(Taken::times).unwrap_or_default();
    let mut line = vec![
        taken.engine.to_string(),
        taken.mode.to_string(),
        number(stats::min(&times)),
        number(stats::median(&times)),
        format!("{:.2}", stats::min(&ours) / stats::min(&times)),
        format!("{:.2}", stats::paired_ratio(&ours, &times)),
        format!("{:.2}", middle(&|round| round.cores)),
        format!("{:.0}", middle(&|round| round.voluntary as f64)),
        format!("{:.0}", middle(&|round| round.involuntary as f64)),
        format!("{:.0} %", middle(&|round| round.delivered) * 100.0),
    ];
    line.extend(
        floor(outcome).map(|floor| number(stats::min(&times) - stats::min(&floor.times()))),
    );
    line.extend(
        extras
            .iter()
            .map(|name| number(middle(&|round| round.extra(name).unwrap_or(0.0)))),
    );
    line
}

/// Three digits that mean something.
fn number(value: f64) -> String {
    match value {
        _ if value == 0.0 => "0".into(),
        _ if value < 0.0 => format!("-{}", number(-value)),
        _ if value < 0.01 => format!("{value:.1e}"),
        _ if value < 100.0 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

/// A Markdown table whose columns line up.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            lines
                .iter()
                .map(|line| line[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let row = |line: &[String]| {
        let cells = line
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(column, (cell, width))| {
                if column < 2 {
                    format!(" {cell:<width$} |")
                } else {
                    format!(" {cell:>width$} |")
                }
            });
        format!("|{}\n", cells.collect::<String>())
    };
    let rule = widths.iter().enumerate().map(|(column, width)| {
        format!(
            "{}{}|",
            "-".repeat(width + 1),
            if column < 2 { "-" } else { ":" }
        )
    });
    let rule = format!("|{}\n", rule.collect::<String>());
    lines
        .iter()
        .enumerate()
        .map(|(i, line)| if i == 0 { row(line) + &rule } else { row(line) })
        .collect()
}

fn sentence(verdict: &Verdict) -> String {
    let outcome = if verdict.holds { "pass" } else { "MISS" };
    match verdict.target {
        Target::Ratio {
            ours,
            rival,
            at_most,
        } => format!(
            "{outcome}: {ours} ÷ {rival} = {:.2} (median {:.2}), target ≤ {at_most}",
            verdict.found,
            verdict.median.unwrap_or(0.0)
        ),
        Target::Bound {
            ours,
            what,
            at_most,
            ..
        } => format!(
            "{outcome}: {what} of {ours} = {}, target ≤ {at_most}",
            number(verdict.found)
        ),
    }
}

/// All targets on a page.
pub fn summary(record: &Record) -> String {
    let mut text = String::from("### Targets\n\n");
    let mut lines = vec![
        ["scenario", "target", "found", "median", "outcome"]
            .map(String::from)
            .to_vec(),
    ];
    for outcome in &record.outcomes {
        for verdict in &outcome.verdicts {
            let target = match verdict.target {
                Target::Ratio {
                    ours,
                    rival,
                    at_most,
                } => format!("{ours} ÷ {rival} ≤ {at_most}"),
                Target::Bound {
                    ours,
                    what,
                    at_most,
                    ..
                } => format!("{ours}: {what} ≤ {at_most}"),
            };
            let median = verdict.median.map(number).unwrap_or_default();
            let holds = if verdict.holds { "pass" } else { "MISS" };
            lines.push(vec![
                outcome.scenario.name.clone(),
                target,
                number(verdict.found),
                median,
                holds.into(),
            ]);
        }
    }
    text.push_str(&aligned(&lines));
    text
}

/// The record for people.
pub fn markdown(record: &Record) -> String {
    let Machine {
        processor,
        cores,
        kernel,
        rustc,
        commit,
        date,
        command,
        priority,
        load,
    } = &record.machine;
    let mut text = format!(
        "# {date}\n\nProcessor: {processor}, {cores} core(s) · {kernel} · {rustc} · commit {commit} · nice {priority} · load {load}\n\n    {command}\n\n\
         Nanoseconds per operation over {} rounds (fewer where a turn is long). `ours ÷ this` compares the first row with each row: \
         of the minima, then the median of the rounds' ratios. `cores`: CPU seconds per second. `blocked`, `preempted`: context switches \
         a turn. How to read this: `bench/METHODOLOGY.md`; what may lean which way: `bench/BIAS.md`.\n\n",
        record.rounds
    );
    text.push_str(&summary(record));
    text.push('\n');
    text.extend(record.outcomes.iter().map(table));
    text
}

/// The record for machines: every turn, nothing left out.
pub fn json(record: &Record) -> Result<String, String> {
    let scenarios: Vec<Value> = record.outcomes.iter().map(scenario_json).collect();
    let mut value =
        json!({ "machine": record.machine, "rounds": record.rounds, "scenarios": scenarios });
    round_off(&mut value);
    serde_json::to_string(&value)
        .map(|text| text + "\n")
        .map_err(|error| error.to_string())
}

/// Keeps four digits that mean something of every number with a fraction; clocks tell no more.
fn round_off(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(round_off),
        Value::Object(fields) => fields.values_mut().for_each(round_off),
        Value::Number(number) => {
            if let Some(exact) = number.as_f64().filter(|exact| exact.fract() != 0.0) {
                let scale = 10_f64.powi(3 - exact.abs().log10().floor() as i32);
                *value = json!((exact * scale).round() / scale);
            }
        }
        _ => {}
    }
}

fn scenario_json(outcome: &Outcome) -> Value {
    let Scenario {
        name,
        operation,
        contract,
        payload,
        waiting,
        plan,
        ..
    } = outcome.scenario;
    let engines: Vec<Value> = outcome.taken.iter().map(taken_json).collect();
    let targets: Vec<Value> = outcome
        .verdicts
        .iter()
        .map(|verdict| json!({ "target": verdict.target, "found": verdict.found, "median": verdict.median, "holds": verdict.holds }))
        .collect();
    json!({
        "name": name, "operation": operation, "contract": contract, "payload": payload, "waiting": waiting, "plan": plan,
        "engines": engines, "targets": targets,
        "best_rival": best_rival(outcome),
    })
}

/// The best mode of the rival that the first target names.
fn best_rival(outcome: &Outcome) -> Option<&'static str> {
    let rival = |target: &Target| match target {
        Target::Ratio { rival, .. } => Some(*rival),
        Target::Bound { .. } => None,
    };
    let rival = outcome.scenario.targets.iter().find_map(rival)?;
    best(rival, &outcome.taken).map(|taken| taken.mode)
}

fn taken_json(taken: &Taken) -> Value {
    let times = taken.times();
    json!({
        "engine": taken.engine, "mode": taken.mode, "min_ns": stats::min(&times), "median_ns": stats::median(&times),
        "rounds": columns(&taken.rounds),
    })
}

/// Each number of all rounds, in their order.
fn columns(rounds: &[Round]) -> Value {
    let column = |get: &dyn Fn(&Round) -> f64| Value::from_iter(rounds.iter().map(get));
    let mut columns = json!({
        "ns": column(&|round| round.ns), "cpu_ns": column(&|round| round.cpu_ns), "cores": column(&|round| round.cores),
        "blocked": column(&|round| round.voluntary as f64), "preempted": column(&|round| round.involuntary as f64),
        "delivered": column(&|round| round.delivered),
    });
    for (name, _) in rounds
        .first()
        .map(|round| &*round.extra)
        .unwrap_or_default()
    {
        columns[*name] = column(&|round| round.extra(name).unwrap_or(0.0));
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let cells = |row: [&str; 3]| row.map(String::from).to_vec();
        let text = aligned(&[cells(["a", "b", "c"]), cells(["long", "é", "12"])]);
        let widths: Vec<usize> = text.lines().map(|line| line.chars().count()).collect();
        assert_eq!(widths, vec![widths[0]; 3]);
    }

    #[test]
    fn small_numbers_keep_their_digits() {
        assert_eq!(
            [number(0.0), number(0.001), number(1.234), number(1234.5)],
            ["0", "1.0e-3", "1.23", "1234"]
        );
    }
}
