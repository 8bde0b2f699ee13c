//! Stages on threads of their own, with a lossless ring between each and the next.
//!
//! ```text
//! Input ──▶ ring ──▶ parse ──▶ ring ──┬──▶ price ──┬──▶ ring ──▶ output
//!                                     └──▶ audit ──┘
//! ```
//!
//! A stage is a function from a message to the next one. Messages are of any type: a stage reads them where they lie, all
//! branches the same one, and what it returns moves into the next ring. A ring that is full holds up the stage before it, and in
//! the end the [`Input`].
//!
//! # What is never missed
//! A [`Stage`] is a subscription, which gates from the moment its ring is made; stages and branches take it over, or are twins of
//! it that have read nothing either. So whatever the input accepts, at whatever time, reaches every stage, whenever that begins.
//!
//! # Ends
//! | what happens | the pipeline |
//! |---|---|
//! | every [`Input`] is dropped | delivers what it has accepted, stage by stage, and ends |
//! | [`shutdown`](Pipeline::shutdown)`(Drain)` | the same; inputs are refused, and given back, from now on, also those that wait |
//! | `shutdown(Immediate)` | each stage ends with the message at hand, also if it waits for room |
//! | a stage panics for good | the stages before it stop, inputs are given back; those after it deliver what has come to them, and end |
//! | a stage panics under [`Detach`](crate::consumer::PanicPolicy::Detach) | its branch ends; the others go on, if there is one |
//! | the [`Pipeline`] is dropped | as `shutdown(Immediate)`, then its threads are joined |
//! | the output is dropped | the stages go on; what the last one makes is dropped |
//!
//! A value stays in its ring until its place is used again, a lap later, or the pipeline is gone.

mod builder;
mod door;
mod error;
mod handle;
mod input;
mod item;
mod link;
mod outlet;
mod plan;
mod stage;

pub use builder::PipelineBuilder;
pub use error::{InputClosed, InputTimeoutError, PipelineError, TryInputError};
pub use handle::Pipeline;
pub use input::{Input, InputFuture};
pub use item::Item;
pub use stage::{Computed, Prepared, Raw, Stage};
