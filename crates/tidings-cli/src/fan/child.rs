//! Child processes: each in a process group of its own, always waited for, ended as a group.
//!
//! A group of its own keeps the terminal's Ctrl-C away from the commands (the run lets them finish first) and makes
//! it possible to end all that a command has started. The list of live groups lets a second signal end them at once.
//! A group leaves the list under the lock under which its command is waited for, so no signal reaches a stranger that
//! the system has given the same number. While a group is being ended it stays in the list until it is empty: the
//! system gives out no number that a group still has.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions};

use super::relay::Relay;
use super::screen::Screen;

/// How long a command may take to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(1);

/// The process groups that are alive.
#[derive(Clone, Default)]
pub struct Groups(Arc<Mutex<Vec<Pid>>>);

impl Groups {
    /// Ends every group at once, for a process that is about to exit.
    pub fn kill_all(&self) {
        let live = self.lock();
        for group in live.iter() {
            let _ = rustix::process::kill_process_group(*group, Signal::KILL);
        }
        // None is left behind as a zombie, unless the system cannot end it now.
        let mut pauses = Pauses::default();
        let deadline = Instant::now() + GRACE / 2;
        while Instant::now() < deadline && live.iter().any(|group| !is_reaped(*group)) {
            pauses.pause();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Pid>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for the leader of `group` if it has ended; whether there is nothing left to wait for.
fn is_reaped(group: Pid) -> bool {
    !matches!(
        rustix::process::waitpid(Some(group), WaitOptions::NOHANG),
        Ok(None)
    )
}

/// Whether a process is left in `group`, be it one that nobody has waited for yet.
fn has_members(group: Pid) -> bool {
    rustix::process::test_kill_process_group(group).is_ok()
}

/// A running command.
pub struct Process {
    child: Child,
    group: Pid,
    groups: Groups,
    relays: Vec<Relay>,
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts `sh -c command` with a pipe as its standard input.
    pub fn spawn(
        command: &OsStr,
        groups: &Groups,
        screen: &Arc<Screen>,
    ) -> io::Result<(Process, ChildStdin)> {
        let captured = |capture| {
            if capture {
                Stdio::piped()
            } else {
                Stdio::inherit()
            }
        };
        let capture = screen.capture();
        let mut live = groups.lock();
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(command)
            .stdin(Stdio::piped())
            .stdout(captured(capture.stdout))
            .stderr(captured(capture.stderr))
            .process_group(0)
            .spawn()?;
        let group = Pid::from_child(&child);
        live.push(group);
        drop(live);
        let stdin = child.stdin.take().expect("standard input is piped");
        let mut process = Process {
            child,
            group,
            groups: groups.clone(),
            relays: Vec::new(),
            status: None,
        };
        process.relays = Relay::for_child(&mut process.child, screen)?;
        Ok((process, stdin))
    }

    /// How the command ended, if it has.
    pub fn poll(&mut self) -> Option<ExitStatus> {
        self.poll_group(|_| false)
    }

    /// How the command ended, if it has; its group stays in the list if `keep` says so.
    fn poll_group(&mut self, keep: impl Fn(Pid) -> bool) -> Option<ExitStatus> {
        if self.status.is_none() {
            let groups = self.groups.clone();
            let mut live = groups.lock();
            self.status = self.child.try_wait().unwrap_or(None);
            if self.status.is_some() && !keep(self.group) {
                live.retain(|group| *group != self.group);
            }
        }
        self.status
    }

    /// Waits until the command has ended, or until `give_up` says so.
    pub fn wait(&mut self, give_up: impl FnMut() -> bool) -> Option<ExitStatus> {
        let mut give_up = give_up;
        let mut pauses = Pauses::default();
        loop {
            if let Some(status) = self.poll() {
                return Some(status);
            }
            if give_up() {
                return None;
            }
            pauses.pause();
        }
    }

    /// Ends the command and all that it started: SIGTERM, and SIGKILL to what is left after [`GRACE`].
    ///
    /// Nothing happens when the command has ended by itself before: what it has left running then was meant to.
    pub fn terminate(&mut self) -> Option<ExitStatus> {
        if self.poll().is_some() {
            return self.status;
        }
        let _ = rustix::process::kill_process_group(self.group, Signal::TERM);
        let deadline = Instant::now() + GRACE;
        let mut pauses = Pauses::default();
        loop {
            if self.poll_group(has_members).is_some() && !has_members(self.group) {
                break;
            }
            if Instant::now() >= deadline {
                let _ = rustix::process::kill_process_group(self.group, Signal::KILL);
                break;
            }
            pauses.pause();
        }
        let status = self.wait(|| false);
        self.groups.lock().retain(|group| *group != self.group);
        status
    }

    /// Waits until what the command printed is shown.
    pub fn finish_output(&mut self) {
        self.relays.drain(..).for_each(Relay::finish);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.poll().is_none() {
            self.terminate();
        }
        self.finish_output();
    }
}

/// Pauses between looks at something that cannot be waited for: short at first, then longer.
#[derive(Default)]
pub struct Pauses(u32);

impl Pauses {
    /// Sleeps for 0.2 to 10 milliseconds.
    pub fn pause(&mut self) {
        std::thread::sleep(Duration::from_micros(200 << self.0).min(Duration::from_millis(10)));
        self.0 = (self.0 + 1).min(6);
    }
}
