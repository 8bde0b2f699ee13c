//! Graphs: the order of nodes, joining and leaving while messages flow, ends, and what a panic does to those after it.
#![cfg(all(feature = "std", not(any(loom, shuttle))))]

#[path = "support/held.rs"]
mod support;

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::*},
        mpsc::{Receiver, Sender, channel as queue},
    },
    time::Instant,
};
use support::GUARD;
use tidings_ring::{
    Consumer, EventPublisher, EventSubscribable, Graph, channel_bounded,
    consumer::{Delivery, JoinTimeoutError, Outcome, PanicPolicy, Stop},
    event_channel,
    graph::{AttachError, GraphRing, Node},
};

/// As many messages as a test sends through at length.
const MANY: u64 = support::MANY as u64;

fn ring(capacity: usize) -> (EventPublisher<u64>, EventSubscribable<u64>) {
    event_channel(capacity, || 0)
}

/// How far a node has come: the message it handles next.
type Progress = Arc<AtomicU64>;

/// A handler that says how far it is, and sees that those before it have come as far, and that nothing is left out.
fn follows(before: &[&Progress]) -> (Progress, impl FnMut(&u64, Delivery) + Send + 'static) {
    let (own, says) = (Progress::default(), Progress::default());
    let before: Vec<_> = before.iter().map(|other| Arc::clone(other)).collect();
    let done = Arc::clone(&own);
    let handler = move |n: &u64, _: Delivery| {
        assert_eq!(says.fetch_add(1, Relaxed), *n);
        // Relaxed: what a node did happens before those after it see the message.
        assert!(before.iter().all(|other| other.load(Relaxed) > *n));
        own.store(n + 1, Relaxed);
    };
    (done, handler)
}

fn publish(publisher: &mut EventPublisher<u64>, messages: std::ops::Range<u64>) {
    messages.for_each(|n| publisher.publish(|value| *value = n));
}

#[test]
fn a_message_goes_through_a_diamond_in_order() {
    let (mut publisher, subscribable) = ring(8);
    let mut graph = Graph::new(subscribable);
    let (a, first) = follows(&[]);
    let (b, left) = follows(&[&a]);
    let (c, right) = follows(&[&a]);
    let (_, last) = follows(&[&a, &b, &c]);
    let a = graph.node("a").spawn(first).unwrap();
    let b = graph.node("b").after(&[&a]).spawn(left).unwrap();
    let c = graph.node("c").after(&[&a]).spawn(right).unwrap();
    graph.node("d").after(&[&b, &c]).spawn(last).unwrap();
    publish(&mut publisher, 0..MANY);
    drop(publisher);
    let reports = graph.join().unwrap();
    assert_eq!(reports.len(), 4);
    assert!(reports.iter().all(|report| report.received == MANY));
    assert!(
        reports
            .iter()
            .all(|report| report.outcome == Outcome::Closed)
    );
}

#[test]
fn plain_data_goes_through_a_graph_too() {
    let (mut publisher, subscribable) = channel_bounded::<u64>(4, 0);
    let mut graph = Graph::new(subscribable);
    let (a, first) = follows(&[]);
    let (_, second) = follows(&[&a]);
    let a = graph.node("a").spawn(first).unwrap();
    graph.node("b").after(&[&a]).spawn(second).unwrap();
    (0..MANY).for_each(|n| publisher.publish(n));
    drop(publisher);
    graph.join().unwrap();
}

/// A node of that name that says which message it begins, and goes on when it is let go.
fn held<S: GraphRing<Message = u64>>(
    graph: &mut Graph<S>,
    name: &str,
    after: &[&Node],
) -> (Node, Receiver<u64>, Sender<()>) {
    let ((says, began), (go, goes)) = (queue(), queue());
    let node = graph.node(name).after(after).spawn(move |n: &u64, _| {
        says.send(*n).unwrap();
        let _ = goes.recv();
    });
    (node.unwrap(), began, go)
}

#[test]
fn a_node_waits_for_the_slowest_of_those_before_it() {
    let (mut publisher, subscribable) = ring(8);
    let mut graph = Graph::new(subscribable);
    let (slow, began, go) = held(&mut graph, "slow", &[]);
    let fast = graph.node("fast").spawn(|_: &u64, _| ()).unwrap();
    let (says, joined) = queue();
    let join = graph.node("join").after(&[&slow, &fast]);
    join.spawn(move |n: &u64, _| says.send(*n).unwrap())
        .unwrap();
    publish(&mut publisher, 0..3);
    for n in 0..3 {
        assert_eq!(began.recv(), Ok(n));
        assert!(joined.try_recv().is_err());
        go.send(()).unwrap();
        assert_eq!(joined.recv(), Ok(n));
    }
}

#[test]
fn only_the_last_nodes_hold_the_publisher_back() {
    let (mut publisher, subscribable) = ring(2);
    let mut graph = Graph::new(subscribable);
    let first = graph.node("first").spawn(|_: &u64, _| ()).unwrap();
    let (last, began, go) = held(&mut graph, "last", &[&first]);
    publish(&mut publisher, 0..2);
    assert_eq!(began.recv(), Ok(0));
    while first.left() > 0 {
        std::thread::yield_now();
    }
    assert!(
        publisher.try_publish(|_| ()).is_err(),
        "the last one has it"
    );
    drop(go);
    graph.detach(&last).unwrap();
    publish(&mut publisher, 2..20);
    drop(publisher);
    assert_eq!(graph.join().unwrap().get("first").unwrap().received, 20);
}

#[test]
fn names_are_unique_and_free_again_when_their_node_is_detached() {
    let (_publisher, subscribable) = ring(2);
    let mut graph = Graph::new(subscribable);
    let node = graph.node("twice").spawn(|_: &u64, _| ()).unwrap();
    let again = graph.node("twice").spawn(|_: &u64, _| ()).unwrap_err();
    assert!(matches!(&again, AttachError::NameTaken { name } if name == "twice"));
    assert!(again.to_string().contains("`twice`"));
    assert_eq!(graph.node_count(), 1);
    assert!(graph.detach(&node).is_some());
    assert!(graph.detach(&node).is_none());
    graph.node("twice").spawn(|_: &u64, _| ()).unwrap();
}

#[test]
fn a_node_of_another_ring_cannot_be_come_after() {
    let (_publisher, subscribable) = ring(2);
    let (_other, elsewhere) = ring(2);
    let mut strangers = Graph::new(elsewhere);
    let stranger = strangers.node("stranger").spawn(|_: &u64, _| ()).unwrap();
    let mut graph = Graph::new(subscribable);
    let refused = graph
        .node("node")
        .after(&[&stranger])
        .spawn(|_: &u64, _| ());
    assert!(matches!(refused, Err(AttachError::OtherRing)));
    assert_eq!(graph.node_count(), 0);
}

#[test]
fn b16_nodes_that_come_and_go_under_traffic_see_an_unbroken_run() {
    let (mut publisher, subscribable) = ring(16);
    let published = subscribable.clone();
    let mut graph = Graph::new(subscribable);
    let (progress, handler) = follows(&[]);
    let root = graph.node("root").spawn(handler).unwrap();
    let publisher = std::thread::spawn(move || {
        publish(&mut publisher, 0..6 * MANY);
    });
    let mut visits = 0;
    while !published.is_closed() {
        let (seen, progress) = (Arc::<Mutex<Vec<u64>>>::default(), Arc::clone(&progress));
        let list = Arc::clone(&seen);
        let visitor = graph.node("visitor").after(&[&root]);
        let visitor = visitor.spawn(move |n: &u64, _| {
            assert!(progress.load(Relaxed) > *n);
            list.lock().unwrap().push(*n);
        });
        std::thread::yield_now();
        let report = graph.detach(&visitor.unwrap()).unwrap();
        assert!(report.outcome.is_healthy(), "{report}");
        let seen = seen.lock().unwrap();
        assert_eq!(report.received, seen.len() as u64);
        assert!(seen.windows(2).all(|pair| pair[1] == pair[0] + 1));
        visits += 1;
    }
    publisher.join().unwrap();
    assert!(visits > 0);
    assert_eq!(
        graph.join().unwrap().get("root").unwrap().received,
        6 * MANY
    );
}

#[test]
fn those_after_a_node_go_on_when_it_is_detached() {
    let (mut publisher, subscribable) = ring(8);
    let mut graph = Graph::new(subscribable);
    let (middle, began, go) = held(&mut graph, "middle", &[]);
    let (says, heard) = queue();
    let last = graph.node("last").after(&[&middle]);
    last.spawn(move |n: &u64, _| says.send(*n).unwrap())
        .unwrap();
    publish(&mut publisher, 0..4);
    assert_eq!(began.recv(), Ok(0));
    drop(go);
    let report = graph.detach(&middle).unwrap();
    assert_eq!(report.outcome, Outcome::ShutDown);
    publish(&mut publisher, 4..30);
    drop(publisher);
    graph.join().unwrap();
    assert!(heard.iter().eq(0..30));
}

/// A chain of three of which the first panics at message 5, under a policy; what the last one saw, and the reports.
fn panics_at_five(policy: PanicPolicy) -> (Vec<u64>, tidings_ring::consumer::Reports) {
    let (mut publisher, subscribable) = ring(4);
    let mut graph = Graph::new(subscribable);
    let options = Consumer::builder().on_panic(policy);
    let first = graph.node("first").with(options);
    let first = first.spawn(|n: &u64, _| assert_ne!(*n, 5, "five is right out"));
    let second = graph.node("second").after(&[&first.unwrap()]);
    let second = second.spawn(|_: &u64, _| ()).unwrap();
    let (says, heard) = queue();
    let third = graph.node("third").after(&[&second]);
    third
        .spawn(move |n: &u64, _| says.send(*n).unwrap())
        .unwrap();
    publish(&mut publisher, 0..20);
    drop(publisher);
    let halted = graph.join().unwrap_err();
    assert!(halted.to_string().contains("five is right out"), "{halted}");
    (heard.iter().collect(), halted.into_report())
}

#[test]
fn those_after_a_node_that_panics_finish_what_it_had_done_and_name_it() {
    let (heard, reports) = panics_at_five(PanicPolicy::Halt);
    assert_eq!(heard, [0, 1, 2, 3, 4]);
    let name = || "first".to_owned();
    for after in ["second", "third"] {
        let report = reports.get(after).unwrap();
        assert_eq!(report.outcome, Outcome::HaltedBy { name: name() });
        assert_eq!(report.received, 5);
    }
    assert_eq!(reports.panicked().unwrap().name, name());
}

#[test]
fn those_after_a_node_that_is_detached_by_its_panic_go_on() {
    let (heard, reports) = panics_at_five(PanicPolicy::Detach);
    assert!(heard.iter().copied().eq(0..20));
    assert_eq!(reports.get("third").unwrap().outcome, Outcome::Closed);
    assert!(!reports.is_healthy());
}

#[test]
fn a_join_finishes_the_other_branch_up_to_the_panic() {
    let (mut publisher, subscribable) = ring(16);
    let mut graph = Graph::new(subscribable);
    let (slow, began, go) = held(&mut graph, "slow", &[]);
    let panics = graph.node("panics").spawn(|n: &u64, _| assert_ne!(*n, 3));
    let panics = panics.unwrap();
    let (says, heard) = queue();
    let join = graph.node("join").after(&[&slow, &panics]);
    join.spawn(move |n: &u64, _| says.send(*n).unwrap())
        .unwrap();
    publish(&mut publisher, 0..8);
    while !panics.is_finished() {
        std::thread::yield_now();
    }
    assert_eq!(began.recv(), Ok(0));
    assert!(heard.try_recv().is_err());
    drop((go, publisher));
    assert!(heard.iter().eq(0..3));
    let reports = graph.join().unwrap_err().into_report();
    assert_eq!(reports.get("slow").unwrap().received, 8);
}

#[test]
fn a_node_that_joins_after_one_that_panicked_ends_at_once() {
    let (mut publisher, subscribable) = ring(4);
    let mut graph = Graph::new(subscribable);
    let ill = graph.node("ill").spawn(|n: &u64, _| assert_ne!(*n, 0));
    let ill = ill.unwrap();
    publish(&mut publisher, 0..10);
    while !ill.is_finished() {
        std::thread::yield_now();
    }
    assert!(!graph.is_healthy());
    let late = graph.node("late").after(&[&ill]).spawn(|_: &u64, _| ());
    let reports = graph.join().unwrap_err().into_report();
    assert!(late.is_ok());
    let outcome = Outcome::HaltedBy { name: "ill".into() };
    assert_eq!(reports.get("late").unwrap().outcome, outcome);
}

#[test]
fn draining_ends_every_node_at_the_same_message() {
    let (mut publisher, subscribable) = ring(8);
    let mut graph = Graph::new(subscribable);
    let (first, began, go) = held(&mut graph, "first", &[]);
    let second = graph.node("second").after(&[&first]);
    second.spawn(|_: &u64, _| ()).unwrap();
    publish(&mut publisher, 0..5);
    assert_eq!(began.recv(), Ok(0));
    graph.shutdown(Stop::Drain);
    publish(&mut publisher, 5..8);
    let refused = graph.node("late").spawn(|_: &u64, _| ());
    assert!(matches!(refused, Err(AttachError::ShutDown)));
    drop(go);
    let reports = graph.join().unwrap();
    assert!(reports.iter().all(|report| report.received == 5));
    assert!(reports.iter().all(|report| report.left == 3));
}

#[test]
fn an_immediate_shutdown_lets_no_node_pass_one_before_it() {
    for _ in 0..MANY / 15 {
        let (mut publisher, subscribable) = ring(4);
        let mut graph = Graph::new(subscribable);
        let (a, first) = follows(&[]);
        let (b, second) = follows(&[&a]);
        let (_, third) = follows(&[&a, &b]);
        let a = graph.node("a").spawn(first).unwrap();
        let b = graph.node("b").after(&[&a]).spawn(second).unwrap();
        graph.node("c").after(&[&b]).spawn(third).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| publish(&mut publisher, 0..50));
            graph.shutdown(Stop::Immediate);
        });
        // A handler that had seen a message too early would have panicked.
        let reports = graph.join().unwrap();
        let received: Vec<_> = reports.iter().map(|report| report.received).collect();
        assert!(received.is_sorted_by(|before, after| before >= after));
    }
}

#[test]
fn joining_with_a_deadline_gives_the_graph_back() {
    let (mut publisher, subscribable) = ring(8);
    let mut graph = Graph::new(subscribable);
    let (_, began, go) = held(&mut graph, "held", &[]);
    publish(&mut publisher, 0..3);
    drop(publisher);
    assert_eq!(began.recv(), Ok(0));
    let late = graph.join_deadline(Instant::now()).unwrap_err();
    let JoinTimeoutError::Timeout { handle, left } = late else {
        panic!("it cannot have ended");
    };
    assert_eq!((left, handle.is_finished()), (3, false));
    drop(go);
    assert!(handle.join_timeout(GUARD).is_ok());
}

#[test]
fn a_dropped_graph_is_stopped_and_drains_if_it_is_to() {
    for stop in [Stop::Immediate, Stop::Drain] {
        let (mut publisher, subscribable) = ring(64);
        let (says, heard) = queue();
        let mut graph = Graph::new(subscribable).on_drop(stop);
        let first = graph.node("first").spawn(|_: &u64, _| ()).unwrap();
        let second = graph.node("second").after(&[&first]);
        second
            .spawn(move |n: &u64, _| says.send(*n).unwrap())
            .unwrap();
        publish(&mut publisher, 0..50);
        drop(graph);
        let heard = heard.iter().count();
        assert!(heard == 50 || stop == Stop::Immediate);
        publish(&mut publisher, 50..200);
    }
}

#[test]
fn the_reports_are_a_table() {
    let (mut publisher, subscribable) = ring(4);
    let mut graph = Graph::new(subscribable);
    graph.node("a node").spawn(|_: &u64, _| ()).unwrap();
    publish(&mut publisher, 0..7);
    drop(publisher);
    let table = graph.join().unwrap().to_string();
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("name"), "{table}");
    assert!(lines[1].contains("a node") && lines[1].contains("ring ended"));
    assert_eq!(
        lines[0].find("received").map(|at| at + 8),
        lines[1].find('7').map(|at| at + 1)
    );
}
