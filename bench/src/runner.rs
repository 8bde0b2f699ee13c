//! Takes the turns: within a scenario A B C A B C …, so that a slow minute of the machine hits everybody.

use crate::round::Round;
use crate::scenario::{Plan, Row, Scenario, Target};
use crate::stats;

/// How many rounds, and how large.
#[derive(Clone, Copy)]
pub struct Schedule {
    /// Rounds that count.
    pub rounds: u32,
    /// Rounds before them.
    pub warm_up: u32,
    /// Tiny turns that only prove that everything works.
    pub smoke: bool,
}

/// The turns of one engine.
pub struct Taken {
    /// The engine.
    pub engine: &'static str,
    /// Its mode.
    pub mode: &'static str,
    /// One a round.
    pub rounds: Vec<Round>,
}

impl Taken {
    /// Nanoseconds per operation, one a round.
    pub fn times(&self) -> Vec<f64> {
        self.rounds.iter().map(|round| round.ns).collect()
    }
}

/// How a target came out.
pub struct Verdict {
    /// What was asked.
    pub target: Target,
    /// What was found: the ratio of the minima, or the worst of the bounded number.
    pub found: f64,
    /// For a ratio, the median of the ratios round by round.
    pub median: Option<f64>,
    /// Whether it holds.
    pub holds: bool,
}

/// A scenario that has run.
pub struct Outcome<'a> {
    /// What was run.
    pub scenario: &'a Scenario,
    /// All turns.
    pub taken: Vec<Taken>,
    /// All targets.
    pub verdicts: Vec<Verdict>,
}

/// Runs one scenario; wrong work ends everything with an error that names engine and scenario.
pub fn run<'a>(scenario: &'a Scenario, schedule: &Schedule) -> Result<Outcome<'a>, String> {
    let new = |row: &Row| Taken {
        engine: row.engine,
        mode: row.mode,
        rounds: Vec::new(),
    };
    let mut taken: Vec<Taken> = scenario.rows.iter().map(new).collect();
    let times = if schedule.smoke { 1 } else { scenario.times };
    let rounds = (schedule.rounds * times).min(scenario.most_rounds);
    let warm_up = if scenario.most_rounds == u32::MAX {
        schedule.warm_up
    } else {
        0
    };
    for number in 0..warm_up + rounds {
        let plan = sized(scenario.plan, schedule.smoke, u64::from(number) + 1);
        for (row, taken) in scenario.rows.iter().zip(&mut taken) {
            let round = (row.run)(&plan).map_err(|fault| {
                format!("{}, {} ({}): {fault}", scenario.name, row.engine, row.mode)
            })?;
            if number >= warm_up {
                taken.rounds.push(round);
            }
        }
    }
    let verdicts = scenario
        .targets
        .iter()
        .filter_map(|target| judge(*target, &taken))
        .collect();
    Ok(Outcome {
        scenario,
        taken,
        verdicts,
    })
}

/// The plan of one round; a smoke round is a hundredth of a real one, where that is enough operations to prove anything.
fn sized(plan: Plan, smoke: bool, seed: u64) -> Plan {
    if !smoke {
        return Plan { seed, ..plan };
    }
    Plan {
        operations: (plan.operations / 100)
            .clamp(100, 20_000)
            .min(plan.operations),
        seconds: 1,
        seed,
        ..plan
    }
}

/// Compares with the target; `None` when a row is not there.
fn judge(target: Target, taken: &[Taken]) -> Option<Verdict> {
    match target {
        Target::Ratio {
            ours,
            rival,
            at_most,
        } => {
            let ours = taken.iter().find(|taken| taken.engine == ours)?.times();
            let rival = best(rival, taken)?.times();
            let found = stats::min(&ours) / stats::min(&rival);
            let median = Some(stats::paired_ratio(&ours, &rival));
            Some(Verdict {
                target,
                found,
                median,
                holds: found <= at_most,
            })
        }
        Target::Bound {
            ours,
            what,
            at_most,
            ..
        } => {
            let ours = taken.iter().find(|taken| taken.engine == ours)?;
            let found = ours
                .rounds
                .iter()
                .filter_map(|round| round.extra(what))
                .fold(0.0, f64::max);
            Some(Verdict {
                target,
                found,
                median: None,
                holds: found <= at_most,
            })
        }
    }
}

/// The fastest mode of an engine.
pub fn best<'a>(engine: &str, taken: &'a [Taken]) -> Option<&'a Taken> {
    let least = |taken: &&Taken| stats::min(&taken.times());
    taken
        .iter()
        .filter(|taken| taken.engine == engine)
        .min_by(|a, b| least(a).total_cmp(&least(b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(engine: &'static str, times: &[f64]) -> Taken {
        let rounds = times
            .iter()
            .map(|ns| Round {
                ns: *ns,
                ..Round::default()
            })
            .collect();
        Taken {
            engine,
            mode: "",
            rounds,
        }
    }

    #[test]
    fn a_ratio_is_taken_against_the_rivals_best_mode() {
        let taken = [
            taken("tidings", &[2.0, 1.0]),
            taken("rival", &[9.0, 8.0]),
            taken("rival", &[2.0, 4.0]),
        ];
        let target = Target::Ratio {
            ours: "tidings",
            rival: "rival",
            at_most: 0.5,
        };
        let verdict = judge(target, &taken).expect("both rows are there");
        assert!(verdict.holds && verdict.found == 0.5);
    }

    #[test]
    fn a_bound_is_held_by_the_worst_round() {
        let mut row = taken("tidings", &[1.0, 1.0]);
        row.rounds[1].extra.push(("calls", 1.0));
        let target = Target::Bound {
            ours: "tidings",
            what: "calls",
            at_most: 0.0,
            counted: true,
        };
        assert!(!judge(target, &[row]).expect("the row is there").holds);
    }
}
