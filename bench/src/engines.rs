//! The engines, one module a concept.

pub mod oneshot;
pub mod ring;
pub mod runtimes;
