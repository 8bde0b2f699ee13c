//! The handle of a consumer: to stop it, to wait for it, to be told how it ended.

use super::{
    control::Control,
    error::{Halted, JoinTimeoutError},
    options::Stop,
    report::Report,
};
use core::fmt;
use std::{
    panic::resume_unwind,
    thread::panicking,
    time::{Duration, Instant},
};
use tidings_core::{
    sync::{
        Arc,
        thread::{self, JoinHandle},
    },
    wait::{Deadline, WaitStrategy},
};

/// A thread that hands every message of a subscriber to a handler; see [the module](crate::consumer).
///
/// # Ends
/// | what happens | the consumer |
/// |---|---|
/// | its ring ends | ends after the last message |
/// | the handler returns [`Flow::Stop`](super::Flow::Stop) | ends with that message |
/// | the handler panics | as [`PanicPolicy`](super::PanicPolicy) says |
/// | [`shutdown`](Self::shutdown) | ends after what was published before, or after the message at hand |
/// | the handle is dropped | is stopped as [`on_drop`](super::ConsumerBuilder::on_drop) says, and waited for |
/// | [`detach`](Self::detach) | runs on until one of the first three |
///
/// A handle that is dropped by its own consumer, or while its thread unwinds from a panic, does not drain: the one cannot wait
/// for itself, the other might wait for whom it holds up.
///
/// # Panics
/// Waking those who wait for the slots that a consumer gives back runs their wakers on its thread. A panic of one counts as
/// one of the handler's, but ends the consumer under every policy.
///
/// # Examples
/// ```
/// use std::sync::mpsc;
/// let (mut publisher, subscribable) = tidings_ring::event_channel(8, String::new);
/// let (sender, lengths) = mpsc::channel();
/// let consumer = tidings_ring::Consumer::spawn(subscribable.subscribe(), move |text: &String, _| {
///     sender.send(text.len()).unwrap();
/// });
/// publisher.publish(|text| text.push_str("read where it lies"));
/// assert_eq!(lengths.recv(), Ok(18));
/// drop(publisher);
/// assert_eq!(consumer.join()?.received, 1);
/// # Ok::<(), tidings_ring::consumer::Halted>(())
/// ```
#[must_use = "a consumer that is dropped is stopped"]
pub struct Consumer {
    control: Arc<Control>,
    /// `None` once it was joined or given up.
    thread: Option<JoinHandle<Report>>,
    on_drop: Stop,
}

impl Consumer {
    pub(super) fn new(control: Arc<Control>, thread: JoinHandle<Report>, on_drop: Stop) -> Self {
        Self {
            control,
            thread: Some(thread),
            on_drop,
        }
    }

    /// Tells the consumer to stop, and returns at once. One that waits is woken. A second call can only hurry it.
    ///
    /// With [`Stop::Drain`] it handles every message that was published before this call, and stops there even if more come.
    pub fn shutdown(&self, stop: Stop) {
        self.control.stop(stop);
    }

    /// Waits until the consumer has ended, by whatever ends it: the close of the ring, a shutdown.
    ///
    /// # Errors
    /// [`Halted`] when a panic ended it, with what the panic said.
    pub fn join(mut self) -> Result<Report, Halted> {
        self.finish().judge()
    }

    /// [`join`](Self::join) that gives up after `timeout`; `Duration::MAX` is for ever.
    ///
    /// # Errors
    /// As [`join_deadline`](Self::join_deadline).
    pub fn join_timeout(self, timeout: Duration) -> Result<Report, JoinTimeoutError<Self>> {
        self.join_by(Deadline::after(timeout))
    }

    /// [`join`](Self::join) that gives up at `deadline`, and gives the consumer back, which runs on.
    ///
    /// # Errors
    /// [`JoinTimeoutError::Timeout`] with the consumer and how many messages are left; [`JoinTimeoutError::Halted`] when a
    /// panic ended it.
    pub fn join_deadline(self, deadline: Instant) -> Result<Report, JoinTimeoutError<Self>> {
        self.join_by(Deadline::at(deadline))
    }

    fn join_by(self, deadline: Deadline) -> Result<Report, JoinTimeoutError<Self>> {
        if self.wait_for_end(deadline) {
            self.join().map_err(JoinTimeoutError::Halted)
        } else {
            let left = self.left();
            Err(JoinTimeoutError::Timeout { handle: self, left })
        }
    }

    /// Whether it has ended.
    pub fn is_finished(&self) -> bool {
        self.control.has_ended()
    }

    /// Whether no panic has ended it: also true of one that still runs, and of one that ended as it should.
    pub fn is_healthy(&self) -> bool {
        self.control.is_healthy()
    }

    /// Messages that were published and not handled, as of now; at most the capacity.
    pub fn left(&self) -> u64 {
        self.control.left()
    }

    /// The sequence of the message that it handles, or will handle next, as of now.
    pub fn cursor(&self) -> u64 {
        self.control.next().get()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.control.name()
    }

    /// Gives the handle up; the thread runs until its ring ends, its handler stops, or panics.
    pub fn detach(mut self) {
        self.thread = None;
    }

    pub(crate) fn control(&self) -> &Arc<Control> {
        &self.control
    }

    /// Waits until it has ended; `false` when the deadline passes first.
    pub(crate) fn wait_for_end(&self, deadline: Deadline) -> bool {
        self.control.wait_for_end(&WaitStrategy::Park, deadline)
    }

    /// Whether this is the consumer's own thread.
    pub(crate) fn is_current(&self) -> bool {
        self.thread.as_ref().is_some_and(is_current)
    }

    /// Waits until the thread is gone. Once only.
    pub(crate) fn finish(&mut self) -> Report {
        let thread = self.thread.take().expect("a consumer is finished once");
        // Everything that can panic there is caught, and told in the report.
        thread
            .join()
            .unwrap_or_else(|payload| resume_unwind(payload))
    }
}

fn is_current(thread: &JoinHandle<Report>) -> bool {
    thread.thread().id() == thread::current().id()
}

impl Drop for Consumer {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        let is_own = is_current(&thread);
        if is_own || panicking() {
            self.control.stop(Stop::Immediate);
        } else {
            self.control.stop(self.on_drop);
        }
        if !is_own {
            // How it ended is lost with the handle.
            drop(thread.join());
        }
    }
}

impl fmt::Debug for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Consumer")
            .field("name", &self.name())
            .field("cursor", &self.cursor())
            .field("finished", &self.is_finished())
            .finish_non_exhaustive()
    }
}
