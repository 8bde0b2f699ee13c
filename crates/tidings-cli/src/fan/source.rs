//! The input: a file, read once or several times, or standard input.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use std::path::Path;

use super::board::Board;
use super::ready;

/// An open input.
pub struct Source {
    file: File,
    /// Whether a read may have to wait for somebody.
    may_wait: bool,
    passes_left: u64,
    /// Whether this pass has given anything yet.
    gave: bool,
    /// Bytes of all passes, if that is known.
    total: Option<u64>,
}

/// What a read gave.
pub enum Got {
    /// This many bytes, at least one.
    Bytes(usize),
    /// The end of a pass.
    End,
    /// Nothing: the run stops.
    Stopped,
}

impl Source {
    /// Opens the file at `path`, or standard input, to be read `passes` times.
    pub fn open(path: Option<&Path>, passes: u64) -> io::Result<Source> {
        let file = match path {
            Some(path) => File::open(path)?,
            None => File::from(rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?),
        };
        let data = file.metadata()?;
        if data.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        let total = data.is_file().then(|| data.len().saturating_mul(passes));
        Ok(Source {
            file,
            may_wait: !data.is_file(),
            passes_left: passes - 1,
            gave: false,
            total,
        })
    }

    /// Bytes of all passes, if that is known.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Whether this is a regular file, which can be read again.
    pub fn is_regular(&self) -> bool {
        !self.may_wait
    }

    /// The open file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Reads some bytes; while waiting for them, looks whether the run stops.
    pub fn read(&mut self, space: &mut [u8], board: &Board) -> io::Result<Got> {
        loop {
            if board.stop.is_on() {
                return Ok(Got::Stopped);
            }
            if self.may_wait && !ready::to_read(&self.file)? {
                continue;
            }
            match self.file.read(space) {
                Ok(0) => return Ok(Got::End),
                Ok(len) => {
                    self.gave = true;
                    return Ok(Got::Bytes(len));
                }
                Err(error)
                    if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Goes back to the beginning for another pass, if one is left; after an empty one there is none.
    pub fn next_pass(&mut self) -> io::Result<bool> {
        if self.passes_left == 0 || !std::mem::take(&mut self.gave) {
            return Ok(false);
        }
        self.passes_left -= 1;
        self.file.rewind()?;
        Ok(true)
    }
}
