//! What may not leave its thread is not announced to another one.
use std::rc::Rc;

fn main() {
    let (announcer, announcement) = tidings_oneshot::Announcement::new();
    std::thread::spawn(move || drop(announcer.announce(Rc::new(1))));
    drop(announcement);
}
