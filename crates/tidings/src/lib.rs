//! One-to-many messaging for Rust: say it once, everyone who asked hears it.
#![cfg_attr(not(feature = "std"), no_std)]

pub use tidings_core as core;
#[cfg(feature = "ring")]
pub use tidings_ring as ring;
