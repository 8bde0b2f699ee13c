//! The outcome of one engine's turn in one round.

use serde::Serialize;

use crate::clock::Spent;

/// One measured turn. A turn whose work was wrong is an error instead.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Round {
    /// Nanoseconds per operation.
    pub ns: f64,
    /// CPU seconds per second of wall time.
    pub cores: f64,
    /// CPU nanoseconds per operation.
    pub cpu_ns: f64,
    /// Voluntary context switches.
    pub voluntary: u64,
    /// Involuntary context switches.
    pub involuntary: u64,
    /// Part of the messages that was delivered, 1 where nothing may be lost.
    pub delivered: f64,
    /// What else the scenario measures, by name.
    pub extra: Vec<(&'static str, f64)>,
}

impl Round {
    /// A turn in which everything was delivered.
    pub fn new(spent: Spent, operations: u64) -> Self {
        let operations = operations.max(1) as f64;
        let wall = spent.wall.as_nanos().max(1) as f64;
        let cpu = spent.usage.cpu.as_nanos() as f64;
        Self {
            ns: wall / operations,
            cores: cpu / wall,
            cpu_ns: cpu / operations,
            voluntary: spent.usage.voluntary,
            involuntary: spent.usage.involuntary,
            delivered: 1.0,
            extra: Vec::new(),
        }
    }

    /// The same turn with one more number.
    pub fn with(mut self, name: &'static str, value: f64) -> Self {
        self.extra.push((name, value));
        self
    }

    /// The number of that name.
    pub fn extra(&self, name: &str) -> Option<f64> {
        self.extra
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    }
}

/// Fails unless what was found is what was sent.
pub fn verify<T: PartialEq + std::fmt::Debug>(what: &str, found: T, sent: T) -> Result<(), String> {
    if found == sent {
        Ok(())
    } else {
        Err(format!("{what}: found {found:?}, expected {sent:?}"))
    }
}
