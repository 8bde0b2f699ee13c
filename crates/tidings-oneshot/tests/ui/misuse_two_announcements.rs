//! An announcer announces once.
fn main() {
    let (announcer, _announcement) = tidings_oneshot::Announcement::new();
    announcer.announce(1).unwrap();
    announcer.announce(2).unwrap();
}
