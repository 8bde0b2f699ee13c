//! Running other programs: what is run is printed, how long it took too, and a failure stops the command.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::tally::Tally;

/// How a command ended when it did not fail.
pub enum Outcome {
    Passed,
    /// Nothing was checked; the reason is for the reader.
    Skipped(String),
}

/// Why a command failed, in a sentence.
#[derive(Debug)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure(error.to_string())
    }
}

/// Fails with a message built from format arguments.
macro_rules! fail {
    ($($message:tt)*) => { return Err($crate::shell::Failure(format!($($message)*))) };
}
pub(crate) use fail;

pub fn heading(text: &str) {
    println!("\n== {text}");
}

/// One program to run, with the shell line that shows it.
pub struct Step {
    command: Command,
    shown: String,
}

impl Step {
    /// `words` is split at blanks; arguments that may hold blanks go through [`Step::arg`].
    pub fn new(words: &str) -> Self {
        let mut parts = words.split_whitespace();
        let mut command = Command::new(parts.next().expect("a step names its program"));
        command.args(parts);
        // Set by `cargo run` or rustup for this program, and misleading for another toolchain.
        command
            .env_remove("LD_LIBRARY_PATH")
            .env_remove("CARGO")
            .stdin(Stdio::null());
        Step {
            command,
            shown: words.to_owned(),
        }
    }

    pub fn arg(mut self, argument: impl AsRef<str>) -> Self {
        self.shown.push(' ');
        self.shown.push_str(&quoted(argument.as_ref()));
        self.command.arg(argument.as_ref());
        self
    }

    pub fn args(self, arguments: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        arguments
            .into_iter()
            .fold(self, |step, argument| step.arg(argument))
    }

    pub fn env(mut self, name: &str, value: impl AsRef<str>) -> Self {
        self.shown = format!("{name}={} {}", quoted(value.as_ref()), self.shown);
        self.command.env(name, value.as_ref());
        self
    }

    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    pub fn dir(mut self, path: &Path) -> Self {
        self.command.current_dir(path);
        self
    }

    /// Runs it with its output shown; an exit code other than zero is a failure.
    pub fn run(mut self) -> Result<(), Failure> {
        self.announce();
        let start = Instant::now();
        let status = self
            .command
            .status()
            .map_err(|error| self.not_started(&error))?;
        println!("   {:.1} s", start.elapsed().as_secs_f32());
        if status.success() {
            Ok(())
        } else {
            Err(Failure(format!("`{}`: {status}", self.shown)))
        }
    }

    /// As [`Step::run`], and adds the test runner's closing lines to the tally of this process.
    pub fn run_tests(mut self) -> Result<(), Failure> {
        self.announce();
        let start = Instant::now();
        let mut child = self
            .command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let output = child.stdout.take().expect("stdout is piped");
        for line in BufReader::new(output).lines() {
            let line = line?;
            println!("{line}");
            Tally::count(&line);
        }
        let status = child.wait()?;
        println!("   {:.1} s", start.elapsed().as_secs_f32());
        if status.success() {
            Ok(())
        } else {
            Err(Failure(format!("`{}`: {status}", self.shown)))
        }
    }

    /// Runs it and gives back what it wrote to its standard output; errors are shown.
    pub fn output(mut self) -> Result<String, Failure> {
        self.announce();
        let output = self
            .command
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| self.not_started(&error))?;
        if !output.status.success() {
            fail!("`{}`: {}", self.shown, output.status);
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Whether it can be started and exits with zero; prints nothing.
    pub fn succeeds(mut self) -> bool {
        let quiet = self.command.stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    }

    /// Runs it silently: whether it succeeded, and both its outputs as one text.
    pub fn captured(mut self) -> Result<(bool, String), Failure> {
        let output = self
            .command
            .output()
            .map_err(|error| self.not_started(&error))?;
        let text = [output.stdout, output.stderr].concat();
        Ok((
            output.status.success(),
            String::from_utf8_lossy(&text).into_owned(),
        ))
    }

    /// The command itself, for a caller that starts it in a way of its own.
    pub fn into_command(self) -> Command {
        self.command
    }

    fn announce(&self) {
        println!(" $ {}", self.shown);
        let _ = std::io::stdout().flush();
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure(format!("cannot start `{}`: {error}", self.shown))
    }
}

fn quoted(word: &str) -> String {
    let plain = !word.is_empty() && !word.contains([' ', '*', '"', '$', '(', ')', '|', '&', ';']);
    if plain {
        word.to_owned()
    } else {
        format!("'{word}'")
    }
}
