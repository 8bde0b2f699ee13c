//! One value, once, to many.

#[macro_use]
mod rows;

mod async_tasks;
mod core;
mod exact;
mod patterns;
mod scaling;
mod stress;
mod types;
mod waiting;

use crate::scenario::Scenario;

/// All of them, in the order in which they run.
pub fn scenarios() -> Vec<Scenario> {
    let mut all = core::scenarios();
    all.extend(scaling::scenarios());
    all.extend(patterns::scenarios());
    all.extend(types::scenarios());
    all.extend(stress::scenarios());
    all.extend(async_tasks::scenarios());
    all.extend(waiting::scenarios());
    all.extend(exact::scenarios());
    all
}
