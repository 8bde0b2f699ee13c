//! The input thread: reads blocks, cuts them into records, publishes them as frames.
//!
//! Nothing is allocated for a record: a block is read into one buffer, which grows only for a record longer than all
//! before it, and frames are filled in a stage that is published as a batch.

use std::sync::Arc;
use std::thread;
use std::time::Instant;

use tidings::ring::{Gating, Publisher};

use super::board::{Board, POLL};
use super::frame::Frame;
use super::rate::Pace;
use super::records::{Cut, Framing, TooLong};
use super::source::{Got, Source};

/// Bytes asked for at once.
const BLOCK: usize = 256 << 10;

/// Frames published at once.
const STAGE: usize = 64;

/// How the input thread ended.
pub struct Report {
    pub end: FeedEnd,
    /// The input ended inside a record, which was passed on as far as it went.
    pub warning: Option<String>,
}

/// Why the input thread ended.
pub enum FeedEnd {
    /// Everything is published.
    Complete,
    /// The run was stopped.
    Stopped,
    /// The input could not be read on, or is not what it was said to be.
    Failed(String),
}

/// What the input thread works with.
pub struct Feed {
    publisher: Publisher<Frame, Gating>,
    board: Arc<Board>,
    framing: Framing,
    limit: usize,
    pace: Option<Pace>,
    stage: Box<[Frame; STAGE]>,
    staged: usize,
    /// Records staged, all told, and their bytes.
    records: u64,
    bytes: u64,
    /// Bytes read and not yet cut are `block[start..end]`, of which the first `seen` hold no end of a record.
    block: Vec<u8>,
    start: usize,
    end: usize,
    seen: usize,
}

/// Why a step cannot go on.
enum Break {
    Stopped,
    Failed(String),
}

impl Feed {
    /// An input thread's state for records of at most `limit` bytes, `rate` of them a second.
    pub fn new(
        publisher: Publisher<Frame, Gating>,
        board: Arc<Board>,
        framing: Framing,
        limit: usize,
        rate: Option<f64>,
    ) -> Feed {
        Feed {
            publisher,
            board,
            framing,
            limit,
            pace: rate.map(|rate| Pace::new(rate, Instant::now())),
            stage: Box::new([Frame::EMPTY; STAGE]),
            staged: 0,
            records: 0,
            bytes: 0,
            block: vec![0; BLOCK],
            start: 0,
            end: 0,
            seen: 0,
        }
    }

    /// Publishes everything, and closes the ring.
    pub fn run(mut self, mut source: Source) -> Report {
        let mut warning = None;
        let end = loop {
            match self.pass(&mut source, &mut warning) {
                Ok(true) => {}
                Ok(false) => break FeedEnd::Complete,
                Err(Break::Stopped) => break FeedEnd::Stopped,
                Err(Break::Failed(message)) => break FeedEnd::Failed(message),
            }
        };
        // What is staged consists of whole records, except where the run is given up.
        let _ = self.flush();
        Report { end, warning }
    }

    /// Reads the input once; says whether there is another pass.
    fn pass(&mut self, source: &mut Source, warning: &mut Option<String>) -> Result<bool, Break> {
        loop {
            self.publish_whole_records()?;
            self.flush()?;
            self.make_room()?;
            let space = &mut self.block[self.end..];
            match source.read(space, &self.board) {
                Ok(Got::Bytes(len)) => self.end += len,
                Ok(Got::End) => break,
                Ok(Got::Stopped) => return Err(Break::Stopped),
                Err(error) => {
                    return Err(Break::Failed(format!(
                        "reading failed at byte {}: {error}",
                        self.offset()
                    )));
                }
            }
        }
        self.publish_rest(warning)?;
        source
            .next_pass()
            .map_err(|error| Break::Failed(format!("reading again failed: {error}")))
    }

    fn publish_whole_records(&mut self) -> Result<(), Break> {
        while self.start < self.end {
            let rest = &self.block[self.start..self.end];
            match self.framing.cut(rest, self.seen, self.limit) {
                Ok(Cut::Record(len)) => self.publish(len)?,
                Ok(Cut::More) => {
                    self.seen = rest.len();
                    break;
                }
                Err(too_long) => return Err(Break::Failed(self.too_long(too_long))),
            }
        }
        Ok(())
    }

    /// Publishes what the end of a pass has left over.
    fn publish_rest(&mut self, warning: &mut Option<String>) -> Result<(), Break> {
        let len = self.end - self.start;
        if len == 0 {
            return Ok(());
        }
        let missing = self.framing.missing(&self.block[self.start..self.end]);
        let place = format!("record {} at byte {}", self.records + 1, self.offset());
        self.publish(len)?;
        match (missing, self.framing) {
            (Some(missing), Framing::Length(_)) => {
                Err(Break::Failed(format!("{missing} ({place})")))
            }
            (Some(missing), _) => {
                warning.get_or_insert(format!("{missing} and was passed on as it is ({place})"));
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }

    /// Stages the record in the next `len` bytes of the block.
    #[inline]
    fn publish(&mut self, len: usize) -> Result<(), Break> {
        if self.board.stop.is_on() {
            return Err(Break::Stopped);
        }
        if self.pace.is_some() {
            self.keep_pace()?;
        }
        let from = self.start;
        let mut parts = len.div_ceil(Frame::ROOM);
        for part in 0.. {
            if self.staged == STAGE {
                self.flush()?;
            }
            parts -= 1;
            let at = from + part as usize * Frame::ROOM;
            let bytes = &self.block[at..(from + len).min(at + Frame::ROOM)];
            self.stage[self.staged].fill(self.records, part, bytes, parts == 0);
            self.staged += 1;
            if parts == 0 {
                break;
            }
        }
        self.records += 1;
        self.bytes += len as u64;
        self.start += len;
        self.seen = 0;
        Ok(())
    }

    /// Waits until the next record is due.
    #[cold]
    fn keep_pace(&mut self) -> Result<(), Break> {
        while let Some(wait) = self
            .pace
            .as_mut()
            .and_then(|pace| pace.wait(Instant::now()))
        {
            self.flush()?;
            thread::sleep(wait.min(POLL));
            if self.board.stop.is_on() {
                return Err(Break::Stopped);
            }
        }
        Ok(())
    }

    /// Publishes the stage, waiting for the gating consumers as needed.
    fn flush(&mut self) -> Result<(), Break> {
        let Feed {
            publisher,
            stage,
            board,
            ..
        } = self;
        let (input, staged) = (&board.input, std::mem::take(&mut self.staged));
        let mut done = 0;
        while done < staged {
            let sent = publisher.try_publish_batch(&stage[done..staged]);
            done += sent;
            if sent == 0 {
                input.waits.set(true);
                done += usize::from(publisher.publish_timeout(stage[done], POLL).is_ok());
                if board.abort.is_on() {
                    self.count(done);
                    return Err(Break::Stopped);
                }
            }
            input.frames.set(publisher.published());
        }
        if staged > 0 {
            input.waits.set(false);
            self.count(staged);
        }
        Ok(())
    }

    /// Counts the first `frames` frames of the stage as published.
    fn count(&self, frames: usize) {
        let input = &self.board.input;
        let (mut records, mut bytes) = (input.records.get(), input.bytes.get());
        for frame in &self.stage[..frames] {
            records += u64::from(frame.is_last());
            bytes += frame.bytes().len() as u64;
        }
        input.records.set(records);
        input.bytes.set(bytes);
    }

    /// Makes room behind the bytes at hand: moves them to the front, and grows the block for a long record.
    fn make_room(&mut self) -> Result<(), Break> {
        if self.start > 0 {
            self.block.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.block.len() - self.end < BLOCK / 2 {
            let more = self.block.len();
            if self.block.try_reserve_exact(more).is_err() {
                let (record, at) = (self.records + 1, self.offset());
                return Err(Break::Failed(format!(
                    "record {record} at byte {at} is longer than there is memory for: {} bytes so far",
                    self.end - self.start
                )));
            }
            self.block.resize(2 * more, 0);
        }
        Ok(())
    }

    /// Where in the input the bytes at hand begin.
    fn offset(&self) -> u64 {
        self.bytes
    }

    fn too_long(&self, TooLong { bytes }: TooLong) -> String {
        let len = bytes.map_or("more than that".to_string(), |bytes| {
            format!("{bytes} bytes")
        });
        let (record, at, limit) = (self.records + 1, self.offset(), self.limit);
        format!(
            "record {record} at byte {at} is longer than --max-record allows ({limit} bytes): it has {len}"
        )
    }
}
