//! The broadcast ring: every subscriber sees every message, under a contract of its own.
//!
//! | you have | use | subscribers |
//! |---|---|---|
//! | plain data, and the publisher must never wait | [`channel`] | lossy: they know exactly what they lost |
//! | plain data, and nothing may be lost | [`channel_bounded`] | gating, and lossy ones beside them |
//! | any type, edited and read in place | [`event_channel`] | gating |
//! | a struct or enum that is plain data | `#[derive(Payload)]` | |
//! | one that is not, but has a fixed size | `#[derive(Wire)]` | |
//!
//! What the contracts are, how a ring ends and how its ends wait: [`tidings_ring`]. Which ring, and which message:
//! [`choosing_a_ring`](crate::guide::choosing_a_ring), [`payloads`](crate::guide::payloads).

#[doc(inline)]
pub use tidings_ring::*;

#[cfg(feature = "macros")]
#[doc(inline)]
pub use tidings_macros::{Payload, Wire};
