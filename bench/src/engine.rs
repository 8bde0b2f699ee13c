//! What an engine can be asked to do, one module a concept.
//!
//! The workloads are generic over these traits, so every engine gets a loop of its own, inlined alike:
//! nothing here is called through a table.

pub mod graph;
pub mod oneshot;
pub mod ring;
pub mod runtime;
