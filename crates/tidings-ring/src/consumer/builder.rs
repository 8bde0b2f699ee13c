//! How a consumer is made.

use super::{
    control::Control,
    delivery::{Delivery, Flow, Verdict},
    feed::Feed,
    handle::Consumer,
    hooks::Hooks,
    options::{PanicPolicy, Stop},
    worker::{AtEnd, Worker, live},
};
use crate::ring::kept::KeptRing;
#[cfg(feature = "platform")]
use crate::{
    consumer::report::Report,
    platform::{CoreId, pin_current_thread},
};
use alloc::{boxed::Box, string::String, vec::Vec};
use std::io;
use tidings_core::{
    sync::{Arc, thread},
    wait::Strategy,
};

/// A consumer's thread without a name of its own.
const UNNAMED: &str = "consumer";

/// Says how a [`Consumer`] runs; also a node of a [`Graph`](crate::Graph), and a stage of a [`Pipeline`](crate::Pipeline).
///
/// # Examples
/// ```
/// use std::sync::{Arc, Mutex};
/// use tidings_ring::{Consumer, WaitStrategy, channel_bounded};
/// let (mut publisher, subscribable) = channel_bounded::<u64>(64, 0);
/// let file = Arc::new(Mutex::new(Vec::new()));
/// let written = Arc::clone(&file);
/// let mut page = Vec::new();
///
/// let journal = Consumer::builder()
///     .name("journal")
///     .wait(WaitStrategy::Park)
///     .batch_limit(16)
///     .spawn(subscribable.subscribe(), move |message: &u64, delivery| {
///         page.push(*message);
///         if delivery.end_of_batch {
///             written.lock().unwrap().append(&mut page);
///         }
///     })?;
/// (0..100).for_each(|n| publisher.publish(n));
/// drop(publisher);
/// assert_eq!(journal.join()?.received, 100);
/// assert!(file.lock().unwrap().iter().copied().eq(0..100));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a builder starts nothing before `spawn`"]
pub struct ConsumerBuilder {
    name: Option<String>,
    hooks: Hooks,
    on_drop: Stop,
    #[cfg(feature = "platform")]
    core: Option<CoreId>,
}

/// What a consumer shares with others.
pub(crate) struct Parts {
    pub(crate) control: Arc<Control>,
    /// Those whose halt ends this one too.
    pub(crate) upstreams: Vec<Arc<Control>>,
    pub(crate) at_end: Option<AtEnd>,
}

impl Consumer {
    /// A builder, for a consumer with a name, hooks or policies.
    pub fn builder() -> ConsumerBuilder {
        ConsumerBuilder {
            name: None,
            hooks: Hooks::new(),
            on_drop: Stop::Immediate,
            #[cfg(feature = "platform")]
            core: None,
        }
    }

    /// A consumer of `subscriber` with no options.
    ///
    /// # Panics
    /// When the operating system gives no thread; [`ConsumerBuilder::spawn`] returns that as an error.
    pub fn spawn<T, F, H, R>(subscriber: F, handler: H) -> Self
    where
        F: Feed<T>,
        H: FnMut(&T, Delivery) -> R + Send + 'static,
        R: Into<Flow>,
    {
        let spawned = Self::builder().spawn(subscriber, handler);
        spawned.unwrap_or_else(|error| panic!("no thread for a consumer: {error}"))
    }
}

impl ConsumerBuilder {
    /// The name of the thread, of reports and of errors.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The core that the thread stays on. Where that cannot be had it runs where it may, and the report says why.
    #[cfg(feature = "platform")]
    pub const fn pin(mut self, core: CoreId) -> Self {
        self.core = Some(core);
        self
    }

    /// How it waits, if not as its ring does.
    pub fn wait(mut self, strategy: impl Strategy + Send + 'static) -> Self {
        self.hooks.strategy = Some(Box::new(strategy));
        self
    }

    /// The most messages in a batch, at least 1. Without a limit a batch is all that was there, which is up to a whole ring.
    ///
    /// A batch holds nothing back: each message is given back when the handler has returned from it, so the publisher, and
    /// those who come after, go on during a batch. The limit says how often [`Delivery::end_of_batch`] is set, and
    /// `on_batch_start` called, under load.
    pub fn batch_limit(mut self, messages: usize) -> Self {
        self.hooks.batch_limit = messages.max(1) as u64;
        self
    }

    /// Is called before the first message of each batch, with the number of messages in it, and the number of messages that
    /// were published and not read, which may be more.
    pub fn on_batch_start(mut self, call: impl FnMut(u64, u64) + Send + 'static) -> Self {
        self.hooks.on_batch_start = Some(Box::new(call));
        self
    }

    /// Is called when nothing is there, before the consumer waits: once for each wait.
    pub fn on_idle(mut self, call: impl FnMut() + Send + 'static) -> Self {
        self.hooks.on_idle = Some(Box::new(call));
        self
    }

    /// Is called when messages were overwritten before they were read, with their number. Lossy subscribers only.
    pub fn on_lag(mut self, call: impl FnMut(u64) + Send + 'static) -> Self {
        self.hooks.on_lag = Some(Box::new(call));
        self
    }

    /// What becomes of it when the handler panics.
    pub const fn on_panic(mut self, policy: PanicPolicy) -> Self {
        self.hooks.panics = policy;
        self
    }

    /// How it is stopped when its handle is dropped; [`Stop::Immediate`] if not said. The drop then waits for the thread, so
    /// with [`Stop::Drain`] it waits until every message was handled that was published before.
    pub const fn on_drop(mut self, stop: Stop) -> Self {
        self.on_drop = stop;
        self
    }

    /// Starts the thread, which hands each message of `subscriber` to `handler`. That returns nothing, or a [`Flow`].
    ///
    /// Messages that are published from now on, also before the thread runs, are not missed: they are
    /// the subscriber's already.
    ///
    /// # Errors
    /// When the operating system gives no thread; the subscriber and the handler are dropped then.
    ///
    /// # Panics
    /// When the name holds a zero byte.
    pub fn spawn<T, F, H, R>(self, subscriber: F, mut handler: H) -> io::Result<Consumer>
    where
        F: Feed<T>,
        H: FnMut(&T, Delivery) -> R + Send + 'static,
        R: Into<Flow>,
    {
        let handler = move |message: &T, delivery| Verdict::Done(handler(message, delivery).into());
        let parts = Parts {
            control: self.control(&subscriber, None),
            upstreams: Vec::new(),
            at_end: None,
        };
        self.start(subscriber, handler, parts)
    }

    pub(crate) fn is_named(&self) -> bool {
        self.name.is_some()
    }

    /// What a consumer of `feed` shares with others.
    pub(crate) fn control<T, F: Feed<T>>(
        &self,
        feed: &F,
        writes: Option<KeptRing>,
    ) -> Arc<Control> {
        let name = self.name.clone().unwrap_or_else(|| UNNAMED.into());
        Control::new(name, feed.next(), feed.ring(), writes)
    }

    /// [`spawn`](Self::spawn), of one that others may depend on.
    pub(crate) fn start<T, F, H>(self, feed: F, handler: H, parts: Parts) -> io::Result<Consumer>
    where
        F: Feed<T>,
        H: FnMut(&T, Delivery) -> Verdict + Send + 'static,
    {
        let Parts {
            control,
            upstreams,
            at_end,
        } = parts;
        let name = control.name().into();
        #[cfg(feature = "platform")]
        let core = self.core;
        let worker = Worker {
            feed,
            handler,
            hooks: self.hooks,
            control: Arc::clone(&control),
            upstreams,
            panics: 0,
            gave_up: false,
        };
        let thread = thread::Builder::new().name(name).spawn(move || {
            #[cfg(feature = "platform")]
            let unpinned = core.and_then(|core| pin_current_thread(core).err());
            let report = live(worker, at_end);
            #[cfg(feature = "platform")]
            let report = Report { unpinned, ..report };
            report
        })?;
        Ok(Consumer::new(control, thread, self.on_drop))
    }
}
