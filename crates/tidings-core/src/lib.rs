//! What every tidings concept stands on.
//!
//! | module | what it holds |
//! |---|---|
//! | [`padded`] | [`CachePadded`]: a value that shares its cache line with nobody |
//! | [`backoff`] | [`Backoff`]: policy while contending |
//! | [`sequence`] | [`Sequence`]: wrapping places in a stream |
//! | [`wait`] | policy and machinery while there is nothing to do: events, strategies, deadlines, spin tokens |
//!
//! Two more, `sync` and `hint`, are for the crates of this workspace: the one door to atomics, locks and cells (core's, or
//! loom's and shuttle's in model runs), and the one place for assembly. No stability is promised for them.
//!
//! Feature `std` (default) adds everything that blocks a thread. Without it the crate is `no_std` with `alloc`
//! and tasks still wait through their wakers.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_debug_implementations)]
// Unit tests build the spin lock also where the door does not hand it out.
#![cfg_attr(not(test), warn(unreachable_pub))]

extern crate alloc;
#[cfg(any(feature = "std", loom, shuttle, test))]
extern crate std;

pub mod backoff;
#[doc(hidden)]
pub mod hint;
pub mod padded;
pub mod sequence;
#[doc(hidden)]
pub mod sync;
pub mod wait;

pub use backoff::Backoff;
pub use padded::CachePadded;
pub use sequence::Sequence;

/// The program in the README is a test.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
struct Readme;
