//! Everybody brings a part and waits until all have come; then all go on with the whole. There is no counter: the last ticket
//! that is dropped announces, and one announcement wakes all of them. A participant that fails drops its ticket too, so the
//! others do not wait for ever. Run it with `cargo run --example oneshot_barrier -p tidings`.

use std::sync::{Arc, Mutex};
use std::thread;
use tidings::oneshot::{AnnounceOnDrop, Announcement, Listener};

/// The parts so far, who brought each, announced when the last ticket goes.
type Parts = Mutex<Vec<(usize, u64)>>;
type Ticket = Arc<AnnounceOnDrop<Parts>>;

/// `n` tickets, and the announcement of what all of them brought.
fn barrier(n: usize) -> (Vec<Ticket>, Announcement<Parts>) {
    let (announcer, announcement) = Announcement::new();
    let ticket = Arc::new(announcer.on_drop(Parts::default()));
    (vec![ticket; n], announcement)
}

/// The sum over a part of the numbers from 0 to 7,999.
fn part(who: usize) -> Option<u64> {
    let first = 1_000 * who as u64;
    // One of them has bad luck.
    (who != 5).then(|| (first..first + 1_000).sum())
}

/// What each participant runs; `None` when it could bring nothing.
fn take_part(who: usize, ticket: Ticket, everybody: &Listener<Parts>) -> Option<u64> {
    let part = part(who)?;
    ticket
        .lock()
        .expect("nobody panics while adding")
        .push((who, part));
    drop(ticket);
    let parts = everybody
        .wait_blocking()
        .expect("tickets announce in any case");
    let whole = parts
        .lock()
        .expect("nobody panics while adding")
        .iter()
        .map(|(_, part)| part)
        .sum();
    Some(whole)
}

fn main() {
    let (tickets, announcement) = barrier(8);
    thread::scope(|scope| {
        for (who, (ticket, everybody)) in tickets
            .into_iter()
            .zip(announcement.listeners(8))
            .enumerate()
        {
            scope.spawn(move || match take_part(who, ticket, &everybody) {
                Some(whole) => println!("participant {who}: the whole is {whole}"),
                None => println!("participant {who}: brings nothing"),
            });
        }
    });
    let parts = announcement.into_inner().expect("all others have gone");
    let parts = parts.into_inner().expect("nobody panics while adding");
    println!("{} of 8 brought something", parts.len());
    assert_eq!(parts.len(), 7);
}
