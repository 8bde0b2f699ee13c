//! Calling a handler that may panic, as often as the policy says.

use super::{
    control::Control,
    delivery::{Flow, Verdict},
    options::PanicPolicy,
    report::Outcome,
};
use alloc::{boxed::Box, string::String};
use core::{any::Any, mem};
use std::panic::{AssertUnwindSafe, catch_unwind};
use tidings_core::{Sequence, sync::mutant};

/// The calls of one consumer's handler.
pub(super) struct Attempts<'a> {
    pub(super) policy: PanicPolicy,
    pub(super) control: &'a Control,
    pub(super) panics: &'a mut u64,
    /// The panic that was not got over.
    pub(super) failure: Option<Outcome>,
}

/// How a message was handled. A word, since it is passed on for every message.
#[derive(Clone, Copy)]
pub(super) enum Handled {
    /// The handler returned, or its panic was got over.
    Well(Verdict),
    /// It panicked for good: see `failure`.
    Badly,
}

impl Attempts<'_> {
    /// Calls the handler for message `sequence`.
    #[inline]
    pub(super) fn make(&mut self, sequence: u64, mut call: impl FnMut() -> Verdict) -> Handled {
        match catch_unwind(AssertUnwindSafe(&mut call)) {
            Ok(verdict) => Handled::Well(verdict),
            Err(payload) => self.get_over(sequence, payload, &mut call),
        }
    }

    #[cold]
    #[inline(never)]
    fn get_over(
        &mut self,
        sequence: u64,
        mut payload: Box<dyn Any + Send>,
        call: &mut dyn FnMut() -> Verdict,
    ) -> Handled {
        *self.panics += 1;
        match self.policy {
            PanicPolicy::Skip => {
                discard(payload);
                return Handled::Well(Verdict::Done(Flow::Continue));
            }
            PanicPolicy::Restart { times } => {
                for _ in 0..times {
                    if self.control.must_stop_now() {
                        break;
                    }
                    discard(payload);
                    payload = match catch_unwind(AssertUnwindSafe(&mut *call)) {
                        Ok(verdict) => return Handled::Well(verdict),
                        Err(again) => again,
                    };
                    *self.panics += 1;
                }
            }
            PanicPolicy::Halt | PanicPolicy::Detach => {}
        }
        if self.policy != PanicPolicy::Detach && !mutant("control H3") {
            // H1, before the message is given back.
            self.control
                .halt(Sequence::new(sequence), self.control.name());
        }
        let message = said(payload);
        self.failure = Some(Outcome::Panicked { sequence, message });
        Handled::Badly
    }
}

/// What a panic said.
pub(super) fn said(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text
        .or_else(|| payload.downcast_ref::<String>().map(|text| &**text))
        .unwrap_or("a panic without a text")
        .into();
    discard(payload);
    text
}

/// Drops what a panic carried. Should that panic too, what it carries is leaked: it might go on like this for ever.
fn discard(payload: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        mem::forget(again);
    }
}
