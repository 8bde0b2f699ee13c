//! An exchange in miniature: an order is written to a journal and to a replica, side by side, and only then matched; an
//! auditor looks in for a while. All on one ring, each order in its slot. Run it with `cargo run --example ring_graph -p tidings`.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use tidings::ring::graph::{AttachError, Node};
use tidings::ring::{Consumer, EventSubscribable, Graph, event_channel};

const ORDERS: u64 = 50_000;

type Exchange = Graph<EventSubscribable<Order>>;

#[derive(Clone, Copy, Default)]
struct Order {
    number: u64,
    trader: u32,
    shares: i64,
    price: u64,
}

/// Orders of seven traders, bought and sold at changing prices.
fn order(number: u64) -> Order {
    Order {
        number,
        trader: (number % 7) as u32,
        shares: (number * 31 % 199) as i64 - 99,
        price: 1_000 + number * 17 % 101,
    }
}

/// A node that writes what is there, and flushes when nothing more is. A file would stand where the sink is.
fn journal(graph: &mut Exchange, count: Arc<AtomicU64>) -> Result<Node, AttachError> {
    let mut file = BufWriter::new(std::io::sink());
    graph
        .node("journal")
        .with(Consumer::builder().batch_limit(256))
        .spawn(move |order: &Order, delivery| {
            let Order {
                trader,
                shares,
                price,
                ..
            } = order;
            writeln!(file, "{trader} {shares} {price}").expect("a sink takes everything");
            if delivery.end_of_batch {
                file.flush().expect("a sink takes everything");
            }
            count.store(order.number + 1, Relaxed);
        })
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut exchange, ring) = event_channel(1024, Order::default);
    let mut graph = Graph::new(ring);

    let journaled = Arc::new(AtomicU64::new(0));
    let journal = journal(&mut graph, Arc::clone(&journaled))?;
    let replicated = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&replicated);
    let replica = graph.node("replica").spawn(move |order: &Order, _| {
        count.store(order.number + 1, Relaxed);
    })?;

    // Matching comes after both: what they did is done, and seen, before it begins.
    let (settle, settled) = mpsc::channel();
    let mut positions: BTreeMap<u32, i64> = BTreeMap::new();
    let matching = graph.node("matching").after(&[&journal, &replica]);
    let matching = matching.spawn(move |order: &Order, _| {
        assert!(journaled.load(Relaxed) > order.number);
        assert!(replicated.load(Relaxed) > order.number);
        *positions.entry(order.trader).or_default() += order.shares;
        if order.number == ORDERS - 1 {
            settle.send(positions.clone()).unwrap();
        }
    })?;

    let trading = std::thread::spawn(move || {
        for number in 0..ORDERS {
            exchange.publish(|slot| *slot = order(number));
        }
        // The exchange closes here, and the graph ends after the last order.
    });

    // An auditor comes, sees every order from then on that was matched, and goes.
    let (note, notes) = mpsc::channel();
    let auditor = graph.node("auditor").after(&[&matching]);
    let auditor = auditor.spawn(move |order: &Order, _| {
        // Nobody reads the notes any more once the auditor is told to go.
        let _ = note.send(order.shares.unsigned_abs() * order.price);
    })?;
    let turnover: u64 = notes.iter().take(100).sum();
    let audit = graph.detach(&auditor).expect("it is a node of this graph");
    println!("turnover of a hundred orders: {turnover}\n{audit}");

    trading.join().unwrap();
    let reports = graph.join()?;
    println!("\n{reports}\n");

    let positions = settled.recv()?;
    for (trader, shares) in &positions {
        println!("trader {trader}: {shares:>6} shares");
    }
    let all: i64 = (0..ORDERS).map(|number| order(number).shares).sum();
    assert_eq!(positions.values().sum::<i64>(), all);
    assert_eq!(reports.get("matching").unwrap().received, ORDERS);
    Ok(())
}
