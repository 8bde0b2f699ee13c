//! The writing end of a consumer: a child's pipe, a file, standard output.
//!
//! A write can always be called off: no call here blocks for longer than [`POLL`] before it looks for an order to
//! end, except for writes to regular files, which do not wait for anybody. Whatever the other side does, its gate in
//! the ring can therefore be opened again.
//!
//! Records are counted exactly. `ends` holds where each record ends in the stream of bytes; a record counts as
//! delivered when its last byte was taken, and is taken back by [`Outlet::settle`] when that byte is found unread in
//! the pipe.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::ChildStdin;

use rustix::fs::{FileType, OFlags};

use super::board::{Halt, POLL, Row, Stage};
use super::ready;

/// Bytes that a pipe takes at once when it says that it is writable.
const PIECE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// Bytes collected before they are written.
const BUFFER: usize = 64 << 10;

/// The same for a lossy consumer, and the size of its pipe: what it reads should be recent.
const SMALL: usize = 4 << 10;

/// Where bytes go, record by record.
pub struct Outlet {
    file: File,
    manner: Manner,
    /// Collected and not yet written; written when it holds `room` bytes.
    buffer: Vec<u8>,
    room: usize,
    /// Whether the other side should get recent and whole records, rather than many at once.
    recent: bool,
    /// Bytes ever collected, and of these the bytes taken by the other side.
    collected: u64,
    taken: u64,
    /// Bytes that may sit unread in the pipe; 0 for a file.
    pipe: u64,
    /// Where the records end, those up to `delivered_ends` being delivered.
    ends: VecDeque<u64>,
    delivered_ends: usize,
    delivered: u64,
}

/// How to write without getting stuck.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// A regular file or the like: write.
    Whole,
    /// An end of ours alone, set to non-blocking: write, and poll when that would block.
    NonBlocking,
    /// A description shared with other processes: poll, then write a piece that fits for sure.
    Pieces,
}

/// Why writing ended early.
pub enum Stop {
    /// Nobody reads any more.
    Closed,
    Halted(Halt),
    Failed(io::Error),
}

impl Outlet {
    /// Feeds a child through its standard input; `recent` keeps little in the pipe.
    pub fn to_child(stdin: ChildStdin, recent: bool) -> io::Result<Outlet> {
        let fd = OwnedFd::from(stdin);
        rustix::fs::fcntl_setfl(&fd, rustix::fs::fcntl_getfl(&fd)? | OFlags::NONBLOCK)?;
        Ok(Outlet::new(File::from(fd), Manner::NonBlocking, recent))
    }

    /// Writes to a file, a device, or whatever standard output is.
    pub fn to_file(file: File, recent: bool) -> io::Result<Outlet> {
        let manner = manner_of(&file)?;
        Ok(Outlet::new(file, manner, recent))
    }

    /// Writes to the named pipe at `path`, as soon as somebody reads it.
    pub fn to_fifo(path: &Path, recent: bool, row: &Row) -> Result<Outlet, Stop> {
        row.set_stage(Stage::Opening);
        let mut options = OpenOptions::new();
        options
            .write(true)
            .custom_flags(OFlags::NONBLOCK.bits() as i32);
        loop {
            match options.open(path) {
                Ok(file) => {
                    row.set_stage(Stage::Running);
                    return Ok(Outlet::new(file, Manner::NonBlocking, recent));
                }
                Err(error)
                    if error.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {}
                Err(error) => return Err(Stop::Failed(error)),
            }
            if let Some(halt) = row.halt() {
                return Err(Stop::Halted(halt));
            }
            std::thread::sleep(POLL);
        }
    }

    fn new(file: File, manner: Manner, recent: bool) -> Outlet {
        let pipe = if manner == Manner::Whole {
            0
        } else {
            pipe_bytes(&file, recent)
        };
        let room = if recent && manner != Manner::Whole {
            SMALL
        } else {
            BUFFER
        };
        Outlet {
            file,
            manner,
            buffer: Vec::with_capacity(2 * room),
            room,
            recent,
            collected: 0,
            taken: 0,
            pipe,
            ends: VecDeque::with_capacity(1024),
            delivered_ends: 0,
            delivered: 0,
        }
    }

    /// Collects bytes of a record.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        self.collected += bytes.len() as u64;
    }

    /// Notes that a record ends with the bytes collected so far.
    #[inline]
    pub fn end_record(&mut self) {
        self.ends.push_back(self.collected);
    }

    /// Whether enough is collected to be worth a write.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.buffer.len() >= self.room
    }

    /// Writes what is collected; each time when nothing could be written, asks `stuck` whether to go on.
    pub fn flush(
        &mut self,
        row: &Row,
        mut stuck: impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let mut from = 0;
        while from < self.buffer.len() {
            if let Some(halt) = row.halt() {
                return Err(Stop::Halted(halt));
            }
            match self.write_some(from) {
                Ok(0) => stuck()?,
                Ok(written) => {
                    from += written;
                    self.count(written, row);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Err(Stop::Closed),
                Err(error) => return Err(Stop::Failed(error)),
            }
        }
        self.buffer.clear();
        Ok(())
    }

    /// Writes some of the buffer from `from` on; 0 when nothing could be written in time.
    fn write_some(&mut self, from: usize) -> io::Result<usize> {
        let rest = &self.buffer[from..][..self.portion(from)];
        match self.manner {
            Manner::Whole => nonzero(self.file.write(rest)?),
            Manner::NonBlocking => match self.file.write(rest) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    ready::to_write(&self.file).map(|_| 0)
                }
                other => nonzero(other?),
            },
            Manner::Pieces if ready::to_write(&self.file)? => nonzero(self.file.write(rest)?),
            Manner::Pieces => Ok(0),
        }
    }

    /// How many of the bytes from `from` on to write at once.
    ///
    /// For a lossy consumer that is whole records where they fit into one piece, which a pipe takes as a whole or not
    /// at all: the consumer may be ended between any two writes, and should not be left with a part of a record.
    fn portion(&self, from: usize) -> usize {
        let rest = self.buffer.len() - from;
        if self.manner == Manner::Whole || !self.recent && self.manner == Manner::NonBlocking {
            return rest;
        }
        let within = self
            .ends
            .partition_point(|&end| end <= self.taken + PIECE as u64);
        if self.recent && within > self.delivered_ends {
            (self.ends[within - 1] - self.taken) as usize
        } else {
            rest.min(PIECE)
        }
    }

    /// Counts `written` bytes as taken, and the records that end within them as delivered.
    fn count(&mut self, written: usize, row: &Row) {
        self.taken += written as u64;
        while self
            .ends
            .get(self.delivered_ends)
            .is_some_and(|&end| end <= self.taken)
        {
            self.delivered_ends += 1;
            self.delivered += 1;
        }
        // An end that is further back than the pipe is long has been read for sure.
        while self.delivered_ends > 0 && self.ends[0] + self.pipe <= self.taken {
            self.ends.pop_front();
            self.delivered_ends -= 1;
        }
        self.show(row);
    }

    /// Bytes that the other side of the pipe has not read yet; 0 where that is unknown.
    pub fn unread(&self) -> u64 {
        if self.pipe == 0 {
            0
        } else {
            rustix::io::ioctl_fionread(&self.file).unwrap_or(0)
        }
    }

    /// Takes back the records that sit unread in the pipe: nobody will read them. Says how many bytes those were.
    pub fn settle(&mut self, row: &Row) -> u64 {
        let unread = self.unread().min(self.taken);
        self.taken -= unread;
        while self.delivered_ends > 0 && self.ends[self.delivered_ends - 1] > self.taken {
            self.delivered_ends -= 1;
            self.delivered -= 1;
        }
        self.show(row);
        unread
    }

    fn show(&self, row: &Row) {
        row.delivered.set(self.delivered);
        row.bytes.set(self.taken);
    }
}

fn nonzero(written: usize) -> io::Result<usize> {
    if written == 0 {
        Err(ErrorKind::WriteZero.into())
    } else {
        Ok(written)
    }
}

/// How to write to a description that may be shared with other processes.
fn manner_of(file: &File) -> io::Result<Manner> {
    let kind = FileType::from_raw_mode(rustix::fs::fstat(file)?.st_mode);
    let may_block = match kind {
        FileType::Fifo | FileType::Socket => true,
        FileType::CharacterDevice => std::io::IsTerminal::is_terminal(file),
        _ => false,
    };
    Ok(if may_block {
        Manner::Pieces
    } else {
        Manner::Whole
    })
}

/// Size of the pipe behind `file`, made small for a consumer that should see recent records; 0 if it is no pipe.
#[cfg(target_os = "linux")]
fn pipe_bytes(file: &File, recent: bool) -> u64 {
    if recent {
        // Failing is harmless: the pipe keeps its size.
        let _ = rustix::pipe::fcntl_setpipe_size(file, SMALL);
    }
    rustix::pipe::fcntl_getpipe_size(file).map_or(0, |bytes| bytes as u64)
}

/// Elsewhere the unread bytes of a pipe cannot be counted from its writing end.
#[cfg(not(target_os = "linux"))]
fn pipe_bytes(_file: &File, _recent: bool) -> u64 {
    0
}
