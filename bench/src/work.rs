//! Workloads, one module a concept: loops that are generic over the engine, so that every engine runs the same one.

pub mod oneshot;
pub mod ring;
