//! The command line, and where records go.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::report::{self, Record};
use crate::runner::Schedule;
use crate::scenario::Scenario;

/// Measures tidings beside its rivals; every row is verified by count and checksum.
#[derive(Parser)]
#[command(name = "tidings-bench", about)]
pub struct Options {
    /// The concept to measure; all when none is given
    pub concept: Option<String>,
    /// Scenarios, or the beginnings of their names; all when none is given
    pub names: Vec<String>,
    /// Rounds that count, per engine
    #[arg(long, default_value_t = 60)]
    pub rounds: u32,
    /// Writes the record of one concept as JSON to this path
    #[arg(long, value_name = "PATH")]
    pub json: Option<PathBuf>,
    /// Only the rows of the engines whose names begin so, for a profiler
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Lists the scenarios and ends
    #[arg(long)]
    pub list: bool,
    /// One tiny round of everything: proves counts and checksums, says nothing about speed
    #[arg(long)]
    pub smoke: bool,
    /// Writes bench/record/DATE-CONCEPT.json and .md
    #[arg(long)]
    pub record: bool,
}

impl Options {
    /// The scenarios that were asked for, or an error that names the word which fits none.
    pub fn select(&self, all: Vec<Scenario>) -> Result<Vec<Scenario>, String> {
        for name in &self.names {
            if !all
                .iter()
                .any(|scenario| scenario.name.starts_with(name.as_str()))
            {
                return Err(format!(
                    "no scenario begins with `{name}`; --list shows them"
                ));
            }
        }
        let wanted = |scenario: &Scenario| {
            self.names.is_empty()
                || self
                    .names
                    .iter()
                    .any(|name| scenario.name.starts_with(name.as_str()))
        };
        let chosen = all.into_iter().filter(wanted);
        Ok(chosen.map(|scenario| self.of_engine(scenario)).collect())
    }

    /// The scenario with the rows that were asked for.
    fn of_engine(&self, mut scenario: Scenario) -> Scenario {
        if let Some(engine) = &self.engine {
            scenario
                .rows
                .retain(|row| row.engine.starts_with(engine.as_str()));
        }
        scenario
    }

    /// How many rounds, and how large they are.
    pub fn schedule(&self) -> Schedule {
        if self.smoke {
            Schedule {
                rounds: 1,
                warm_up: 0,
                smoke: true,
            }
        } else {
            Schedule {
                rounds: self.rounds.max(1),
                warm_up: 1,
                smoke: false,
            }
        }
    }

    /// Writes the records that were asked for.
    pub fn keep(&self, concept: &str, record: &Record) -> Result<(), String> {
        if let Some(path) = &self.json {
            write(path, &report::json(record)?)?;
        }
        if self.record {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("record");
            fs::create_dir_all(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
            let stem = format!("{}-{concept}", record.machine.date);
            write(&folder.join(format!("{stem}.json")), &report::json(record)?)?;
            write(
                &folder.join(format!("{stem}.md")),
                &report::markdown(record),
            )?;
        }
        Ok(())
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
