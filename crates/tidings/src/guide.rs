//! Pages that explain more than one item. They hold no code of the crate; their examples are tests.

#[doc = include_str!("guide/choosing_a_ring.md")]
pub mod choosing_a_ring {}

#[doc = include_str!("guide/delivery.md")]
pub mod delivery {}

#[doc = include_str!("guide/waiting.md")]
pub mod waiting {}
