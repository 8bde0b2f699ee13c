//! Consumers, graphs, pipelines: which of their handles cross threads, are cloned, and what they print.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

use std::cell::Cell;
use std::error::Error;
use std::fmt::Debug;
use tidings_ring::{
    Consumer, EventSubscribable, Graph, Pipeline, channel_bounded,
    consumer::{
        ConsumerBuilder, Delivery, Flow, Halted, JoinTimeoutError, Outcome, PanicPolicy, Report,
        Reports, Stop,
    },
    event_channel,
    graph::{AttachError, Node, NodeBuilder},
    pipeline::{
        Computed, Input, InputClosed, InputFuture, InputTimeoutError, Item, PipelineBuilder,
        PipelineError, Prepared, Raw, Stage, TryInputError,
    },
};

type Ring = EventSubscribable<String>;

fn shared<T: Send + Sync + Unpin + Debug + 'static>() {}
fn sent<T: Send + Unpin + Debug>() {}
fn cloned<T: Clone>() {}
fn error<T: Error + Send + Sync>() {}

#[test]
fn handles_cross_threads_and_are_shared() {
    shared::<Consumer>();
    shared::<Graph<Ring>>();
    shared::<Node>();
    shared::<Pipeline>();
    shared::<PipelineBuilder>();
    shared::<Input<String>>();
    shared::<Item<String>>();
    shared::<InputFuture<'static, String>>();
}

/// They hold closures that need not be shared.
#[test]
fn what_is_not_started_yet_crosses_threads() {
    sent::<ConsumerBuilder>();
    sent::<NodeBuilder<'static, Ring>>();
    sent::<Stage<String, Raw>>();
    sent::<Stage<String, Computed>>();
    sent::<Prepared<String>>();
}

#[test]
fn only_what_may_be_shared_is_cloned() {
    cloned::<Node>();
    cloned::<Input<Cell<u8>>>();
    cloned::<PipelineBuilder>();
    cloned::<Reports>();
    cloned::<(Delivery, Flow, Outcome, PanicPolicy, Report, Stop)>();
}

#[test]
fn errors_are_errors_whatever_they_hold() {
    error::<Halted>();
    error::<Halted<Reports>>();
    error::<JoinTimeoutError<Consumer>>();
    error::<JoinTimeoutError<Graph<Ring>, Reports>>();
    error::<JoinTimeoutError<Pipeline, Reports>>();
    error::<AttachError>();
    error::<PipelineError>();
    error::<InputClosed<String>>();
    error::<TryInputError<String>>();
    error::<InputTimeoutError<String>>();
}

#[test]
fn errors_say_what_happened() {
    let closed = "the pipeline accepts nothing any more";
    assert_eq!(InputClosed(1).to_string(), closed);
    assert_eq!(TryInputError::Closed(1).to_string(), closed);
    assert_eq!(InputTimeoutError::Closed(1).to_string(), closed);
    assert!(TryInputError::Full(1).to_string().contains("full"));
    assert!(
        InputTimeoutError::Timeout(1)
            .to_string()
            .contains("deadline")
    );
    assert_eq!(format!("{:?}", TryInputError::Full("secret")), "Full(..)");
    assert_eq!(
        PipelineError::OpenEnds(2).to_string(),
        "2 stages lead nowhere"
    );
    assert_eq!(TryInputError::Full(7).into_inner(), 7);
}

#[test]
fn handles_say_what_they_are() {
    let (publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let builder = Consumer::builder().name("scribe");
    let consumer = builder.spawn(subscribable.subscribe(), |_: &u64, _| ());
    let text = format!("{:?}", consumer.unwrap());
    assert!(
        text.contains("scribe") && text.contains("cursor: 0"),
        "{text}"
    );
    drop(publisher);

    let (_publisher, subscribable) = event_channel(4, String::new);
    let mut graph = Graph::new(subscribable);
    let node = graph.node("scribe").spawn(|_: &String, _| ()).unwrap();
    assert_eq!((node.name(), node.cursor(), node.left()), ("scribe", 0, 0));
    let texts = [
        format!("{node:?}"),
        format!("{graph:?}"),
        format!("{:?}", graph.node("x")),
    ];
    assert!(
        texts[..2].iter().all(|text| text.contains("scribe")),
        "{texts:?}"
    );

    let (input, stage) = Pipeline::builder().input::<u64>();
    let texts = [format!("{input:?}"), format!("{stage:?}")];
    assert!(texts[0].contains("capacity: 1024"), "{texts:?}");
    let (mut output, pipeline) = stage.named("scribe").then(|n| *n).build().unwrap();
    assert!(format!("{pipeline:?}").contains("scribe"));
    input.publish(7).unwrap();
    let item = output.recv_ref().unwrap();
    assert_eq!(
        (format!("{item:?}"), item.to_string()),
        ("7".into(), "7".into())
    );
}
