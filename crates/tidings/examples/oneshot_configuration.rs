//! A configuration, loaded once while the program starts, then borrowed by everybody, late comers too. Nobody clones it, and
//! in the end it is taken out again. Run it with `cargo run --example oneshot_configuration -p tidings`.

use std::{collections::BTreeMap, thread};
use tidings::oneshot::{Announced, Announcement, Listener};

const FILE: &str = "host = example.org\nport = 7007\nworkers = 3\n";

/// Large in a real program, and deliberately not `Clone`.
struct Configuration {
    entries: BTreeMap<String, String>,
}

impl Configuration {
    fn read(text: &str) -> Result<Self, String> {
        let entries = text.lines().map(|line| {
            let (key, value) = line
                .split_once(" = ")
                .ok_or_else(|| format!("`{line}` sets nothing"))?;
            Ok((key.to_owned(), value.to_owned()))
        });
        Ok(Self {
            entries: entries.collect::<Result<_, String>>()?,
        })
    }
}

/// What is announced: all the workers learn why, if it cannot be read.
type Loaded = Result<Configuration, String>;

/// Starts before the configuration is there. `Err` of the outer result means that the loader died without a word.
fn connect(worker: usize, configuration: &Listener<Loaded>) -> *const Configuration {
    match configuration.wait_blocking() {
        Ok(Ok(configuration)) => {
            println!(
                "worker {worker}: connects to {}",
                configuration.entries["host"]
            );
            configuration
        }
        Ok(Err(reason)) => panic!("no configuration: {reason}"),
        Err(closed) => panic!("no configuration: {closed}"),
    }
}

fn main() {
    let (announcer, announcement) = Announcement::<Loaded>::new();

    thread::scope(|scope| {
        let workers: Vec<_> = announcement
            .listeners(3)
            .enumerate()
            .map(|(worker, listener)| scope.spawn(move || connect(worker, &listener) as usize))
            .collect();
        scope.spawn(move || announcer.announce(Configuration::read(FILE)));

        let places = workers
            .into_iter()
            .map(|worker| worker.join().expect("has connected"));
        let places: Vec<usize> = places.collect();
        assert!(
            places.iter().all(|place| *place == places[0]),
            "all borrow the same one"
        );
    });

    // Long after: a listener made now has it at once, without waiting.
    let late = announcement.listener();
    let port = late
        .get()
        .and_then(|loaded| loaded.as_ref().ok()?.entries.get("port"));
    println!("a late comer: port {port:?}");
    assert_eq!(port.map(String::as_str), Some("7007"));

    // An owned guard keeps it without the channel's other handles, and the last owner may take it.
    let guard = late.into_guard().expect("was announced");
    drop(announcement);
    let Ok(Ok(configuration)) = Announced::into_inner(guard) else {
        panic!("there is another owner")
    };
    println!("taken out again: {} entries", configuration.entries.len());
}
