//! A system of which nothing is known.

use crate::platform::{Memory, MemoryReport, PlatformError};
use core::ptr::NonNull;
use std::vec::Vec;

pub(crate) fn affinity() -> Result<Vec<usize>, PlatformError> {
    Err(PlatformError::Unsupported)
}

pub(crate) fn set_affinity(_core: usize) -> Result<(), PlatformError> {
    Err(PlatformError::Unsupported)
}

/// There is none.
pub(crate) enum Mapping {}

impl Mapping {
    pub(crate) fn new(_bytes: usize, _memory: &Memory) -> Option<(Self, MemoryReport)> {
        None
    }

    pub(crate) fn start(&self) -> NonNull<u8> {
        match *self {}
    }
}
