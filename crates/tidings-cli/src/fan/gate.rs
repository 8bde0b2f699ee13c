//! Feeds a gating consumer: every record, in order.

use tidings::ring::{Gating, Subscriber};

use super::board::POLL;
use super::feeding::{Fed, Feeding};
use super::frame::Frame;

/// Frames taken from the ring at once: not more than the outlet's buffer has room for.
const BATCH: usize = 256;

/// Hands over everything until the publisher is gone.
///
/// Frames are borrowed from the ring and copied into the outlet's buffer, and their slots are given back at once. No
/// slot is held during a write; what a slow reader holds back is the next batch.
pub fn feed(subscriber: &mut Subscriber<Frame, Gating>, feeding: &mut Feeding<'_>) -> Fed {
    loop {
        // Looked at before reading, so that an empty ring that was closed before is empty for good.
        let closed = subscriber.is_closed();
        let outlet = &mut *feeding.outlet;
        let taken = subscriber.read_batch(BATCH, |frame, _| {
            outlet.push(frame.bytes());
            if frame.is_last() {
                outlet.end_record();
            }
        });
        feeding.row.cursor.set(subscriber.cursor());
        if taken > 0 && !outlet.is_full() {
            continue;
        }
        feeding.flush()?;
        if taken == 0 && closed {
            return Ok(());
        }
        if taken == 0 && !subscriber.wait_timeout(POLL) {
            feeding.check_idle()?;
        }
    }
}
