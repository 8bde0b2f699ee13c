//! The loop of a consumer's thread.
//!
//! ```text
//! Loop      a look at the ring · orders and halted upstreams (C2 of control.rs), which may shorten the batch · its messages,
//!           each shown to the handler where it lies · nothing there: `on_idle`, then the ring's wait
//! I1        a message is done with when the handler returned, or its panic was got over; H1 of control.rs comes before
//! I2        the look that admits a batch comes before the look at those who halted, so a message is handled only if every
//!           upstream has done with it
//! I3        nothing of the ring's is half-changed while the handler runs or unwinds: the message is lent, and given back by a
//!           destructor
//! ```

use super::{
    attempt::{Attempts, Handled, said},
    control::{Control, Order},
    delivery::{Delivery, Flow, Verdict},
    feed::{Batch, Feed},
    hooks::Hooks,
    options::PanicPolicy,
    report::{Outcome, Report},
};
use crate::error::TryRecvError;
use alloc::{boxed::Box, vec::Vec};
use core::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tidings_core::{
    Sequence,
    sync::{Arc, mutant},
};

/// See the module.
pub(super) struct Worker<F, H> {
    pub(super) feed: F,
    pub(super) handler: H,
    pub(super) hooks: Hooks,
    pub(super) control: Arc<Control>,
    /// Those whose halt ends this one too.
    pub(super) upstreams: Vec<Arc<Control>>,
    /// Panics of the handler so far.
    pub(super) panics: u64,
    /// Whether the message at hand could not be handled.
    pub(super) gave_up: bool,
}

/// Tells that the thread has ended, whatever ends it.
struct Ending(Arc<Control>, bool);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.end(self.1);
    }
}

/// What is called when a consumer ends, before its subscriber leaves: with the name of the one that panicked, if somebody did
/// whose panic others are to be told of.
pub(crate) type AtEnd = Box<dyn FnOnce(Option<&str>) + Send>;

/// The whole life of the thread.
pub(super) fn live<T, F, H>(mut worker: Worker<F, H>, at_end: Option<AtEnd>) -> Report
where
    F: Feed<T>,
    H: FnMut(&T, Delivery) -> Verdict,
{
    let control = Arc::clone(&worker.control);
    let mut ending = Ending(Arc::clone(&control), false);
    let mut outcome = match catch_unwind(AssertUnwindSafe(|| worker.run())) {
        Ok(outcome) => outcome,
        Err(payload) => worker.panicked(payload),
    };
    let is_told = worker.tell(&outcome);
    let mut report = worker.report();
    let dropped = catch_unwind(AssertUnwindSafe(|| {
        if let Some(at_end) = at_end {
            at_end(control.blamed().filter(|_| is_told).as_deref());
        }
        drop(worker);
    }));
    if let Err(payload) = dropped {
        report.panics += 1;
        let (sequence, message) = (control.next().get(), said(payload));
        if outcome.is_healthy() {
            outcome = Outcome::Panicked { sequence, message };
        }
    }
    ending.1 = outcome.is_healthy();
    report.outcome = outcome;
    report
}

impl<F, H> Worker<F, H> {
    fn run<T>(&mut self) -> Outcome
    where
        F: Feed<T>,
        H: FnMut(&T, Delivery) -> Verdict,
    {
        loop {
            let batch = self.feed.look(self.hooks.batch_limit);
            let next = self.feed.next();
            self.control.moved_to(next);
            // C2, after the look (I2).
            let limit = match self.limit(next) {
                Ok(limit) => limit,
                Err(outcome) => return outcome,
            };
            match batch {
                Ok(batch) => {
                    if let Err(outcome) = self.handle(batch.up_to(next, limit)) {
                        return outcome;
                    }
                }
                Err(TryRecvError::Lagged { skipped }) => self.hooks.lagged(skipped),
                Err(TryRecvError::Closed) => return Outcome::Closed,
                Err(TryRecvError::Empty) => {
                    self.hooks.idle();
                    self.wait();
                }
            }
        }
    }

    /// The message that must not be handled any more, if there is one behind `next`; the end, if it is `next`.
    fn limit(&self, next: Sequence) -> Result<Option<Sequence>, Outcome> {
        let mut limit = match self.control.orders() {
            Order::StopNow => return Err(self.control.told()),
            Order::DrainTo(target) if !next.is_before(target) => return Err(self.control.told()),
            Order::DrainTo(target) => Some(target),
            Order::Run => None,
        };
        for upstream in &self.upstreams {
            let Some(at) = upstream.halted_at() else {
                continue;
            };
            if !next.is_before(at) {
                let name = upstream.blamed().unwrap_or_default();
                return Err(Outcome::HaltedBy { name });
            }
            limit = limit.filter(|limit| limit.is_before(at)).or(Some(at));
        }
        Ok(limit)
    }

    /// Whether `limit` would end a consumer that waits at `next`.
    fn is_over(&self, next: Sequence) -> bool {
        let is_told = match self.control.orders() {
            Order::Run => false,
            Order::StopNow => true,
            Order::DrainTo(target) => !next.is_before(target),
        };
        let is_behind = |at: Sequence| !next.is_before(at);
        is_told
            || self
                .upstreams
                .iter()
                .any(|upstream| upstream.halted_at().is_some_and(is_behind))
    }

    fn wait<T>(&self)
    where
        F: Feed<T>,
    {
        let next = self.feed.next();
        let over = || self.is_over(next);
        match &self.hooks.strategy {
            Some(strategy) => self.feed.wait_unless(&**strategy, over),
            None => self.feed.wait_unless(&self.feed.strategy(), over),
        }
    }

    /// Shows the messages of `batch`, as far as they are still there.
    fn handle<T>(&mut self, batch: Batch) -> Result<(), Outcome>
    where
        F: Feed<T>,
        H: FnMut(&T, Delivery) -> Verdict,
    {
        self.hooks.batch_started(batch.size, batch.depth);
        let Self {
            feed,
            handler,
            control,
            panics,
            ..
        } = self;
        let mut attempts = Attempts {
            policy: self.hooks.panics,
            control,
            panics,
            failure: None,
        };
        loop {
            if control.must_stop_now() {
                return Err(control.told());
            }
            let handled = feed.show(|message, sequence| {
                let delivery = Delivery {
                    sequence,
                    end_of_batch: Sequence::new(sequence).next() == batch.end,
                };
                attempts.make(sequence, || handler(message, delivery))
            });
            let next = feed.next();
            match handled {
                Ok(Handled::Well(Verdict::Done(Flow::Continue))) => control.moved_to(next),
                Ok(Handled::Well(Verdict::Done(Flow::Stop))) => return Err(Outcome::Stopped),
                Ok(Handled::Well(Verdict::Abandoned)) => {
                    self.gave_up = true;
                    return Err(control.told());
                }
                Ok(Handled::Badly) => return Err(attempts.failure.unwrap_or(Outcome::Stopped)),
                Err(TryRecvError::Lagged { skipped }) => {
                    self.hooks.lagged(skipped);
                    return Ok(());
                }
                // The next look says it.
                Err(TryRecvError::Empty | TryRecvError::Closed) => return Ok(()),
            }
            if !next.is_before(batch.end) {
                return Ok(());
            }
        }
    }

    /// A panic that was not the handler's.
    fn panicked<T>(&mut self, payload: Box<dyn Any + Send>) -> Outcome
    where
        F: Feed<T>,
    {
        self.panics += 1;
        Outcome::Panicked {
            sequence: self.feed.next().get(),
            message: said(payload),
        }
    }

    /// Tells those who come after, before the subscriber leaves, if there is a panic that they are to be told of.
    fn tell<T>(&self, outcome: &Outcome) -> bool
    where
        F: Feed<T>,
    {
        match outcome {
            _ if mutant("control H3") => false,
            Outcome::Panicked { sequence, .. } if self.hooks.panics != PanicPolicy::Detach => {
                let name = self.control.name();
                self.control.halt(Sequence::new(*sequence), name);
                true
            }
            Outcome::HaltedBy { name } => {
                self.control.halt(self.feed.next(), name);
                true
            }
            _ => false,
        }
    }

    /// The counts as of now.
    fn report<T>(&self) -> Report
    where
        F: Feed<T>,
    {
        self.control.moved_to(self.feed.next());
        let counts = self.feed.counts();
        let given_up = u64::from(self.gave_up);
        Report {
            name: self.control.name().into(),
            outcome: Outcome::ShutDown,
            received: counts.received - given_up,
            lagged: counts.lagged,
            aborted: counts.aborted,
            panics: self.panics,
            left: self.control.left() + given_up,
            #[cfg(feature = "platform")]
            unpinned: None,
        }
    }
}
