//! The two sides of a store-then-load handshake.
//!
//! A notifier stores a condition, then loads the waiters. A waiter stores itself, then loads the condition. At least
//! one must see the other, which takes a full fence between store and load on both sides, or an asymmetric pair: a
//! compiler fence on the side that runs often, and on the side that is about to sleep a system call that makes every
//! running thread of the process execute a full fence.
//!
//! | module | when | light side | heavy side |
//! |---|---|---|---|
//! | `membarrier` | Linux with `std`, when the kernel lets the process register | compiler fence | `membarrier(PRIVATE_EXPEDITED)` |
//! | `full` | everywhere else; Miri, loom, shuttle; `--cfg tidings_portable` | nothing: every event is fenced from the start | a fence |
//!
//! The language's memory model knows no asymmetric fence; that `membarrier` acts as one is the promise of the system
//! call (man page membarrier(2)), and the compiler fence keeps the compiler from moving the load above the store.
//! Source: P. E. McKenney, M. Desnoyers, L. Jiangshan, User-space RCU, 2013; D. Goldblatt, Asymmetric Fences, P1202, 2018.

#[cfg(all(
    feature = "std",
    target_os = "linux",
    not(any(miri, loom, shuttle, tidings_portable))
))]
#[path = "fence/membarrier.rs"]
mod imp;
#[cfg(not(all(
    feature = "std",
    target_os = "linux",
    not(any(miri, loom, shuttle, tidings_portable))
)))]
#[path = "fence/full.rs"]
mod imp;

pub(super) use imp::{heavy, is_asymmetric, light, settle_refused};
