//! What the others in this folder do wrong, done right.
use std::cell::Cell;
use tidings_oneshot::Announcement;

fn main() {
    let (announcer, announcement) = Announcement::new();
    let listener = announcement.listener();
    announcer.announce(Cell::new(1)).unwrap();
    assert_eq!(listener.get().unwrap().get(), 1);
    let (announcer, _announcement) = Announcement::<u8>::new();
    announcer.announce_in_place(|place| place.write(1));
}
