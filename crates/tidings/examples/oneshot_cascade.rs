//! Stage after stage, each listening to the one before it. What a stage has to say is announced also when it panics, so one
//! that fails holds nobody up: the rest is told and skips its work. Run it with
//! `cargo run --example oneshot_cascade -p tidings`.

use std::panic;
use std::thread::{self, JoinHandle};
use tidings::oneshot::{Announced, Announcement, Announcer, Listener};

/// What became of a stage.
#[derive(Debug, PartialEq)]
enum Outcome {
    Done,
    /// This one broke.
    Failed(&'static str),
    /// It has not run, because that one broke.
    Skipped(&'static str),
}

/// The stage before, and the announcer for the outcome of this one.
fn stage(
    name: &'static str,
    before: &Listener<Outcome>,
    announcer: Announcer<Outcome>,
    work: fn(),
) {
    // Announced whichever way this function is left.
    let mut outcome = announcer.on_drop(Outcome::Failed(name));
    let before = before
        .wait_blocking()
        .expect("each stage announces in any case");
    *outcome = match before {
        Outcome::Done => {
            work();
            Outcome::Done
        }
        Outcome::Failed(name) | Outcome::Skipped(name) => Outcome::Skipped(name),
    };
}

type Stage = (&'static str, fn());

/// Starts all stages at once, and gives what the last one says.
fn run(stages: &[Stage]) -> Announced<Outcome> {
    let (begin, announcement) = Announcement::new();
    let mut last = announcement.listener();
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    for &(name, work) in stages {
        let (announcer, announcement) = Announcement::new();
        let before = std::mem::replace(&mut last, announcement.listener());
        threads.push(thread::spawn(move || stage(name, &before, announcer, work)));
    }
    begin.announce(Outcome::Done).expect("the only announcer");
    for thread in threads {
        // A panic was told to the next stage, and is no news.
        let _ = thread.join();
    }
    last.into_guard().expect("each stage announces in any case")
}

fn main() {
    let mut stages: Vec<Stage> = vec![
        ("database", || println!("database: open")),
        ("cache", || println!("cache: warm")),
        ("server", || println!("server: listens")),
    ];
    let outcome = run(&stages);
    println!("all well: {:?}", *outcome);
    assert_eq!(*outcome, Outcome::Done);

    // One line instead of a trace.
    panic::set_hook(Box::new(|panic| println!("{panic}")));
    stages[1].1 = || panic!("no memory left for the cache");
    let outcome = run(&stages);
    println!("one fails: {:?}", *outcome);
    assert_eq!(*outcome, Outcome::Skipped("cache"));
}
