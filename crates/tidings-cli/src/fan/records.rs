//! Where one record ends and the next begins.
//!
//! A record is always a run of whole bytes of the input, its newline or its length prefix included, and the records
//! laid end to end are the input: nothing is added, changed or left out.

use std::fmt;

/// How the input is cut into records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// A record ends with a newline, which belongs to it.
    Lines,
    /// Every record has this many bytes (at least 1).
    Fixed(usize),
    /// A record begins with its length, which does not count itself.
    Length(Prefix),
}

/// A length in front of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// Bytes of the length: 1, 2 or 4.
    pub bytes: usize,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
}

/// What is at the front of the bytes at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A whole record of this many bytes.
    Record(usize),
    /// The beginning of a record.
    More,
}

/// A record is longer than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// Its length, where that is known.
    pub bytes: Option<u64>,
}

impl Framing {
    /// Looks for the end of the record that begins `data`, of whose bytes the first `seen` have been searched before.
    ///
    /// # Errors
    /// [`TooLong`] when the record has more than `limit` bytes.
    #[inline]
    pub fn cut(self, data: &[u8], seen: usize, limit: usize) -> Result<Cut, TooLong> {
        let len = match self {
            Framing::Lines => match memchr::memchr(b'\n', &data[seen..]) {
                Some(at) => seen + at + 1,
                None if data.len() > limit => return Err(TooLong { bytes: None }),
                None => return Ok(Cut::More),
            },
            Framing::Fixed(len) => len,
            Framing::Length(prefix) => match prefix.record_len(data) {
                Some(len) => usize::try_from(len).map_err(|_| TooLong { bytes: Some(len) })?,
                None => return Ok(Cut::More),
            },
        };
        if len > limit {
            return Err(TooLong {
                bytes: Some(len as u64),
            });
        }
        Ok(if len <= data.len() {
            Cut::Record(len)
        } else {
            Cut::More
        })
    }

    /// What is missing from `data`, a last record that the end of the input cut off. `None`: nothing, it is whole.
    pub fn missing(self, data: &[u8]) -> Option<String> {
        let have = data.len();
        match self {
            Framing::Lines => None,
            Framing::Fixed(len) => Some(format!("the last record has {have} of {len} bytes")),
            Framing::Length(prefix) => Some(match prefix.record_len(data) {
                Some(len) => format!(
                    "the last record has {have} of the {len} bytes that its length announces"
                ),
                None => format!(
                    "the last record has {have} of the {} bytes of its length",
                    prefix.bytes
                ),
            }),
        }
    }
}

impl Prefix {
    /// Bytes of the whole record that begins `data`, its length included; `None` while that is not all there.
    fn record_len(self, data: &[u8]) -> Option<u64> {
        let prefix = data.get(..self.bytes)?;
        let shift = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        let len = if self.big_endian {
            prefix.iter().fold(0, shift)
        } else {
            prefix.iter().rev().fold(0, shift)
        };
        Some(self.bytes as u64 + len)
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Framing::Lines => f.write_str("lines"),
            Framing::Fixed(len) => write!(f, "fixed:{len}"),
            Framing::Length(Prefix { bytes: 1, .. }) => f.write_str("length:u8"),
            Framing::Length(Prefix { bytes, big_endian }) => {
                write!(
                    f,
                    "length:u{}{}",
                    8 * bytes,
                    if *big_endian { "be" } else { "le" }
                )
            }
        }
    }
}

#[cfg(test)]
mod tests;
