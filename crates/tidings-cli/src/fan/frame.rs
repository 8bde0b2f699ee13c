//! What travels through the ring: one record in one frame, or a long record in several.
//!
//! A slot of the ring is a stamp of 8 bytes and a frame of 248: four cache lines, and most text lines fit in one frame.
//! Bytes of a frame behind `len` are left over from an earlier record and mean nothing.

use bytemuck::NoUninit;

/// A record, or a part of one.
#[derive(Clone, Copy, NoUninit)]
#[repr(C)]
pub struct Frame {
    /// Number of the record, from 0.
    record: u64,
    /// Number of the part within its record, from 0: a reader that missed a part sees the gap.
    part: u32,
    /// How many of `bytes` belong to the record.
    len: u8,
    /// [`LAST`] or nothing.
    flags: u8,
    bytes: [u8; Frame::ROOM],
}

/// The frame ends its record.
const LAST: u8 = 1;

const _: () = assert!(size_of::<Frame>() == 248 && Frame::ROOM <= u8::MAX as usize);

impl Frame {
    /// Bytes of a record that one frame holds.
    pub const ROOM: usize = 234;

    /// A frame of no record.
    pub const EMPTY: Frame = Frame {
        record: 0,
        part: 0,
        len: 0,
        flags: 0,
        bytes: [0; Frame::ROOM],
    };

    /// Makes this part number `part` of record number `record`; `bytes` are at most [`Frame::ROOM`].
    #[inline]
    pub fn fill(&mut self, record: u64, part: u32, bytes: &[u8], last: bool) {
        self.record = record;
        self.part = part;
        self.len = bytes.len() as u8;
        self.flags = if last { LAST } else { 0 };
        self.bytes[..bytes.len()].copy_from_slice(bytes);
    }

    /// Number of the record that this frame belongs to.
    #[inline]
    pub fn record(&self) -> u64 {
        self.record
    }

    /// Number of this part within the record.
    #[inline]
    pub fn part(&self) -> u32 {
        self.part
    }

    /// The bytes of the record that this frame carries.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Whether the record ends here.
    #[inline]
    pub fn is_last(&self) -> bool {
        self.flags & LAST != 0
    }
}
