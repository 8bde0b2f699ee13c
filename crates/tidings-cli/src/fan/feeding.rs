//! What the loops that feed a consumer work with.

use super::board::{Board, Row};
use super::child::Process;
use super::outlet::{Outlet, Stop};

/// Outcome of feeding a consumer: `Ok` when it has everything that it can get.
pub type Fed = Result<(), Stop>;

/// A consumer, as the loops see it.
pub struct Feeding<'a> {
    pub row: &'a Row,
    pub outlet: &'a mut Outlet,
    process: Option<&'a mut Process>,
    board: &'a Board,
}

impl<'a> Feeding<'a> {
    /// Feeds through `outlet` what `process`, if there is one, reads.
    pub fn new(
        row: &'a Row,
        outlet: &'a mut Outlet,
        process: Option<&'a mut Process>,
        board: &'a Board,
    ) -> Feeding<'a> {
        Feeding {
            row,
            outlet,
            process,
            board,
        }
    }

    /// Writes what is collected. A command that has exited reads no more, even if something that it has started
    /// holds its end of the pipe open.
    pub fn flush(&mut self) -> Fed {
        let process = &mut self.process;
        self.outlet.flush(self.row, || look_after(process))
    }

    /// Looks after the consumer while there is nothing to write.
    pub fn check_idle(&mut self) -> Fed {
        match self.row.halt() {
            Some(halt) => Err(Stop::Halted(halt)),
            None => look_after(&mut self.process),
        }
    }

    /// Records of the whole run; final once the ring is closed.
    pub fn published(&self) -> u64 {
        self.board.input.records.get()
    }
}

/// Whether there is still somebody to write for.
fn look_after(process: &mut Option<&mut Process>) -> Fed {
    match process.as_mut().and_then(|process| process.poll()) {
        Some(_) => Err(Stop::Closed),
        None => Ok(()),
    }
}
