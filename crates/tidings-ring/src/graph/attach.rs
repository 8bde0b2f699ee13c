//! How a node joins a graph.

use super::{error::AttachError, handle::Graph, node::Node, ring::GraphRing};
use crate::{
    consumer::{Consumer, ConsumerBuilder, Delivery, Flow, Parts, Verdict},
    upstream::Upstream,
};
use alloc::{string::String, vec::Vec};
use core::fmt;
use tidings_core::sync::Arc;

/// Says what a node comes after, and how it runs; see [`Graph::node`].
#[must_use = "a node joins the graph by `spawn`"]
pub struct NodeBuilder<'a, S: GraphRing> {
    graph: &'a mut Graph<S>,
    upstreams: Vec<Node>,
    consumer: ConsumerBuilder,
    name: String,
}

impl<S: GraphRing> Graph<S> {
    /// A node of that name, which joins the graph by [`spawn`](NodeBuilder::spawn). It may join at any time.
    pub fn node(&mut self, name: impl Into<String>) -> NodeBuilder<'_, S> {
        NodeBuilder {
            graph: self,
            upstreams: Vec::new(),
            consumer: Consumer::builder(),
            name: name.into(),
        }
    }
}

impl<S: GraphRing> NodeBuilder<'_, S> {
    /// The node handles a message when each of these has done with it. One that has left is not waited for.
    pub fn after(mut self, nodes: &[&Node]) -> Self {
        self.upstreams.extend(nodes.iter().copied().cloned());
        self
    }

    /// How the node runs: what a builder of consumers says, but for its name and what it does when it is dropped, which are the
    /// graph's to say.
    pub fn with(mut self, consumer: ConsumerBuilder) -> Self {
        self.consumer = consumer;
        self
    }

    /// Starts the node. It sees every message that is published from now on.
    ///
    /// # Errors
    /// [`AttachError`]; the handler is dropped then.
    ///
    /// # Panics
    /// When the name holds a zero byte.
    pub fn spawn<H, R>(self, mut handler: H) -> Result<Node, AttachError>
    where
        H: FnMut(&S::Message, Delivery) -> R + Send + 'static,
        R: Into<Flow>,
    {
        let Self {
            graph,
            upstreams,
            consumer,
            name,
        } = self;
        graph.admit(&name)?;
        let places: Vec<Upstream> = upstreams.iter().map(|node| node.upstream.clone()).collect();
        let subscriber = graph.ring.open(&places)?;
        let upstream = S::upstream(&subscriber);
        let consumer = consumer.name(name);
        let control = consumer.control(&subscriber, None);
        let parts = Parts {
            control: Arc::clone(&control),
            upstreams: upstreams.into_iter().map(|node| node.control).collect(),
            at_end: None,
        };
        let handler =
            move |message: &S::Message, delivery| Verdict::Done(handler(message, delivery).into());
        let consumer = consumer
            .start(subscriber, handler, parts)
            .map_err(AttachError::Spawn)?;
        graph.nodes.push(consumer);
        Ok(Node { upstream, control })
    }
}

impl<S: GraphRing> fmt::Debug for NodeBuilder<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NodeBuilder")
            .field("name", &self.name)
            .field("after", &self.upstreams)
            .finish_non_exhaustive()
    }
}
