//! What one thread at a time may look at is not announced to several.
use std::cell::Cell;

fn main() {
    let (announcer, announcement) = tidings_oneshot::Announcement::new();
    let listener = announcement.listener();
    std::thread::spawn(move || listener.get().map(Cell::get));
    announcer.announce(Cell::new(1)).unwrap();
}
