//! One consumer at work: what it writes to, and the thread that feeds it.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use tidings::ring::{Gating, Lossy, Subscribable, Subscriber};

use super::board::{Board, Row, Stage};
use super::child::{Groups, Pauses, Process};
use super::feeding::{Fed, Feeding};
use super::frame::Frame;
use super::outcome::{End, Outcome};
use super::outlet::{Outlet, Stop};
use super::screen::Screen;
use super::spec::{Contract, Spec, Target};
use super::{gate, tap};

/// A consumer ready to run.
pub struct Consumer {
    index: usize,
    spec: Spec,
    intake: Intake,
    /// `None` for a named pipe, which opens when somebody reads it.
    outlet: Option<Outlet>,
    process: Option<Process>,
    board: Arc<Board>,
}

enum Intake {
    Gating(Subscriber<Frame, Gating>),
    Lossy(Subscriber<Frame, Lossy>),
}

impl Consumer {
    /// Starts the consumer's command, if it is one, and subscribes it; `output` is what it writes to otherwise.
    pub fn start(
        index: usize,
        spec: &Spec,
        output: Option<File>,
        ring: &Subscribable<Frame, Gating>,
        board: &Arc<Board>,
        groups: &Groups,
        screen: &Arc<Screen>,
    ) -> io::Result<Consumer> {
        let recent = spec.contract == Contract::Lossy;
        let (outlet, process) = match (&spec.target, output) {
            (Target::Command(command), _) => {
                let (process, stdin) = Process::spawn(command, groups, screen)?;
                (Some(Outlet::to_child(stdin, recent)?), Some(process))
            }
            (_, Some(file)) => (Some(Outlet::to_file(file, recent)?), None),
            (_, None) => (None, None),
        };
        let intake = match spec.contract {
            Contract::Gating => Intake::Gating(ring.subscribe()),
            Contract::Lossy => Intake::Lossy(ring.subscribe_lossy()),
        };
        Ok(Consumer {
            index,
            spec: spec.clone(),
            intake,
            outlet,
            process,
            board: board.clone(),
        })
    }

    /// Its place in the plan.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Feeds the consumer until it has everything, ends, or is halted; waits for its command.
    pub fn run(mut self) -> Outcome {
        let started = Instant::now();
        let board = self.board.clone();
        let row = &*board.rows[self.index];
        let fed = self.feed(row);
        // The gate opens here: whatever the consumer still does, nobody waits for it any more.
        drop(self.intake);
        row.set_stage(Stage::Finishing);
        let end = match (self.process, self.outlet) {
            (Some(process), Some(outlet)) => finish_command(process, outlet, fed, row),
            (_, outlet) => finish_plain(outlet, fed, row),
        };
        Outcome::new(end, row, started.elapsed())
    }

    fn feed(&mut self, row: &Row) -> Fed {
        if let (None, Target::File(path)) = (&self.outlet, &self.spec.target) {
            let recent = self.spec.contract == Contract::Lossy;
            self.outlet = Some(Outlet::to_fifo(path, recent, row)?);
        }
        let outlet = self.outlet.as_mut().expect("only a named pipe opens late");
        let mut feeding = Feeding::new(row, outlet, self.process.as_mut(), &self.board);
        match &mut self.intake {
            Intake::Gating(subscriber) => gate::feed(subscriber, &mut feeding),
            Intake::Lossy(subscriber) => tap::feed(subscriber, &mut feeding),
        }
    }
}

/// Ends a file or standard output.
fn finish_plain(outlet: Option<Outlet>, fed: Fed, row: &Row) -> End {
    if let (Some(mut outlet), Err(Stop::Closed)) = (outlet, &fed) {
        outlet.settle(row);
    }
    match fed {
        Ok(()) => End::Done,
        Err(Stop::Closed) => End::ClosedEarly,
        Err(Stop::Halted(halt)) => End::Halted(halt),
        Err(Stop::Failed(error)) => End::Failed(error),
    }
}

/// Ends a command: it may read what is in its pipe, sees the end of its input, and exits, or is made to.
fn finish_command(mut process: Process, mut outlet: Outlet, fed: Fed, row: &Row) -> End {
    let mut early = false;
    match fed.and_then(|()| wait_until_read(&outlet, &mut process, row)) {
        Ok(()) => {}
        Err(Stop::Closed) => {
            early = true;
            outlet.settle(row);
        }
        Err(Stop::Halted(halt)) => {
            // What it has not read when it is gone, it never got.
            process.terminate();
            outlet.settle(row);
            return End::Halted(halt);
        }
        Err(Stop::Failed(error)) => {
            process.terminate();
            return End::Failed(error);
        }
    }
    drop(outlet);
    match process.wait(|| row.halt().is_some()) {
        Some(status) => End::of_command(status, early),
        None => {
            process.terminate();
            row.halt().map_or(End::Done, End::Halted)
        }
    }
}

/// Waits until the command has read its pipe empty, so that what it did not read is known if it has to be ended.
fn wait_until_read(outlet: &Outlet, process: &mut Process, row: &Row) -> Fed {
    let mut pauses = Pauses::default();
    loop {
        let exited = process.poll().is_some();
        if outlet.unread() == 0 {
            return Ok(());
        }
        if exited {
            return Err(Stop::Closed);
        }
        if let Some(halt) = row.halt() {
            return Err(Stop::Halted(halt));
        }
        pauses.pause();
    }
}
