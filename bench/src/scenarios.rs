//! The tables of scenarios, one module a concept.

pub mod oneshot;
pub mod ring;

use crate::scenario::Scenario;

/// One concept: its name on the command line and its scenarios.
pub struct Concept {
    /// The name.
    pub name: &'static str,
    /// The table.
    pub scenarios: fn() -> Vec<Scenario>,
}

const CONCEPTS: [Concept; 2] = [
    Concept {
        name: "ring",
        scenarios: ring::scenarios,
    },
    Concept {
        name: "oneshot",
        scenarios: oneshot::scenarios,
    },
];

/// The concept of that name, or all of them.
pub fn concepts(name: Option<&str>) -> Result<Vec<&'static Concept>, String> {
    let found: Vec<_> = CONCEPTS
        .iter()
        .filter(|concept| name.is_none_or(|name| name == concept.name))
        .collect();
    if found.is_empty() {
        let names: Vec<&str> = CONCEPTS.iter().map(|concept| concept.name).collect();
        return Err(format!(
            "no scenarios for `{}`; there are: {}",
            name.unwrap_or_default(),
            names.join(", ")
        ));
    }
    Ok(found)
}
