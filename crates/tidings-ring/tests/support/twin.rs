//! A naive twin of a ring: every message ever published, and cursors into them.

use tidings_ring::TryRecvError;

/// What a ring must do, without slots, stamps or gates. Sequences here count from 0.
pub struct Twin {
    pub capacity: u64,
    pub room: u64,
    pub published: u64,
    pub closed: bool,
}

/// A subscriber of the twin.
#[derive(Clone, Debug)]
pub struct Reader {
    pub gates: bool,
    pub start: u64,
    pub cursor: u64,
    pub received: u64,
    pub lagged: u64,
}

impl Reader {
    pub fn at(gates: bool, start: u64) -> Self {
        Self {
            gates,
            start,
            cursor: start,
            received: 0,
            lagged: 0,
        }
    }

    fn pass_over(&mut self, to: u64) -> u64 {
        let skipped = to - self.cursor;
        self.lagged += skipped;
        self.cursor = to;
        skipped
    }
}

impl Twin {
    /// The oldest message that the slots still hold.
    pub fn oldest(&self) -> u64 {
        self.published.saturating_sub(self.capacity)
    }

    /// How many messages may be published before somebody who gates has to read.
    pub fn room(&self, readers: &[Reader]) -> u64 {
        let lags = readers.iter().filter(|reader| reader.gates);
        let slowest = lags.map(|reader| self.published - reader.cursor).max();
        slowest.map_or(u64::MAX, |lag| self.room.saturating_sub(lag))
    }

    pub fn pending(&self, reader: &Reader) -> u64 {
        (self.published - reader.cursor).min(self.capacity)
    }

    pub fn try_recv(&self, reader: &mut Reader) -> Result<u64, TryRecvError> {
        if reader.cursor < self.oldest() {
            let skipped = reader.pass_over(self.oldest());
            return Err(TryRecvError::Lagged { skipped });
        }
        if reader.cursor == self.published {
            return Err(if self.closed {
                TryRecvError::Closed
            } else {
                TryRecvError::Empty
            });
        }
        reader.received += 1;
        reader.cursor += 1;
        Ok(reader.cursor - 1)
    }

    /// Up to `limit` messages, lags passed over.
    pub fn take(&self, reader: &mut Reader, limit: usize) -> Vec<u64> {
        let mut taken = Vec::new();
        while taken.len() < limit {
            match self.try_recv(reader) {
                Ok(value) => taken.push(value),
                Err(TryRecvError::Lagged { .. }) => {}
                Err(_) => break,
            }
        }
        taken
    }

    pub fn latest(&self, reader: &mut Reader) -> Option<u64> {
        if reader.cursor < self.published {
            reader.pass_over(self.published - 1);
        }
        self.try_recv(reader).ok()
    }
}
