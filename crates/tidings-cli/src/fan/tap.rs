//! Feeds a lossy consumer: whole records, as many as it can take, and an exact count of the others.

use tidings::ring::{Lossy, Subscriber};

use super::board::{POLL, Row};
use super::feeding::{Fed, Feeding};
use super::frame::Frame;
use super::outlet::Outlet;

/// Frames copied from the ring at once; few, so that what a slow consumer gets is recent.
const BATCH: usize = 16;

/// Hands over what the consumer can take until the publisher is gone.
pub fn feed(subscriber: &mut Subscriber<Frame, Lossy>, feeding: &mut Feeding<'_>) -> Fed {
    let mut assembly = Assembly::default();
    let mut frames = [Frame::EMPTY; BATCH];
    loop {
        // Looked at before reading, so that an empty ring that was closed before is empty for good.
        let closed = subscriber.is_closed();
        let taken = subscriber.recv_batch(&mut frames);
        for frame in &frames[..taken] {
            assembly.add(frame, feeding.outlet);
        }
        feeding.row.cursor.set(subscriber.cursor());
        assembly.show(feeding.row);
        if taken > 0 && !feeding.outlet.is_full() {
            continue;
        }
        feeding.flush()?;
        if taken == 0 && closed {
            assembly.close(feeding.published());
            assembly.show(feeding.row);
            return Ok(());
        }
        if taken == 0 && !subscriber.wait_timeout(POLL) {
            feeding.check_idle()?;
        }
    }
}

/// Puts records together from frames of which some may be missing.
#[derive(Default)]
struct Assembly {
    /// The first record that is neither handed over nor skipped.
    next: u64,
    skipped: u64,
    /// The parts of record `open` so far: none are missing up to part `parts`.
    partial: Vec<u8>,
    open: u64,
    parts: u32,
}

impl Assembly {
    /// Takes a frame; hands its record over when that is complete.
    #[inline]
    fn add(&mut self, frame: &Frame, outlet: &mut Outlet) {
        if frame.part() == 0 && frame.is_last() {
            self.deliver(frame.record(), frame.bytes(), outlet);
        } else {
            self.add_part(frame, outlet);
        }
    }

    fn add_part(&mut self, frame: &Frame, outlet: &mut Outlet) {
        if frame.part() == 0 {
            self.open = frame.record();
            self.parts = 0;
            self.partial.clear();
        } else if frame.record() != self.open || frame.part() != self.parts {
            // A part was lost, and its record with it. No later part fits either.
            self.parts = 0;
            return;
        }
        self.parts += 1;
        self.partial.extend_from_slice(frame.bytes());
        if frame.is_last() {
            let record = std::mem::take(&mut self.partial);
            self.deliver(frame.record(), &record, outlet);
            self.partial = record;
        }
    }

    #[inline]
    fn deliver(&mut self, record: u64, bytes: &[u8], outlet: &mut Outlet) {
        self.skipped += record - self.next;
        self.next = record + 1;
        outlet.push(bytes);
        outlet.end_record();
    }

    /// Counts what is missing up to the end of the stream, `published` records long.
    fn close(&mut self, published: u64) {
        self.skipped += published - self.next;
        self.next = published;
    }

    fn show(&self, row: &Row) {
        row.skipped.set(self.skipped);
    }
}
