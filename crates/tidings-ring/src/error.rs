//! What can go wrong, by operation. Every error that refuses a value gives it back.

use core::{error::Error, fmt};

/// Why [`Builder`](crate::Builder) made no ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// The capacity was 0; a ring holds at least one message.
    ZeroCapacity,
    /// The watermark leaves no slot to write to: it must be below the capacity.
    Watermark {
        /// The watermark asked for, in slots.
        watermark: usize,
        /// The capacity asked for, in slots.
        capacity: usize,
    },
    /// The slots need more bytes than one allocation may have, or than there are.
    Memory {
        /// The capacity asked for, in slots.
        capacity: usize,
        /// Bytes that one slot takes.
        slot_bytes: usize,
    },
    /// Wishes about memory are granted to rings of plain data only; this one holds values.
    MemoryOfValues,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroCapacity => f.write_str("capacity is 0: a ring holds at least one message"),
            Self::Watermark {
                watermark,
                capacity,
            } => {
                write!(
                    f,
                    "watermark {watermark} leaves no room in a ring of {capacity} slots"
                )
            }
            Self::Memory {
                capacity,
                slot_bytes,
            } => {
                write!(
                    f,
                    "no memory for a ring of {capacity} slots of {slot_bytes} bytes"
                )
            }
            Self::MemoryOfValues => {
                f.write_str("a ring that holds values has no wishes about its memory granted")
            }
        }
    }
}

impl Error for BuildError {}

/// Why [`subscribe_at`](crate::Subscribable::subscribe_at) or
/// [`subscribe_after`](crate::Subscribable::subscribe_after) gave no subscriber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SubscribeError {
    /// The message is no longer retained.
    Overwritten {
        /// The oldest sequence that a subscriber could still start from.
        oldest: u64,
    },
    /// The sequence lies beyond the next message to be published.
    Future {
        /// The sequence that the next message will get.
        next: u64,
    },
    /// An upstream subscriber is of another ring.
    OtherRing,
}

impl fmt::Display for SubscribeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overwritten { oldest } => {
                write!(
                    f,
                    "the message is no longer retained; the oldest one is {oldest}"
                )
            }
            Self::Future { next } => {
                write!(
                    f,
                    "the sequence is not reached yet; the next message is {next}"
                )
            }
            Self::OtherRing => f.write_str("an upstream subscriber is of another ring"),
        }
    }
}

impl Error for SubscribeError {}

/// Why a receive that never waits returned no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryRecvError {
    /// Every message published so far was received; more may come.
    Empty,
    /// Messages were overwritten before they were read. The subscriber stays usable: its cursor
    /// stands on the oldest message retained. A gating subscriber never sees this.
    Lagged {
        /// How many messages were lost, at least 1.
        skipped: u64,
    },
    /// Every message was received and the publisher is gone.
    Closed,
}

impl fmt::Display for TryRecvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no message yet"),
            Self::Lagged { skipped } => write!(f, "{skipped} messages were overwritten unread"),
            Self::Closed => f.write_str("the publisher is gone and every message was received"),
        }
    }
}

impl Error for TryRecvError {}

/// Messages were overwritten before they were read; what a stream gives in their place.
#[cfg(feature = "stream")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lagged {
    /// How many messages were lost, at least 1.
    pub skipped: u64,
}

#[cfg(feature = "stream")]
impl fmt::Display for Lagged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skipped = self.skipped;
        TryRecvError::Lagged { skipped }.fmt(f)
    }
}

#[cfg(feature = "stream")]
impl Error for Lagged {}

/// Every message was received and the publisher is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecvError;

impl fmt::Display for RecvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        TryRecvError::Closed.fmt(f)
    }
}

impl Error for RecvError {}

/// Why a receive with a deadline returned no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecvTimeoutError {
    /// The deadline passed; nothing was lost, and the subscriber stays usable.
    Timeout,
    /// Every message was received and the publisher is gone.
    Closed,
}

impl fmt::Display for RecvTimeoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout => f.write_str("no message before the deadline"),
            Self::Closed => TryRecvError::Closed.fmt(f),
        }
    }
}

impl Error for RecvTimeoutError {}

impl From<RecvError> for TryRecvError {
    fn from(_: RecvError) -> Self {
        Self::Closed
    }
}

impl From<RecvError> for RecvTimeoutError {
    fn from(_: RecvError) -> Self {
        Self::Closed
    }
}

/// The ring is full: the slowest gating subscriber, or a publisher that has not finished, has no slot to give. Holds the
/// refused value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TryPublishError<T> {
    /// No slot is free.
    Full(T),
}

impl<T> TryPublishError<T> {
    /// The value that was not published.
    pub fn into_inner(self) -> T {
        let Self::Full(value) = self;
        value
    }
}

impl<T> fmt::Debug for TryPublishError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Full(..)")
    }
}

impl<T> fmt::Display for TryPublishError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the ring is full: the next slot is not free")
    }
}

impl<T> Error for TryPublishError<T> {}

/// No slot became free before the deadline. Holds the refused value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublishTimeoutError<T>(pub T);

impl<T> PublishTimeoutError<T> {
    /// The value that was not published.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> fmt::Debug for PublishTimeoutError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PublishTimeoutError(..)")
    }
}

impl<T> fmt::Display for PublishTimeoutError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no slot became free before the deadline")
    }
}

impl<T> Error for PublishTimeoutError<T> {}

/// A claim asks for more messages than its ring ever has room for. Waiting would not help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClaimError {
    /// Messages asked for.
    pub asked: usize,
    /// The most that one claim may ask for: the capacity less the watermark.
    pub most: usize,
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, most } = self;
        write!(
            f,
            "a claim of {asked} messages, in a ring with room for {most}"
        )
    }
}

impl Error for ClaimError {}

/// Why a claim that never waits was refused; nothing was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryClaimError {
    /// There is no room for so many now.
    Full,
    /// There never is.
    TooLarge(ClaimError),
}

impl fmt::Display for TryClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("the ring has no room for so many messages now"),
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl Error for TryClaimError {}

impl From<ClaimError> for TryClaimError {
    fn from(error: ClaimError) -> Self {
        Self::TooLarge(error)
    }
}

/// Why a claim with a deadline was refused; nothing was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimTimeoutError {
    /// The deadline passed before there was room.
    Timeout,
    /// There never is room for so many.
    TooLarge(ClaimError),
}

impl fmt::Display for ClaimTimeoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout => f.write_str("no room for so many messages before the deadline"),
            Self::TooLarge(error) => error.fmt(f),
        }
    }
}

impl Error for ClaimTimeoutError {}

impl From<ClaimError> for ClaimTimeoutError {
    fn from(error: ClaimError) -> Self {
        Self::TooLarge(error)
    }
}
