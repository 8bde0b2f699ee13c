//! How a consumer ended, and what that means.

use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::Signal;

use super::board::{Halt, Row, Stage};
use super::spec::Contract;
use super::table::Tone;

/// The result of one consumer.
pub struct Outcome {
    pub end: End,
    /// Whole records that it took, and all bytes that it took.
    pub delivered: u64,
    pub bytes: u64,
    /// Records that passed a lossy consumer by while it ran.
    pub skipped: u64,
    /// From its start to its end.
    pub time: Duration,
}

/// Why a consumer ended.
#[derive(Debug)]
pub enum End {
    /// It got all that it was promised, and exited with 0 if it is a command.
    Done,
    /// It stopped reading before the end of the input, and exited with 0 if it is a command.
    ClosedEarly,
    /// The command exited with this status, not 0.
    Exited(i32),
    /// The command was killed by this signal.
    Died(i32),
    /// Writing failed.
    Failed(io::Error),
    /// The run ended it.
    Halted(Halt),
    /// A defect of tidings.
    Defect,
}

impl End {
    /// How a command ended by itself; `early` says that it had stopped reading.
    pub fn of_command(status: ExitStatus, early: bool) -> End {
        match (status.code(), status.signal()) {
            (Some(0), _) if early => End::ClosedEarly,
            (Some(0), _) => End::Done,
            (Some(code), _) => End::Exited(code),
            (None, signal) => End::Died(signal.unwrap_or(0)),
        }
    }

    /// Whether that is a failure of a consumer with this contract.
    pub fn is_failure(&self, contract: Contract) -> bool {
        match self {
            End::Done | End::ClosedEarly | End::Halted(Halt::Linger) => false,
            End::Halted(Halt::Abort) => contract == Contract::Gating,
            End::Exited(_)
            | End::Died(_)
            | End::Failed(_)
            | End::Halted(Halt::Stall)
            | End::Defect => true,
        }
    }

    /// How it is coloured in the table.
    pub fn tone(&self, contract: Contract) -> Tone {
        match self {
            _ if self.is_failure(contract) => Tone::Bad,
            End::Done => Tone::Good,
            _ => Tone::Plain,
        }
    }

    /// What went wrong, for a message; `None` if nothing did.
    pub fn complaint(&self) -> Option<String> {
        Some(match self {
            End::Done | End::ClosedEarly | End::Halted(Halt::Linger | Halt::Abort) => return None,
            End::Exited(127) => "command not found (exit status 127)".into(),
            End::Exited(126) => "command cannot be run (exit status 126)".into(),
            End::Exited(code) => format!("command exited with status {code}"),
            End::Died(signal) => format!("command was killed by {}", signal_name(*signal)),
            End::Failed(error) => format!("writing failed: {error}"),
            End::Halted(Halt::Stall) => {
                "taken off: it held everything back for longer than --stall allows".into()
            }
            End::Defect => "internal error; please report it".into(),
        })
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Done => f.write_str("done"),
            End::ClosedEarly => f.write_str("closed early"),
            End::Exited(code) => write!(f, "exit {code}"),
            End::Died(signal) => write!(f, "died {}", signal_name(*signal)),
            End::Failed(_) => f.write_str("write error"),
            End::Halted(Halt::Linger) => f.write_str("ended"),
            End::Halted(Halt::Stall) => f.write_str("stalled"),
            End::Halted(Halt::Abort) => f.write_str("interrupted"),
            End::Defect => f.write_str("internal error"),
        }
    }
}

impl Outcome {
    /// The result of the consumer whose counters are in `row`; for its own thread, at its end.
    pub fn new(end: End, row: &Row, time: Duration) -> Outcome {
        row.set_stage(Stage::Ended);
        let (delivered, bytes, skipped) = (row.delivered.get(), row.bytes.get(), row.skipped.get());
        Outcome {
            end,
            delivered,
            bytes,
            skipped,
            time,
        }
    }

    /// Settles the account now that `published`, the records of the whole run, is known: says how many records came
    /// after the consumer's end. A lossy consumer that was ended for being slow has skipped them. There are none after a
    /// consumer that is done; if the account says otherwise, that is our failure.
    pub fn close(&mut self, published: u64) -> u64 {
        let rest = published.saturating_sub(self.delivered + self.skipped);
        if matches!(self.end, End::Halted(Halt::Linger)) {
            self.skipped += rest;
            return 0;
        }
        if rest > 0 && matches!(self.end, End::Done) {
            self.end = End::Defect;
        }
        rest
    }
}

/// `SIGKILL` and the like.
pub fn signal_name(signal: i32) -> String {
    match Signal::from_named_raw(signal).map(|signal| format!("{signal:?}")) {
        Some(name) => format!(
            "SIG{}",
            name.trim_matches('"').trim_start_matches("Signal::")
        ),
        None => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_that_no_account_names_are_a_failure() {
        let row = Row::default();
        row.delivered.set(3);
        let settled = |published| {
            let mut outcome = Outcome::new(End::Done, &row, Duration::ZERO);
            (
                outcome.close(published),
                outcome.end.is_failure(Contract::Gating),
            )
        };
        assert_eq!(settled(3), (0, false));
        assert_eq!(settled(5), (2, true));
    }
}
