//! The command line as typed.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueHint};

use crate::fan::records::Framing;
use crate::fan::spec::{Contract, Spec, Target};
use crate::parse;
use crate::plan::{OnExit, Plan, Progress, Summary};

mod text;

/// One-to-many messaging for a shell: say it once, everyone who asked hears it.
#[derive(Parser)]
#[command(name = "tidings", version, arg_required_else_help = true, after_help = text::TIDINGS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Send one input to many consumers, each under a contract of its own
    #[command(long_about = text::FAN, after_help = text::FAN_SHORT, after_long_help = text::FAN_MORE)]
    Fan(FanArgs),
}

/// `tidings fan` as typed; the consumers are read from the matches, which know their order.
#[derive(Args)]
struct FanArgs {
    /// File to read; `-` or nothing reads standard input
    #[arg(value_name = "INPUT", value_hint = ValueHint::FilePath)]
    input: Option<PathBuf>,

    /// Gating consumer: a shell command that gets every record on its standard input; the input waits for it
    #[arg(long, value_name = "CMD", help_heading = CONSUMERS)]
    gate: Vec<OsString>,

    /// Lossy consumer: a shell command that gets what it can keep up with and never slows the others
    #[arg(long, value_name = "CMD", help_heading = CONSUMERS)]
    tap: Vec<OsString>,

    /// Gating consumer: a file, truncated first, that gets every record
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, help_heading = CONSUMERS)]
    gate_file: Vec<PathBuf>,

    /// Lossy consumer: a file, truncated first
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, help_heading = CONSUMERS)]
    tap_file: Vec<PathBuf>,

    /// Gating consumer: standard output
    #[arg(long, conflicts_with = "tap_stdout", help_heading = CONSUMERS)]
    gate_stdout: bool,

    /// Lossy consumer: standard output
    #[arg(long, help_heading = CONSUMERS)]
    tap_stdout: bool,

    /// Name of the consumer given just before, for the table and the summary
    #[arg(long, value_name = "NAME", help_heading = CONSUMERS)]
    name: Vec<String>,

    /// How the input is cut: lines, fixed:BYTES, or length:PREFIX with u8, u16le, u16be, u32le, u32be
    #[arg(long, value_name = "FORMAT", default_value = "lines", value_parser = parse::framing, help_heading = INPUT)]
    records: Framing,

    /// Longest record allowed, its newline or prefix included; a longer one ends the run with exit status 1
    #[arg(long, value_name = "BYTES", default_value = "1M", value_parser = parse::size, help_heading = INPUT)]
    max_record: usize,

    /// Read the input file N times in a row
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), help_heading = INPUT)]
    repeat: u64,

    /// Records a second at most, such as 500, 10k or 1.5M/s
    #[arg(long, value_name = "N", value_parser = parse::rate, help_heading = INPUT)]
    rate: Option<f64>,

    /// Slots of the ring (256 bytes each): how far the slowest gating consumer may fall behind
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=MAX_CAPACITY), help_heading = RUN)]
    capacity: u64,

    /// What to do when a consumer ends before the input does
    #[arg(long, value_name = "WHAT", default_value = "continue", help_heading = RUN)]
    on_exit: OnExit,

    /// Take a gating consumer off when it has held back all others for this long [default: wait for ever]
    #[arg(long, value_name = "TIME", value_parser = parse::duration, help_heading = RUN)]
    stall: Option<Duration>,

    /// How long lossy consumers may go on after the input and the gating consumers have ended
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse::duration, help_heading = RUN)]
    linger: Duration,

    /// What to show while it runs: auto is a live table on a terminal and lines elsewhere
    #[arg(long, value_name = "HOW", default_value = "auto", help_heading = SCREEN)]
    progress: Progress,

    /// What to print at the end
    #[arg(long, value_name = "HOW", default_value = "text", help_heading = SCREEN)]
    summary: Summary,
}

const CONSUMERS: &str = "Consumers (one or more)";
const INPUT: &str = "Input";
const RUN: &str = "Run";
const SCREEN: &str = "Messages (all on standard error)";

/// Slots at most: a ring of 1 GiB.
const MAX_CAPACITY: u64 = 1 << 22;

/// Reads the command line; does not return from `--help`, `--version` and usage errors (exit status 2).
pub fn read() -> Plan {
    let matches = Cli::command().get_matches();
    let Command::Fan(args) = Cli::from_arg_matches(&matches)
        .unwrap_or_else(|error| error.exit())
        .command;
    let sub = matches
        .subcommand_matches("fan")
        .expect("`fan` is the only subcommand");
    args.into_plan(sub)
        .unwrap_or_else(|message| usage_error(&message))
}

/// Reports a wrong command line and ends with exit status 2.
pub fn usage_error(message: &str) -> ! {
    let mut command = Cli::command();
    command.build();
    let fan = command
        .find_subcommand_mut("fan")
        .expect("`fan` is a subcommand");
    fan.error(ErrorKind::ValueValidation, message).exit()
}

impl FanArgs {
    fn into_plan(self, matches: &ArgMatches) -> Result<Plan, String> {
        let input = self.input.filter(|path| path.as_os_str() != "-");
        if self.repeat > 1 && input.is_none() {
            return Err(
                "--repeat needs an INPUT file: standard input can be read once only".into(),
            );
        }
        match self.records {
            Framing::Fixed(len) if len > self.max_record => {
                return Err(format!(
                    "--records {} is over --max-record, which is {} bytes",
                    self.records, self.max_record
                ));
            }
            _ => {}
        }
        Ok(Plan {
            input,
            consumers: consumers(matches)?,
            framing: self.records,
            max_record: self.max_record,
            repeat: self.repeat,
            rate: self.rate,
            capacity: self.capacity as usize,
            on_exit: self.on_exit,
            stall: self.stall,
            linger: self.linger,
            progress: self.progress,
            summary: self.summary,
        })
    }
}

/// The consumers in the order of the command line, each with the name that follows it.
fn consumers(matches: &ArgMatches) -> Result<Vec<Spec>, String> {
    let commands = |id| values::<OsString>(matches, id);
    let files = |id| values::<PathBuf>(matches, id);
    let mut given: Vec<(usize, Item)> = Vec::new();
    given.extend(
        commands("gate")
            .map(|(at, cmd)| (at, Item::Consumer(Contract::Gating, Target::Command(cmd)))),
    );
    given.extend(
        commands("tap")
            .map(|(at, cmd)| (at, Item::Consumer(Contract::Lossy, Target::Command(cmd)))),
    );
    given.extend(
        files("gate_file")
            .map(|(at, path)| (at, Item::Consumer(Contract::Gating, Target::File(path)))),
    );
    given.extend(
        files("tap_file")
            .map(|(at, path)| (at, Item::Consumer(Contract::Lossy, Target::File(path)))),
    );
    for (id, contract) in [
        ("gate_stdout", Contract::Gating),
        ("tap_stdout", Contract::Lossy),
    ] {
        if matches.get_flag(id) {
            let at = matches.index_of(id).unwrap_or(usize::MAX);
            given.push((at, Item::Consumer(contract, Target::Stdout)));
        }
    }
    given.extend(values::<String>(matches, "name").map(|(at, name)| (at, Item::Name(name))));
    given.sort_by_key(|(at, _)| *at);
    let mut specs = assemble(given.into_iter().map(|(_, item)| item))?;
    if specs.is_empty() {
        return Err("no consumers: give at least one --gate, --tap, --gate-file, --tap-file, --gate-stdout or \
                    --tap-stdout"
            .into());
    }
    number_namesakes(&mut specs);
    Ok(specs)
}

/// What stands on the command line about consumers.
enum Item {
    Consumer(Contract, Target),
    Name(String),
}

/// Every value of option `id` with its place on the command line.
fn values<T: Clone + Send + Sync + 'static>(
    matches: &ArgMatches,
    id: &str,
) -> impl Iterator<Item = (usize, T)> {
    let values = matches.get_many::<T>(id).into_iter().flatten().cloned();
    matches.indices_of(id).into_iter().flatten().zip(values)
}

fn assemble(items: impl Iterator<Item = Item>) -> Result<Vec<Spec>, String> {
    let mut specs: Vec<Spec> = Vec::new();
    let mut named = true;
    for item in items {
        match item {
            Item::Consumer(contract, target) => {
                specs.push(Spec {
                    name: target.to_string(),
                    contract,
                    target,
                });
                named = false;
            }
            Item::Name(name) if named => {
                return Err(format!(
                    "--name {name:?} must follow the one consumer that it names"
                ));
            }
            Item::Name(name) => {
                specs.last_mut().expect("a consumer came before").name = name;
                named = true;
            }
        }
    }
    Ok(specs)
}

/// Tells consumers of the same name apart: the second `cat` becomes `cat #2`.
fn number_namesakes(specs: &mut [Spec]) {
    for at in (1..specs.len()).rev() {
        let name = &specs[at].name;
        let earlier = specs[..at].iter().filter(|spec| spec.name == *name).count();
        if earlier > 0 {
            specs[at].name = format!("{name} #{}", earlier + 1);
        }
    }
}
