//! One wait layer for threads and tasks.
//!
//! | file | what it holds |
//! |---|---|
//! | `event` | [`Event`]: say that something changed, again and again; wait for it as a thread or as a task |
//! | `state` | the word of an event, decoded |
//! | `latch` | [`Latch`]: opened once, with a code; [`Opened`], its future |
//! | `tasks` | wakers that wait, and [`TaskKey`], the claim on one of them |
//! | `park` | the loop in which a thread waits: strategy, spin token, deadline, sleep |
//! | `strategy` | [`Strategy`], [`WaitStrategy`], [`Next`], [`Spins`]: how to pass the time before sleeping |
//! | `deadline` | [`Deadline`]: until when |
//! | `tokens` | [`SpinToken`]: the right to spin, of which a process has cores − 1 |
//! | `fence` | the two sides of the store-then-load handshake: compiler fence + membarrier, or a fence on both |
//! | `quiet` | waking the others after a waker has panicked |
//! | `block` | putting a thread to sleep: futex, or mutex and condition variable |
//!
//! # Choosing
//!
//! Whoever changes the condition calls [`Event::notify`] *after* the change. Whoever waits hands a closure that looks at
//! the condition to `Event::wait_until` (threads) or [`Event::poll_until`] (tasks). The closure may be called many
//! times and should be cheap. All waiters are woken by a notification; none is chosen, so none can swallow it.

mod block;
#[cfg(feature = "std")]
mod deadline;
mod event;
mod fence;
mod latch;
#[cfg(feature = "std")]
mod park;
mod quiet;
mod state;
mod strategy;
mod tasks;
#[cfg(feature = "std")]
mod tokens;

#[cfg(feature = "std")]
pub use deadline::Deadline;
pub use event::Event;
pub use latch::{Latch, LatchKey, Opened};
pub use strategy::{Next, Spins, Strategy, WaitStrategy};
pub use tasks::TaskKey;
#[cfg(feature = "std")]
pub use tokens::SpinToken;
