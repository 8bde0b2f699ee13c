//! A pipeline under construction: what messages come from, and what they go through next.

use super::{
    builder::PipelineBuilder,
    door::Door,
    error::PipelineError,
    handle::Pipeline,
    input::Input,
    item::Item,
    link::{Link, Seat, Writer},
    outlet::Outlet,
    plan::OpenEnd,
};
use crate::{
    builder::Builder,
    consumer::{Consumer, ConsumerBuilder, Control, Delivery, Flow, Parts, Verdict},
    event::EventSubscriber,
};
use alloc::{boxed::Box, string::String, vec, vec::Vec};
use core::{fmt, marker::PhantomData};
use tidings_core::sync::Arc;

/// The kind of a [`Stage`] that reads what others made: an input, or a branch of a [`split`](Stage::split).
#[derive(Clone, Copy, Debug)]
pub enum Raw {}

/// The kind of a [`Stage`] that makes its messages, whose ring others can share: see [`merge`](Stage::merge).
#[derive(Clone, Copy, Debug)]
pub enum Computed {}

/// The messages that come out of a pipeline so far, to be led on: to a further stage, several branches, a sink, an output.
///
/// It is a subscription: it misses nothing, and holds up what comes before it. So each one must lead somewhere when the
/// pipeline is built, or be dropped.
///
/// # Panics
/// Methods that make a ring panic when its capacity is 0, or there is no memory for it.
#[must_use = "a stage that is dropped gets no messages"]
pub struct Stage<T: 'static, K = Computed> {
    source: Source<T>,
    site: Site,
    kind: PhantomData<fn() -> K>,
}

/// A [`Stage`] and how the thread of its next stage is to run; see [`Stage::with`].
#[must_use = "it does nothing before its stage is named"]
pub struct Prepared<T: 'static, K = Computed> {
    stage: Stage<T, K>,
    options: ConsumerBuilder,
}

/// What is the same for all stages of a pipeline, but for the capacity of the rings to come.
struct Site {
    builder: PipelineBuilder,
    open: OpenEnd,
}

/// Where messages come from.
enum Source<T: 'static> {
    /// A ring that is there.
    Ring(Reader<T>),
    /// One that is still to be made, by whoever reads it, for those who publish into it.
    Made(Vec<Maker<T>>),
}

/// A subscriber of a ring of the pipeline.
struct Reader<T: 'static> {
    // Left before the subscriber (I2 of link.rs).
    seat: Seat,
    feed: EventSubscriber<Item<T>>,
}

/// A stage that waits for a ring to publish into.
type Maker<T> = Box<dyn FnOnce(Outlet<T>) -> Arc<Control> + Send>;

impl PipelineBuilder {
    /// An input for messages of type `T`, and what comes out of it. Inputs may be cloned, and there may be several.
    ///
    /// Messages may be handed in at once; what is handed in before the pipeline is built waits in the first ring.
    ///
    /// # Panics
    /// When the capacity is 0, or there is no memory for the ring.
    pub fn input<T: Send + Sync + 'static>(&self) -> (Input<T>, Stage<T, Raw>) {
        let built = self.ring().in_place_mpmc(Item::none);
        let (publisher, subscribable) = built.unwrap_or_else(|error| panic!("{error}"));
        let door = Door::new(Arc::clone(&publisher.many.ring));
        self.plan.add_door(Arc::clone(&door));
        let link = Link::new(vec![Writer::Input(Arc::clone(&door))]);
        let reader = Reader {
            seat: Seat::new(&link),
            feed: subscribable.subscribe(),
        };
        let site = Site::new(self.clone());
        let stage = Stage::new(Source::Ring(reader), site);
        (Input::new(publisher, door), stage)
    }
}

impl Site {
    fn new(builder: PipelineBuilder) -> Self {
        let open = builder.plan.open_end();
        Self { builder, open }
    }

    /// That of another open end.
    fn again(&self) -> Self {
        Self::new(self.builder.clone())
    }
}

impl<T: Send + Sync + 'static> Source<T> {
    /// The reader of its ring, which is made if it is not there.
    fn read(self, ring: &Builder) -> Reader<T> {
        let makers = match self {
            Self::Ring(reader) => return reader,
            Self::Made(makers) => makers,
        };
        let (feed, writers) = if makers.len() == 1 {
            let built = ring.in_place(Item::none);
            let (publisher, subscribable) = built.unwrap_or_else(|error| panic!("{error}"));
            let mut outlet = Some(Outlet::one(publisher));
            let outlets = core::iter::from_fn(|| outlet.take());
            (subscribable.subscribe(), connect(makers, outlets))
        } else {
            let built = ring.in_place_mpmc(Item::none);
            let (publisher, subscribable) = built.unwrap_or_else(|error| panic!("{error}"));
            let outlets = core::iter::repeat_with(|| Outlet::of_many(publisher.clone()));
            (subscribable.subscribe(), connect(makers, outlets))
        };
        let link = Link::new(writers);
        let seat = Seat::new(&link);
        Reader { seat, feed }
    }
}

/// Gives each stage that waits for an outlet one.
fn connect<T>(makers: Vec<Maker<T>>, outlets: impl Iterator<Item = Outlet<T>>) -> Vec<Writer> {
    let pairs = makers.into_iter().zip(outlets);
    pairs
        .map(|(maker, outlet)| Writer::Stage(maker(outlet)))
        .collect()
}

impl<T: Send + Sync + 'static, K> Stage<T, K> {
    fn new(source: Source<T>, site: Site) -> Self {
        Self {
            source,
            site,
            kind: PhantomData,
        }
    }

    /// The capacity of the rings from here on, if not that of the builder.
    pub fn capacity(mut self, messages: usize) -> Self {
        self.site.builder = self.site.builder.capacity(messages);
        self
    }

    /// How the thread of the next stage runs: its name, how it waits, what becomes of a panic. What the builder says of a drop
    /// does not count here.
    pub fn with(self, options: ConsumerBuilder) -> Prepared<T, K> {
        Prepared {
            stage: self,
            options,
        }
    }

    /// Names the stage that comes next, for [`with`](Self::with) where nothing else is to be said.
    pub fn named(self, name: impl Into<String>) -> Prepared<T, K> {
        self.with(Consumer::builder().name(name))
    }

    /// A stage that makes a message of each.
    pub fn then<U, F>(self, make: F) -> Stage<U>
    where
        U: Send + Sync + 'static,
        F: FnMut(&T) -> U + Send + 'static,
    {
        self.with(Consumer::builder()).then(make)
    }

    /// A stage that makes a message of some, and drops the others.
    pub fn filter_map<U, F>(self, make: F) -> Stage<U>
    where
        U: Send + Sync + 'static,
        F: FnMut(&T) -> Option<U> + Send + 'static,
    {
        self.with(Consumer::builder()).filter_map(make)
    }

    /// A last stage. The builder it gives back builds the pipeline, if this was its last open end.
    pub fn sink<F>(self, take: F) -> PipelineBuilder
    where
        F: FnMut(&T) + Send + 'static,
    {
        self.with(Consumer::builder()).sink(take)
    }

    /// Two stages that each make a message of every message, and go on as two branches.
    ///
    /// # Examples
    /// ```
    /// let (input, numbers) = tidings_ring::Pipeline::builder().input::<u32>();
    /// let (halves, squares) = numbers.fan_out(|n| n / 2, |n| n * n);
    /// let halves = halves.output();
    /// let (mut squares, pipeline) = squares.build()?;
    /// let mut halves = halves;
    /// input.publish(8)?;
    /// assert_eq!((**halves.recv_ref()?, **squares.recv_ref()?), (4, 64));
    /// drop(input);
    /// pipeline.join()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fan_out<A, B, F, G>(self, left: F, right: G) -> (Stage<A>, Stage<B>)
    where
        A: Send + Sync + 'static,
        B: Send + Sync + 'static,
        F: FnMut(&T) -> A + Send + 'static,
        G: FnMut(&T) -> B + Send + 'static,
    {
        let [a, b] = self.split();
        (a.then(left), b.then(right))
    }

    /// `N` branches, each of which gets every message. A branch needs a stage (`then`) before it can be merged.
    pub fn split<const N: usize>(self) -> [Stage<T, Raw>; N] {
        const { assert!(N > 0, "messages have to go somewhere") }
        let Self { source, site, .. } = self;
        let reader = source.read(&site.builder.ring());
        core::array::from_fn(|_| {
            // A twin stands where its model does, and that has read nothing.
            let twin = Reader {
                seat: reader.seat.twin(),
                feed: reader.feed.resubscribe(),
            };
            Stage::new(Source::Ring(twin), site.again())
        })
    }

    /// An output: a gating subscriber of what comes out here. While it lives and is not read it holds the pipeline up; when it
    /// is dropped, the messages are too.
    pub fn output(self) -> EventSubscriber<Item<T>> {
        let Self { source, site, .. } = self;
        let Reader { seat, feed } = source.read(&site.builder.ring());
        seat.keep();
        feed
    }

    /// The output, and the pipeline, whose threads start.
    ///
    /// # Errors
    /// As [`PipelineBuilder::build`].
    pub fn build(self) -> Result<(EventSubscriber<Item<T>>, Pipeline), PipelineError> {
        let builder = self.site.builder.clone();
        let output = self.output();
        Ok((output, builder.build()?))
    }
}

impl<T: Send + Sync + 'static> Stage<T, Computed> {
    /// Both branches in one: what either makes goes into the same ring. Each keeps its order; what comes first between them is
    /// not said. For more branches say it again. What the branches make of one message is not paired: who needs both results at
    /// once uses a [`Graph`](crate::Graph), or subscribes [after](crate::Subscribable::subscribe_after) both.
    ///
    /// # Panics
    /// When the other is a stage of another pipeline.
    ///
    /// # Examples
    /// ```
    /// let (input, numbers) = tidings_ring::Pipeline::builder().input::<u32>();
    /// let (odd, even) = numbers.fan_out(|n| n * 2 + 1, |n| n * 2);
    /// let (mut output, pipeline) = odd.merge(even).build()?;
    /// input.publish(4)?;
    /// let first = **output.recv_ref()?;
    /// let second = **output.recv_ref()?;
    /// assert_eq!([first.min(second), first.max(second)], [8, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(self, other: Self) -> Self {
        assert!(
            self.site.builder.plan.is_same(&other.site.builder.plan),
            "stages of two pipelines cannot be merged"
        );
        let Self { source, site, .. } = self;
        let source = match (source, other.source) {
            (Source::Made(mut makers), Source::Made(more)) => {
                makers.extend(more);
                Source::Made(makers)
            }
            _ => unreachable!("the ring of a computed stage is not there yet"),
        };
        Self::new(source, site)
    }
}

impl<T: Send + Sync + 'static, K> Prepared<T, K> {
    /// As [`Stage::then`].
    pub fn then<U, F>(self, mut make: F) -> Stage<U>
    where
        U: Send + Sync + 'static,
        F: FnMut(&T) -> U + Send + 'static,
    {
        self.filter_map(move |message| Some(make(message)))
    }

    /// As [`Stage::filter_map`].
    pub fn filter_map<U, F>(self, mut make: F) -> Stage<U>
    where
        U: Send + Sync + 'static,
        F: FnMut(&T) -> Option<U> + Send + 'static,
    {
        let (reader, site, options) = self.open();
        let plan = site.builder.plan.clone();
        let maker = move |mut outlet: Outlet<U>| {
            let control = options.control(&reader.feed, Some(outlet.ring()));
            let own = Arc::clone(&control);
            let handler = move |item: &Item<T>, _: Delivery| {
                outlet.clear();
                match make(item) {
                    Some(message) => outlet.put(message, &own),
                    None => Verdict::Done(Flow::Continue),
                }
            };
            plan.add_stage(reader.start(options, Arc::clone(&control), handler));
            control
        };
        Stage::new(Source::Made(vec![Box::new(maker)]), site)
    }

    /// As [`Stage::sink`].
    pub fn sink<F>(self, mut take: F) -> PipelineBuilder
    where
        F: FnMut(&T) + Send + 'static,
    {
        let (reader, site, options) = self.open();
        let control = options.control(&reader.feed, None);
        let handler = move |item: &Item<T>, _: Delivery| {
            take(item);
            Verdict::Done(Flow::Continue)
        };
        let Site { builder, open } = site;
        builder
            .plan
            .add_stage(reader.start(options, control, handler));
        drop(open);
        builder
    }

    /// The reader of the next stage, and options with a name.
    fn open(self) -> (Reader<T>, Site, ConsumerBuilder) {
        let Self { stage, mut options } = self;
        let Stage { source, site, .. } = stage;
        let reader = source.read(&site.builder.ring());
        if !options.is_named() {
            options = options.name(site.builder.plan.next_name());
        }
        (reader, site, options)
    }
}

impl<T: Send + Sync + 'static> Reader<T> {
    /// What starts a stage that reads here.
    fn start(
        self,
        options: ConsumerBuilder,
        control: Arc<Control>,
        handler: impl FnMut(&Item<T>, Delivery) -> Verdict + Send + 'static,
    ) -> super::plan::Start {
        let Self { seat, feed } = self;
        let parts = Parts {
            control,
            upstreams: Vec::new(),
            at_end: Some(Box::new(move |blame| seat.leave(blame))),
        };
        Box::new(move || options.start(feed, handler, parts))
    }
}

impl<T, K> fmt::Debug for Stage<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage").finish_non_exhaustive()
    }
}

impl<T, K> fmt::Debug for Prepared<T, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
