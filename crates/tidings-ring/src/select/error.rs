//! What can go wrong when the list to select from is known at run time only.

use core::{error::Error, fmt};

/// The list was empty: there was nothing to select from, and nothing that could have ended a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectError;

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is nothing to select from")
    }
}

impl Error for SelectError {}

/// Why a selection with a deadline gave no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectTimeoutError {
    /// The deadline passed before any of them was ready.
    Timeout,
    /// The list was empty. Said at once.
    Nothing,
}

impl fmt::Display for SelectTimeoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout => f.write_str("none was ready before the deadline"),
            Self::Nothing => SelectError.fmt(f),
        }
    }
}

impl Error for SelectTimeoutError {}

impl From<SelectError> for SelectTimeoutError {
    fn from(_: SelectError) -> Self {
        Self::Nothing
    }
}
