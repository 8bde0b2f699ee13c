//! The engines, one module a concept.

pub mod oneshot;
pub mod ring;
