//! What was announced is not closed.
fn main() {
    let (announcer, _announcement) = tidings_oneshot::Announcement::new();
    announcer.announce(1).unwrap();
    announcer.close();
}
