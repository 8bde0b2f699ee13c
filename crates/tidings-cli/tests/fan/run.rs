//! Runs the command in a folder of its own and collects what it leaves.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// Nothing here takes this long; a run that does hangs.
const HANG: Duration = Duration::from_secs(120);

/// A run in the making. Commands of consumers run in its folder, so they can use bare file names.
pub struct Fan {
    pub folder: TempDir,
    command: Command,
}

/// A run that has ended.
pub struct Ended {
    pub folder: TempDir,
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// A run that goes on.
pub struct Running {
    folder: TempDir,
    child: Child,
}

/// `tidings fan` with a JSON summary and these arguments.
pub fn fan(arguments: &[&str]) -> Fan {
    bare(&["fan", "--summary", "json"]).args(arguments)
}

/// `tidings` with nothing but these arguments.
pub fn bare(arguments: &[&str]) -> Fan {
    let folder = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tidings"));
    command.args(arguments).current_dir(&folder);
    Fan { folder, command }
}

impl Fan {
    pub fn args(mut self, arguments: &[impl AsRef<OsStr>]) -> Fan {
        self.command.args(arguments);
        self
    }

    /// Writes `input` to a file and reads that.
    pub fn file(self, input: &[u8]) -> Fan {
        std::fs::write(self.folder.path().join("input"), input).unwrap();
        self.args(&["input"])
    }

    /// Runs after the shell command `setting`, such as a `ulimit`.
    pub fn under(mut self, setting: &str) -> Fan {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &format!("{setting}; exec \"$@\""), "sh"])
            .arg(self.command.get_program())
            .args(self.command.get_args())
            .current_dir(&self.folder);
        self.command = shell;
        self
    }

    /// Runs to the end without any standard input.
    pub fn run(self) -> Ended {
        self.run_with(&[])
    }

    /// Runs to the end with `input` as standard input.
    pub fn run_with(self, input: &[u8]) -> Ended {
        let mut running = self.start();
        let mut stdin = running.stdin();
        let input = input.to_vec();
        // A run that stops early closes its end; that is no failure of the test.
        let feeder = thread::spawn(move || drop(stdin.write_all(&input)));
        let ended = running.wait();
        feeder.join().unwrap();
        ended
    }

    /// Starts the run, with a pipe as standard input.
    pub fn start(mut self) -> Running {
        self.command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Running {
            child: self.command.spawn().unwrap(),
            folder: self.folder,
        }
    }
}

impl Running {
    pub fn stdin(&mut self) -> ChildStdin {
        self.child.stdin.take().unwrap()
    }

    /// Takes standard output away from the run and closes it.
    pub fn close_stdout(&mut self) {
        drop(self.child.stdout.take());
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Whether the run has ended; what it wrote stays unread.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Sends a signal, such as `INT`.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .args(["-s", name, &self.child.id().to_string()])
            .status();
        assert!(status.unwrap().success());
    }

    /// Waits for the end.
    pub fn wait(self) -> Ended {
        let Running { folder, child } = self;
        let id = child.id().to_string();
        let waiter = thread::spawn(move || child.wait_with_output().unwrap());
        until(
            "the run to end",
            || waiter.is_finished(),
            || drop(Command::new("kill").args(["-9", &id]).status()),
        );
        let Output {
            status,
            stdout,
            stderr,
        } = waiter.join().unwrap();
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        Ended {
            folder,
            code: status.code().unwrap_or(-1),
            stdout,
            stderr,
        }
    }
}

impl Ended {
    /// What consumers have written to the file `name`.
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The JSON summary.
    pub fn summary(&self) -> Value {
        let last = self.stderr.lines().last().unwrap_or_default();
        serde_json::from_str(last).unwrap_or_else(|error| panic!("{error} in:\n{}", self.stderr))
    }

    /// What the summary says about the consumer at `index`.
    pub fn consumer(&self, index: usize) -> Value {
        self.summary()["consumers"][index].clone()
    }

    /// Asserts the exit status, showing the messages if it is another.
    #[track_caller]
    pub fn expect(self, code: i32) -> Ended {
        assert_eq!(self.code, code, "standard error:\n{}", self.stderr);
        self
    }

    /// Asserts that standard error contains `text`.
    #[track_caller]
    pub fn says(self, text: &str) -> Ended {
        assert!(
            self.stderr.contains(text),
            "no {text:?} in:\n{}",
            self.stderr
        );
        self
    }
}

/// Kills the process whose number a consumer wrote to `file`.
pub fn kill(file: &Path) {
    let pid = std::fs::read_to_string(file).unwrap();
    let _ = Command::new("kill").args(["-9", pid.trim()]).status();
}

/// Whether the process whose number a consumer wrote to `file` is gone.
pub fn is_gone(file: &Path) -> bool {
    let pid = std::fs::read_to_string(file).unwrap();
    let found = Command::new("kill").args(["-0", pid.trim()]).output();
    !found.unwrap().status.success()
}

/// Waits until `file` exists and has content.
pub fn until_written(file: &Path) {
    let written = || file.metadata().is_ok_and(|data| data.len() > 0);
    until(&format!("{} to be written", file.display()), written, || {});
}

/// Waits for a condition; fails the test, after `clean_up`, when that takes for ever.
pub fn until(what: &str, mut condition: impl FnMut() -> bool, clean_up: impl FnOnce()) {
    let start = Instant::now();
    while !condition() {
        if start.elapsed() > HANG {
            clean_up();
            panic!("waited too long for {what}");
        }
        // sleep: between two looks at a condition that another process brings about
        thread::sleep(Duration::from_millis(2));
    }
}

/// Lines `1`, `2` … up to `count`, as `seq` prints them.
pub fn numbers(count: usize) -> Vec<u8> {
    (1..=count)
        .flat_map(|number| format!("{number}\n").into_bytes())
        .collect()
}
