//! A web server's log: lines are parsed on one thread, timed on another, and searched for failures on a third, as they are
//! written. Run it with `cargo run --example ring_pipeline -p tidings`.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::mpsc;
use tidings::ring::{Consumer, Pipeline, consumer::PanicPolicy};

const LINES: u64 = 20_000;

/// A line of the log, as far as somebody wants to know.
struct Request {
    path: String,
    status: u16,
    micros: u64,
}

/// `GET /path 200 1234us`; `None` for what is no such line.
fn parse(line: &str) -> Option<Request> {
    let mut words = line.split(' ');
    let (_method, path) = (words.next()?, words.next()?);
    let status = words.next()?.parse().ok()?;
    let micros = words.next()?.strip_suffix("us")?.parse().ok()?;
    Some(Request {
        path: path.to_owned(),
        status,
        micros,
    })
}

/// The log: every 997th line was cut off, every 499th request failed.
fn line(number: u64) -> String {
    let path = ["/", "/search", "/cart", "/login"][(number % 4) as usize];
    match number {
        _ if number % 997 == 0 => format!("GET {path}"),
        _ if number % 499 == 0 => format!("GET {path} 503 {}us", number % 90 + 10),
        _ => format!("GET {path} 200 {}us", number * 7919 % 9000 + 100),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (log, lines) = Pipeline::builder().capacity(256).input::<String>();
    let requests = lines.named("parse").filter_map(|line| parse(line));
    // Two branches, each of which gets every request.
    let [timed, searched] = requests.split();

    // A sink that keeps the slowest request of each path, and hands the table over when the pipeline ends.
    let (table, slowest) = mpsc::channel();
    let mut by_path: BTreeMap<String, u64> = BTreeMap::new();
    let clock = Consumer::builder()
        .name("clock")
        .on_panic(PanicPolicy::Skip);
    timed.with(clock).sink(move |request| {
        let slowest = by_path.entry(request.path.clone()).or_default();
        if request.micros > *slowest {
            *slowest = request.micros;
            table.send((request.path.clone(), request.micros)).unwrap();
        }
    });

    // An output: failures, to be read on this thread.
    let failed = |request: &Request| (request.status >= 500).then(|| request.path.clone());
    let failures = searched.named("search").filter_map(failed);
    let (mut failures, pipeline) = failures.build()?;

    let writer = std::thread::spawn(move || {
        for number in 1..=LINES {
            log.publish(line(number))
                .expect("the pipeline runs as long as the log");
        }
        // The log ends here, and with it the pipeline, after the last line has gone through.
    });

    let mut count = 0;
    while let Ok(path) = failures.recv_ref() {
        count += 1;
        if count <= 3 {
            println!("failed: {}", **path);
        }
    }
    println!("… {count} failures\n");
    writer.join().unwrap();
    let reports = pipeline.join()?;

    let slowest: BTreeMap<String, u64> = slowest.into_iter().collect();
    for (path, micros) in &slowest {
        println!("{path:8} {micros:>5} µs at most");
    }
    println!("\n{reports}");

    let parsed = LINES - LINES / 997;
    assert_eq!(reports.get("parse").unwrap().received, LINES);
    assert_eq!(reports.get("clock").unwrap().received, parsed);
    assert_eq!((count, slowest.len()), (LINES / 499, 4));
    Ok(())
}
