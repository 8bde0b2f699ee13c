//! The tables of scenarios, one module a concept.

pub mod ring;

use crate::scenario::Scenario;

/// The scenarios of a concept.
pub fn group(name: &str) -> Result<Vec<Scenario>, String> {
    match name {
        "ring" => Ok(ring::scenarios()),
        _ => Err(format!("no scenarios for `{name}`; there are: ring")),
    }
}
