//! Pages that explain more than one item. They hold no code of the crate; their examples are tests.

#[cfg(feature = "oneshot")]
#[doc = include_str!("guide/one_value_to_many.md")]
pub mod one_value_to_many {}

#[cfg(feature = "ring")]
#[doc = include_str!("guide/choosing_a_ring.md")]
pub mod choosing_a_ring {}

#[cfg(all(feature = "ring", feature = "macros"))]
#[doc = include_str!("guide/payloads.md")]
pub mod payloads {}

#[cfg(feature = "ring")]
#[doc = include_str!("guide/delivery.md")]
pub mod delivery {}

#[cfg(feature = "ring")]
#[doc = include_str!("guide/waiting.md")]
pub mod waiting {}

#[cfg(feature = "ring")]
#[doc = include_str!("guide/memory_model.md")]
pub mod memory_model {}

#[cfg(feature = "ring")]
#[doc = include_str!("guide/limits.md")]
pub mod limits {}

#[cfg(feature = "ring")]
#[doc = include_str!("guide/performance.md")]
pub mod performance {}
