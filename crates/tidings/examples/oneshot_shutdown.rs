//! One word ends everything: a busy thread, a thread that mostly sleeps, and a task, each of which hears why. The end waits
//! until the last of them has gone, for a while. Run it with `cargo run --example oneshot_shutdown -p tidings`.

use std::{thread, time::Duration};
use tidings::oneshot::{Announcement, ListenError, Listener, State};
use tokio::sync::mpsc;

/// Why the program ends. All workers borrow the one that was announced, so it need not be `Clone`.
struct Reason(&'static str);

/// What a worker says about it.
fn word(reason: Option<&Reason>) -> &str {
    reason.map_or("told nothing", |reason| reason.0)
}

/// What each worker holds.
struct Worker {
    shutdown: Listener<Reason>,
    /// Dropped when the worker ends, however that comes about.
    _at_work: Listener<()>,
}

/// A thread that always has something to do: it looks in between, which is one load.
///
/// It ends also when the announcer goes without a word, for instance in a panic; `is_announced` would never say so.
fn compress(Worker { shutdown, .. }: &Worker) {
    let mut blocks = 0_u64;
    while shutdown.state() == State::Pending {
        blocks += 1;
        thread::yield_now();
    }
    println!("compress: {blocks} blocks; {}", word(shutdown.get()));
}

/// A thread that does something now and then: the wait is its pause.
fn save(Worker { shutdown, .. }: &Worker) {
    let mut saved = 0;
    let pause = Duration::from_millis(1);
    while let Err(ListenError::Timeout) = shutdown.wait_timeout_blocking(pause) {
        saved += 1;
    }
    println!("save: {saved} times; {}", word(shutdown.get()));
}

/// A task: one wait for all its rounds, which is registered once.
///
/// It looks for the word first: under a steady load there is always a request, and behind it the word would never be heard.
/// Requests still in the queue are given up; a server that owes an answer to them would close the queue now and empty it.
async fn serve(mut requests: mpsc::Receiver<u32>, worker: Worker) {
    let mut told = worker.shutdown.wait();
    let mut served = 0;
    loop {
        tokio::select! {
            biased;
            reason = &mut told => {
                println!("serve: {served} requests; {}", word(reason.ok()));
                break;
            }
            Some(_) = requests.recv() => served += 1,
        }
    }
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("the runtime starts");
    let (announcer, announcement) = Announcement::new();
    // A second channel on which nothing is ever said: it is over when the last worker has dropped its listener.
    let (all_gone, working) = Announcement::<()>::new();

    let worker = || Worker {
        shutdown: announcement.listener(),
        _at_work: working.listener(),
    };
    let (compressor, saver, server) = (worker(), worker(), worker());
    drop(working);
    thread::spawn(move || compress(&compressor));
    thread::spawn(move || save(&saver));
    let (requests, received) = mpsc::channel(8);
    runtime.spawn(serve(received, server));

    for request in 0..100 {
        requests
            .blocking_send(request)
            .expect("serve goes on until it is told");
    }
    println!("{} listen", announcer.listener_count());
    announcer
        .announce(Reason("the day is over"))
        .expect("the only announcer");
    assert!(
        all_gone.abandoned_timeout_blocking(Duration::from_secs(60)),
        "somebody does not stop"
    );
    println!("all have stopped");
}
